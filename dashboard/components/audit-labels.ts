/** Names the actor and the action of an audit log entry, for the audit log and for the history of a resource. */
import { enumLabel } from './enum-label.ts';

interface Actor {
  readonly kind: 'ADMINISTRATOR' | 'KEY' | 'MEMBER' | 'SYSTEM';
  /** The portal user; not all queries select it. */
  readonly user?: { readonly name: string } | null;
  readonly administratorId: string | null;
  readonly administrator: { readonly name: string } | null;
  readonly keyId: string | null;
}

export function actorLabel({ kind, administrator, administratorId, user, keyId }: Actor): string {
  if (kind === 'ADMINISTRATOR') return administrator?.name ?? administratorId ?? 'Administrator';
  if (kind === 'MEMBER') return user?.name ?? 'Portal user';
  return kind === 'KEY' ? (keyId ?? 'API key') : 'System';
}

/** Actions that the log stores in the imperative or in abbreviated form. */
const actionLabels: Readonly<Record<string, string>> = {
  annul: 'Annulled',
  certify: 'Certified',
  close: 'Closed',
  correct: 'Corrected',
  destroy: 'Destroyed',
  disable: 'Disabled',
  dismiss: 'Dismissed',
  enable: 'Enabled',
  erase: 'Erased',
  expire: 'Expired',
  identity_bound: 'Identity linked',
  link_made: 'Setup link created',
  merge: 'Merged',
  move: 'Moved',
  participants: 'Participants changed',
  publish: 'Published',
  reinstate: 'Reinstated',
  reject: 'Rejected',
  replay: 'Replay requested',
  retry: 'Retry requested',
  revoke: 'Revoked',
  rotate: 'Rotated',
  schedule_move: 'Plan change scheduled',
  suspend: 'Suspended',
  take_down: 'Taken down',
  test: 'Test event sent',
  transfer: 'Transferred',
  uphold: 'Upheld',
  verify: 'Verified',
  withdraw: 'Withdrawn',
  withdraw_move: 'Plan change canceled',
};

export const actionLabel = (action: string): string => actionLabels[action] ?? enumLabel(action);
