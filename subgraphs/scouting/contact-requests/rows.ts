/** The `contact_request` table: row type, columns and resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { ContactRequestStatus } from '../generated/resolvers.ts';

export interface ContactRequestRow extends ResourceRow {
  readonly ownerAccountId: string;
  /** The athlete now, after merges of profiles. */
  readonly athleteId: string;
  /** The athlete id that the sender sent. The profile may have been merged since. */
  readonly namedId: string;
  readonly organizationId: string | null;
  /** Stored status. The API returns `statusAt` of lifecycle.ts. */
  readonly status: ContactRequestStatus;
  readonly message: string;
  readonly answer: string | null;
  readonly answeredAt: string | null;
  readonly expiresAt: string;
}

export type ContactRequestPage = Page<ContactRequestRow>;

export const contactRequests = table<ContactRequestRow>('contact_request', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  ownerAccountId: 'plain',
  athleteId: 'plain',
  namedId: 'plain',
  organizationId: 'plain',
  status: 'plain',
  message: 'plain',
  answer: 'plain',
  answeredAt: 'plain',
  expiresAt: 'plain',
});

export const contactRequestResource: Resource<ContactRequestRow> = {
  type: 'contact_request',
  table: contactRequests,
  created: 'contact_request.created',
  updated: 'contact_request.status_changed',
  deleted: 'contact_request.deleted',
  required: [],
  isPublic: () => false,
  audienceOf: ({ ownerAccountId }) => [ownerAccountId],
  hasRegistryIds: false,
};

/** The note of a status change. */
export const statusNote = (action: string, { athleteId, ownerAccountId }: ContactRequestRow) =>
  ({ action, event: 'contact_request.status_changed', data: { athleteId, ownerAccountId } }) as const;
