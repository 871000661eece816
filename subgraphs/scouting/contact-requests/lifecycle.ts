/** The life of a contact request: who takes which step, and when it expires. */
import { owns, type Viewer } from '../../../schema/viewer.ts';
import type { Actor, Transitions } from '../../../platform/writes/transition.ts';
import type { ContactRequestStatus } from '../resolvers.generated.ts';

/** The sender is the OWNER of the request, the account of the athlete its COUNTERPART: only that one answers. */
export const contactRequestTransitions = {
  accept: { from: ['SENT'], to: 'ACCEPTED', actors: ['COUNTERPART'] },
  decline: { from: ['SENT'], to: 'DECLINED', actors: ['COUNTERPART'] },
  expire: { from: ['SENT'], to: 'EXPIRED', actors: ['TIMER'] },
} as const satisfies Transitions<ContactRequestStatus, string>;

export type ContactRequestVerb = 'accept' | 'decline';

const dayMs = 86_400_000;

/** How long an owner has to answer. */
export const responseWindowMs = 30 * dayMs;

/** How long a refusal holds before the same account may ask again. */
export const declineCooldownMs = 90 * dayMs;

interface Stored {
  readonly status: ContactRequestStatus;
  readonly expiresAt: string;
}

/**
 * The state a request is in at a moment: it expires in that moment, whenever the timer comes to write it down.
 * Reads and steps go by this one; store/contact-request.ts says the same in SQL.
 */
export function statusAt({ status, expiresAt }: Stored, now: number = Date.now()): ContactRequestStatus {
  return status === 'SENT' && Date.parse(expiresAt) <= now ? 'EXPIRED' : status;
}

/** What the viewer is in a request: both sides, where the two accounts became one by a merge of profiles. */
export function actorsOf(viewer: Viewer, row: { readonly accountId: string; readonly ownerAccountId: string }): Actor[] {
  return [
    ...(owns(viewer, row.accountId) ? (['OWNER'] as const) : []),
    ...(owns(viewer, row.ownerAccountId) ? (['COUNTERPART'] as const) : []),
  ];
}
