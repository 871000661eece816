/** Names the actor, the resource type and the action of an audit log entry, for the audit log and for the history of a resource. */
import { resourceNames } from '../../schema/resource-names.ts';
import { enumLabel } from './enum-label.ts';

interface Actor {
  readonly kind: 'ADMINISTRATOR' | 'KEY' | 'MEMBER' | 'SYSTEM';
  /** The portal user; not all queries select it. */
  readonly user?: { readonly name: string } | null;
  readonly administratorId: string | null;
  readonly administrator: { readonly name: string } | null;
  readonly keyId: string | null;
  readonly key: { readonly name: string } | null;
}

export function actorLabel({ kind, administrator, administratorId, user, keyId, key }: Actor): string {
  if (kind === 'ADMINISTRATOR') return administrator?.name ?? administratorId ?? 'Administrator';
  if (kind === 'MEMBER') return user?.name ?? 'Portal user';
  return kind === 'KEY' ? (key?.name ?? keyId ?? 'API key') : 'System';
}

/** Actions that the log stores in the imperative or in abbreviated form. */
const actionLabels: Readonly<Record<string, string>> = {
  activate: 'Activated',
  annul: 'Annulled',
  archive: 'Archived',
  cancel: 'Canceled',
  certify: 'Certified',
  close: 'Closed',
  confirm: 'Confirmed',
  correct: 'Corrected',
  decline: 'Declined',
  destroy: 'Destroyed',
  disable: 'Disabled',
  dismiss: 'Dismissed',
  enable: 'Enabled',
  erase: 'Erased',
  expire: 'Expired',
  finish: 'Finished',
  grant: 'Granted',
  identity_bound: 'Identity linked',
  link_made: 'Setup link created',
  loan: 'Loaned',
  merge: 'Merged',
  move: 'Moved',
  participants: 'Participants changed',
  postpone: 'Postponed',
  publish: 'Published',
  recall: 'Recalled',
  reinstate: 'Reinstated',
  reject: 'Rejected',
  replay: 'Replay requested',
  retry: 'Retry requested',
  revoke: 'Revoked',
  rotate: 'Rotated',
  schedule_move: 'Plan change scheduled',
  start: 'Started',
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

/** `API key` for `api_key`; unknown types as labels. */
export function resourceLabel(type: string): string {
  const names: Readonly<Record<string, string>> = resourceNames;
  const name = names[type];
  return name === undefined ? enumLabel(type) : name.charAt(0).toUpperCase() + name.slice(1);
}

/** Actions whose names in the log are labels. */
const plainActions = [
  'archived',
  'closed',
  'computed',
  'consents_changed',
  'created',
  'deleted',
  'disabled',
  'ended',
  'invited',
  'issued',
  'merged',
  'passkey_registered',
  'passkey_removed',
  'password_changed',
  'registered',
  'rehashed',
  'requested',
  'session_ended',
  'sessions_ended',
  'sign_in_failed',
  'signed_in',
  'updated',
];

const byLabel = (one: { readonly label: string }, other: { readonly label: string }): number =>
  one.label.localeCompare(other.label, 'en');

/** The actions to filter by. The log can have others. */
export const actionOptions = [...Object.keys(actionLabels), ...plainActions]
  .map((value) => ({ value, label: actionLabel(value) }))
  .sort(byLabel);

export const resourceTypeOptions = Object.keys(resourceNames)
  .map((value) => ({ value, label: resourceLabel(value) }))
  .sort(byLabel);
