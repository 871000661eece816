/** Transitions, deletions and verification decisions that resources share. */
import { Problem } from '../../schema/errors.ts';
import type { EventType } from '../../schema/events.ts';
import type { Viewer } from '../../schema/viewer.ts';
import { requireVersion } from './precondition.ts';
import { lockForModeration, lockOwned, removeRow, type ChangeRecord, type Resource, type ResourceRow } from './resource.ts';
import { nextState, type Transitions } from './transition.ts';
import type { WriteTransaction } from './write.ts';

/** Arguments of a mutation that moves one resource to another state. */
export interface TransitionArguments {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** Whether moderators make a transition. */
export function isModeratorTransition<Verb extends string>(transitions: Transitions<string, Verb>, verb: Verb): boolean {
  return transitions[verb].actors.includes('MODERATOR');
}

/** A row that a request changes, at the version that it expects. */
export interface ExpectedVersion {
  readonly id: string;
  readonly ifMatch: string;
}

/** Locks a row that the viewer owns. Throws Problem not_found (404), not_owner (403), or precondition_failed (412). */
export async function lockOwnedAt<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  viewer: Viewer,
  { id, ifMatch }: ExpectedVersion,
): Promise<Row> {
  const row = await lockOwned(transaction, resource, viewer, id);
  requireVersion(ifMatch, row.version);
  return row;
}

/**
 * Locks a row for a transition, as its owner or as a moderator, and returns it with the next state.
 * `stateOf` is the state of a row whose stored state can be out of date.
 * Throws Problem not_found (404), not_owner (403), or invalid_transition (409).
 */
export async function lockForTransition<
  State extends string,
  Verb extends string,
  Row extends ResourceRow & { readonly status: State },
>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  transitions: Transitions<State, Verb>,
  viewer: Viewer,
  verb: Verb,
  id: string,
  stateOf: (row: Row) => State = ({ status }) => status,
): Promise<{ readonly row: Row; readonly status: State }> {
  const moderates = isModeratorTransition(transitions, verb);
  const row = await (moderates ? lockForModeration : lockOwned)(transaction, resource, viewer, id);
  return { row, status: nextState(transitions, verb, stateOf(row), moderates ? ['MODERATOR'] : ['OWNER']) };
}

/** What history and events note of a transition, with the reason that was given. */
export function transitionNote(verb: string, event: EventType, reason: string | null | undefined): ChangeRecord {
  return { action: verb, event, data: reason ? { reason } : {} };
}

/**
 * Deletes a row of the viewer at the expected version, after `check` has accepted it.
 * Throws Problem not_found (404), not_owner (403), precondition_failed (412), and what `check` throws.
 */
export async function removeOwned<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  viewer: Viewer,
  expected: ExpectedVersion,
  check?: (row: Row) => Promise<void> | void,
): Promise<Row> {
  const row = await lockOwnedAt(transaction, resource, viewer, expected);
  await check?.(row);
  await removeRow(transaction, resource, row);
  return row;
}

/** A check of removeOwned. Throws Problem in_use (409) with the detail unless the row is a draft. */
export const requireDraft =
  (detail: string) =>
  ({ status }: { readonly status: string }): void => {
    if (status !== 'DRAFT') throw new Problem('in_use', detail);
  };

/** The verification that a moderator's decision sets, and how it is noted. `reason` is the method of a positive decision. */
export function verificationDecision(verb: 'verify' | 'reject', event: EventType, reason: string | null | undefined) {
  const status = verb === 'verify' ? ('VERIFIED' as const) : ('REJECTED' as const);
  const note: ChangeRecord = { action: verb, event, data: verb === 'reject' && reason ? { reason } : {} };
  return { verification: { status, method: reason ?? null, at: new Date().toISOString() }, note };
}
