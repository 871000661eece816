/** The states and columns of requests of partners to the operator. */
import type { Snapshot } from '../../../platform/writes/change.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { Viewer } from '../../../schema/viewer.ts';
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
