/** The status of a batch item: an existing resource moves to it over the transitions that lead a new one there, or the item fails. */
import { Problem } from '../../schema/errors.ts';
import { allowedTransitions, transitionsBetween } from './transition.ts';
import type { Resource, ResourceRow } from './resource.ts';
import type { WriteTransaction } from './write.ts';

/** How the rows of a resource move to the status of an item. */
export interface ItemStatus<Row extends ResourceRow, Verb extends string> {
  /** The transitions from the first status to the last one that an item can have, in their order. */
  readonly verbs: readonly Verb[];
  /** The status that an item would have to name for a new resource to be like this row. Default: its status. */
  readonly statusOf?: (row: Row) => string;
  /** Applies the transition to a locked row, with its rules, history and events. */
  readonly apply: (transaction: WriteTransaction, row: Row, verb: Verb) => Promise<Row>;
}

const listed = (verbs: readonly string[]): string => verbs.map((verb) => `\`${verb}\``).join(', then ');

function unreachable(resource: Resource<never>, row: ResourceRow, current: string, requested: string): Problem {
  const { transitions = {} } = resource.lifecycle ?? {};
  const way = transitionsBetween(transitions, current, requested) ?? [];
  const advice = way.length > 0 ? `Call ${listed(way.map(({ action }) => action))}, or omit` : 'Omit';
  return new Problem(
    'invalid_transition',
    `The status is ${current}, and a batch does not change it to ${requested}. ${advice} \`status\` to keep it.`,
    { existingId: row.id, state: current, allowedTransitions: allowedTransitions(transitions, current, ['OWNER']) },
  );
}

/**
 * Moves a locked row forward to the status that its item names. A row that has reached this status, or a later one on the way, keeps its
 * status, so that the same batch can be sent again; null and undefined keep it too.
 * Throws Problem invalid_transition (409) when the row has left this way, and what the transitions throw.
 */
export async function moveToItemStatus<Row extends ResourceRow, Verb extends string>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  { verbs, statusOf, apply }: ItemStatus<Row, Verb>,
  row: Row,
  requested: string | null | undefined,
): Promise<Row> {
  if (requested === null || requested === undefined) return row;
  const { initial = '', transitions = {} } = resource.lifecycle ?? {};
  const statuses = [initial, ...verbs.map((verb) => transitions[verb]?.to ?? '')];
  const stored = 'status' in row ? String(row.status) : '';
  const current = statusOf?.(row) ?? stored;
  if (current === requested) return row;
  const [from, to] = [statuses.indexOf(current), statuses.indexOf(requested)];
  if (from === -1) throw unreachable(resource, row, stored, requested);
  let moved = row;
  for (const verb of verbs.slice(from, to)) moved = await apply(transaction, moved, verb);
  return moved;
}
