/** The `application` table: row type, columns, resource description and event data. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { ApplicationAnswer, ApplicationDecision, ApplicationStatus, Sport } from '../generated/resolvers.ts';
import { applicationTransitions } from './lifecycle.ts';

export interface ApplicationRow extends ResourceRow {
  /** The applicant's account, which owns the athlete. */
  readonly accountId: string;
  /** The account of the opportunity. */
  readonly opportunityAccountId: string;
  /** Stored status. The API returns `statusAt` of lifecycle.ts. */
  readonly status: ApplicationStatus;
  readonly opportunityId: string;
  readonly sport: Sport;
  /** Null after the athlete was erased, or after a merge left a second application to the same opportunity. */
  readonly athleteId: string | null;
  readonly answers: ApplicationAnswer[];
  readonly decision: ApplicationDecision | null;
  readonly submittedAt: string | null;
  readonly offeredAt: string | null;
  readonly offerExpiresAt: string | null;
}

export type ApplicationPage = Page<ApplicationRow>;

// prettier-ignore
export const applications = table<ApplicationRow>('application', {
  id: 'plain', accountId: 'plain', opportunityAccountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', status: 'plain',
  opportunityId: 'plain', sport: 'plain', athleteId: 'plain', answers: 'jsonb', decision: 'jsonb', submittedAt: 'plain', offeredAt: 'plain',
  offerExpiresAt: 'plain',
});

export const applicationResource: Resource<ApplicationRow> = {
  type: 'application',
  table: applications,
  created: 'application.created',
  updated: 'application.updated',
  deleted: 'application.deleted',
  required: ['answers'],
  isPublic: () => false,
  // the applicant alone can read a draft
  audienceOf: ({ status, opportunityAccountId }) => (status === 'DRAFT' ? [] : [opportunityAccountId]),
  hasRegistryIds: false,
  lifecycle: { initial: 'DRAFT', transitions: applicationTransitions },
};

/** The ids in the events of an application. */
export function eventDataOf({ opportunityId, athleteId }: Pick<ApplicationRow, 'opportunityId' | 'athleteId'>) {
  return { opportunityId, ...(athleteId ? { athleteId } : {}) };
}
