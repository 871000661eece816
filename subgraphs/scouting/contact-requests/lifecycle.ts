/** Lifecycle of a contact request: transitions, expiry, and the sides of a viewer. */
import { owns, type Viewer } from '../../../schema/viewer.ts';
import type { Actor, Transitions } from '../../../platform/writes/transition.ts';
import type { ContactRequestStatus } from '../generated/resolvers.ts';

/** The sender is the OWNER of the request. The account of the athlete is the COUNTERPART, and only it can answer. */
export const contactRequestTransitions = {
  accept: { from: ['SENT'], to: 'ACCEPTED', actors: ['COUNTERPART'] },
  decline: { from: ['SENT'], to: 'DECLINED', actors: ['COUNTERPART'] },
  expire: { from: ['SENT'], to: 'EXPIRED', actors: ['TIMER'] },
} as const satisfies Transitions<ContactRequestStatus, string>;

export type ContactRequestVerb = 'accept' | 'decline';

const dayMs = 86_400_000;

/** The time in which the owner of the athlete can answer. */
export const responseWindowMs = 30 * dayMs;

/** The time after a declined request in which the sender cannot send another one. */
export const declineCooldownMs = 90 * dayMs;

interface StoredStatus {
  readonly status: ContactRequestStatus;
  readonly expiresAt: string;
}

/**
 * The status of a request at a point in time. It is EXPIRED from its expiry time on, even before the timer stores that status.
 * Reads and transitions use this status; contact-requests/reads.ts has the same rule in SQL.
 */
export function statusAt({ status, expiresAt }: StoredStatus, now: number = Date.now()): ContactRequestStatus {
  return status === 'SENT' && Date.parse(expiresAt) <= now ? 'EXPIRED' : status;
}

/** The sides of a viewer in a request. A viewer has both after a merge of profiles of two accounts. */
export function actorsOf(viewer: Viewer, row: { readonly accountId: string; readonly ownerAccountId: string }): Actor[] {
  return [
    ...(owns(viewer, row.accountId) ? (['OWNER'] as const) : []),
    ...(owns(viewer, row.ownerAccountId) ? (['COUNTERPART'] as const) : []),
  ];
}
