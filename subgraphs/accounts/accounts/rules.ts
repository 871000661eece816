/** The states of accounts. */
import { Problem } from '../../../schema/errors.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { AccountStatus } from '../generated/resolvers.ts';

export const accountTransitions = {
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED', actors: ['MODERATOR'] },
  reinstate: { from: ['SUSPENDED'], to: 'ACTIVE', actors: ['MODERATOR'] },
  close: { from: ['ACTIVE', 'SUSPENDED'], to: 'CLOSED', actors: ['MODERATOR'] },
} as const satisfies Transitions<AccountStatus, string>;

export type AccountVerb = keyof typeof accountTransitions;

/** The request for a transition of an account or an API key. */
export interface TransitionRequest {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

interface AccountState {
  readonly name: string;
  readonly status: AccountStatus;
}

/** Throws Problem conflict (409) for a closed account, which cannot be changed. */
export function requireOpen({ name, status }: AccountState): void {
  if (status === 'CLOSED') throw new Problem('conflict', `The account "${name}" is closed.`);
}

/** Throws Problem conflict (409) for a suspended or closed account, which gets no new keys. */
export function requireActive({ name, status }: AccountState): void {
  if (status !== 'ACTIVE')
    throw new Problem('conflict', `The account "${name}" is ${status.toLowerCase()} and cannot get new API keys.`);
}
