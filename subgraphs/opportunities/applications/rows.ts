/** Applications as the area's database holds them, and which of them a viewer sees: nobody but their two sides. */
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import { table } from '../../../platform/database/table.ts';
import type { Actor } from '../../../platform/writes/transition.ts';
import type { AthleteFacts } from '../../clients/athlete-facts.ts';
import { applicationTransitions, activeStates, statusAt } from './lifecycle.ts';
import type { ApplicationAnswer, ApplicationDecision, ApplicationStatus, Sport } from '../resolvers.generated.ts';

export interface ApplicationRow extends ResourceRow {
  /** The applicant's: the account that owns the athlete. */
  readonly accountId: string;
  /** The other side: the account of the opportunity. */
  readonly opportunityAccountId: string;
  /** As it was written; what is shown is application-lifecycle.ts statusAt. */
  readonly status: ApplicationStatus;
  readonly opportunityId: string;
  readonly sport: Sport;
  /** Null when the athlete is erased, or counted with another profile. */
  readonly athleteId: string | null;
  readonly answers: ApplicationAnswer[];
  readonly decision: ApplicationDecision | null;
  readonly submittedAt: string | null;
  readonly offeredAt: string | null;
  readonly offerExpiresAt: string | null;
}

/** What this area says of who applies: enough for the athletes area to know what the viewer is shown. */
export interface ApplicantReference {
  readonly applicant: string;
  readonly lives: boolean;
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
  hasRegistryIds: false,
  lifecycle: { initial: 'DRAFT', transitions: applicationTransitions },
};

/** Ids that consumers of an application's events may need. */
export function eventDataOf({ opportunityId, athleteId }: Pick<ApplicationRow, 'opportunityId' | 'athleteId'>) {
  return { opportunityId, ...(athleteId ? { athleteId } : {}) };
}

/** What the viewer is in an application: a draft is the applicant's alone. */
export function actorsOf(viewer: Viewer, row: Pick<ApplicationRow, 'accountId' | 'opportunityAccountId' | 'status'>): Actor[] {
  const applicant = owns(viewer, row.accountId);
  const receives = owns(viewer, row.opportunityAccountId) && (applicant || row.status !== 'DRAFT');
  return [...(applicant ? (['OWNER'] as const) : []), ...(receives ? (['COUNTERPART'] as const) : [])];
}

/**
 * Who applies, as the viewer is shown the athlete: the account that the application is with sees more while it lives.
 * @param organizationPublic whether the organization of the opportunity is: one that is suspended is shown nobody any more
 */
export function applicantOf(viewer: Viewer, row: ApplicationRow, organizationPublic: boolean): ApplicantReference | null {
  const lives = owns(viewer, row.opportunityAccountId) && organizationPublic && activeStates.includes(statusAt(row));
  return row.athleteId === null ? null : { applicant: row.athleteId, lives };
}

const made = (accountId: string | null): Sql => sql`application.account_id = ${accountId}::uuid`;
const received = (accountId: string | null): Sql =>
  sql`application.opportunity_account_id = ${accountId}::uuid and application.status <> 'DRAFT'`;

/** The condition of the applications that a viewer sees, of one side or of both. */
export function visibleApplications(viewer: Viewer, side?: 'APPLICANT' | 'OPPORTUNITY' | null): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  const { accountId } = viewer;
  if (side === 'APPLICANT') return made(accountId);
  if (side === 'OPPORTUNITY') return received(accountId);
  return sql`(${made(accountId)} or (${received(accountId)}))`;
}

/**
 * Where a list asks for an athlete: whoever it is submitted to finds those whom everybody sees, and those who apply now. Of others the id finds
 * nothing, as one of nobody would.
 */
export function visibleApplicant({ accountId }: Viewer, athlete: AthleteFacts | undefined): Sql {
  if (athlete?.public === true) return sql`true`;
  const now = athlete?.status === 'ACTIVE' ? sql`application.status = any(${[...activeStates]})` : sql`false`;
  return sql`(${made(accountId)} or ${now})`;
}

/** The condition of the external ids of applications that a viewer sees: each side those it gave. */
export const visibleExternalIds = ({ accountId }: Viewer): Sql => sql`external_id.account_id = ${accountId}::uuid`;
