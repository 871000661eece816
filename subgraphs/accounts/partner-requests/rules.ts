/** The states of requests of partners to the operator, and who reads them. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import type { Snapshot } from '../../../platform/writes/change.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import { hasFullAccess, owns, type Viewer } from '../../../schema/viewer.ts';
import { requireMember } from '../access.ts';
import type { PartnerRequestStatus } from '../generated/resolvers.ts';

export const partnerRequestTransitions = {
  grant: { from: ['OPEN'], to: 'GRANTED', actors: ['MODERATOR'] },
  decline: { from: ['OPEN'], to: 'DECLINED', actors: ['MODERATOR'] },
  withdraw: { from: ['OPEN'], to: 'WITHDRAWN', actors: ['OWNER'] },
} as const satisfies Transitions<PartnerRequestStatus, string>;

/** Members and columns that all requests have. */
export interface PartnerRequestRow extends Snapshot {
  readonly accountId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly note: string | null;
  readonly status: PartnerRequestStatus;
  readonly requestedBy: string;
  readonly reason: string | null;
  readonly decidedAt: string | null;
  readonly decidedBy: string | null;
}

export const partnerRequestColumns = {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  note: 'plain',
  status: 'plain',
  requestedBy: 'plain',
  reason: 'plain',
  decidedAt: 'plain',
  decidedBy: 'plain',
} as const;

/** The values of a decision. The database sets the time of the row. */
export const decisionOf = (viewer: Viewer, status: PartnerRequestStatus, reason: string | null | undefined) => ({
  status,
  reason: reason ?? null,
  decidedAt: new Date().toISOString(),
  decidedBy: viewer.administrator?.id ?? null,
});

/** Whether the viewer reads the request: members of its account and administrators. */
export const isVisibleTo = (viewer: Viewer, { accountId }: { readonly accountId: string }): boolean =>
  (viewer.kind === 'MEMBER' && owns(viewer, accountId)) || hasFullAccess(viewer);

/** Limits a list to the member's account, except for administrators. Throws Problem sign_in_required (401) for other viewers. */
export function visibleCondition(viewer: Viewer, accountColumn: Sql): Sql[] {
  if (hasFullAccess(viewer)) return [];
  requireMember(viewer);
  return [sql`${accountColumn} = ${requireAccount(viewer)}`];
}
