/** What happened in a match, told whole with the match: in place of what was told before. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { CreateMatchActionInput } from '../resolvers.generated.ts';
import { actionViolations } from './writes.ts';
import { begunViolation } from '../matches/match-states.ts';
import { deleteActions, insertActions } from './rows.ts';
import type { MatchActionRow, MatchRow } from '../matches/rows.ts';
import { readActions, readEntries } from '../matches/reads.ts';

type Told = CreateMatchActionInput | MatchActionRow;

/** Equal for two actions that say the same. */
const sense = ({ type, period, minute, addedMinute, participantId, athleteId, assistId, scoreAfter }: Told): string =>
  JSON.stringify(
    [type, period, minute, addedMinute, participantId, athleteId, assistId, scoreAfter].map((value) => value ?? null),
  );

/**
 * Makes the actions of a match what the list says: those that say the same stay as they are. True when any was written or removed;
 * the match itself is not touched. `known` are the athletes that the caller may name. Throws Problem validation_failed (422).
 */
export async function writeActions(
  transaction: WriteTransaction,
  match: MatchRow,
  list: readonly CreateMatchActionInput[],
  known: ReadonlySet<string>,
): Promise<boolean> {
  const stored = Map.groupBy(await readActions(transaction, [match.id]), sense);
  const added = list
    .map((input, index) => ({ input, pointer: `/actions/${index}` }))
    // Each stored one stands for one of the list.
    .filter(({ input }) => stored.get(sense(input))?.shift() === undefined);
  const removed = [...stored.values()].flat();
  if (added.length > 0) {
    const entries = await readEntries(transaction, [match.id]);
    rejectInvalid([
      begunViolation(match, '/actions'),
      ...added.flatMap(({ input, pointer }) => actionViolations(input as Partial<MatchActionRow>, entries, known, pointer)),
    ]);
  }
  await deleteActions(transaction, match, removed);
  await insertActions(
    transaction,
    match,
    added.map(({ input }) => input as Partial<MatchActionRow>),
  );
  return added.length + removed.length > 0;
}
