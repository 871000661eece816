/** Replaces all actions of a match by the list of an import. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { readEntries } from '../match-participants/reads.ts';
import type { MatchRow } from '../matches/rows.ts';
import { notStartedViolation } from '../matches/started.ts';
import type { CreateMatchActionInput } from '../generated/resolvers.ts';
import { deleteActions, insertActions } from './bulk-writes.ts';
import { scoreSequenceViolation } from './goals.ts';
import { countsGoals, readActions } from './reads.ts';
import { actionViolations, withPeriod } from './rules.ts';
import type { MatchActionRow } from './rows.ts';

type Action = CreateMatchActionInput | MatchActionRow;

/** Equal for two actions with the same content. */
const contentOf = ({
  type,
  period,
  clockMs,
  minute,
  addedMinute,
  participantId,
  athleteId,
  assistId,
  athleteName,
  assistName,
  scoreAfter,
}: Action): string =>
  JSON.stringify(
    [type, period, clockMs, minute, addedMinute, participantId, athleteId, assistId, athleteName, assistName, scoreAfter].map(
      (value) => value ?? null,
    ),
  );

/**
 * Replaces the actions of a match by the list. Stored actions with the same content stay. Returns whether any was inserted or deleted;
 * the version of the match does not change. `known` are the athletes that the caller can refer to. Throws Problem validation_failed (422).
 */
export async function replaceActions(
  transaction: WriteTransaction,
  match: MatchRow,
  list: readonly CreateMatchActionInput[],
  known: ReadonlySet<string>,
): Promise<boolean> {
  const stored = Map.groupBy(await readActions(transaction, [match.id]), contentOf);
  const given = list.map((input, index) => ({ input: withPeriod(input, match), pointer: `/actions/${index}` }));
  const all = given.map(({ input }) => input);
  const added = given
    // Each stored action matches one action of the list.
    .filter(({ input }) => stored.get(contentOf(input))?.shift() === undefined);
  const removed = [...stored.values()].flat();
  if (added.length > 0) {
    const entries = await readEntries(transaction, [match.id]);
    rejectInvalid([
      notStartedViolation(match, '/actions'),
      ...added.flatMap(({ input, pointer }) => actionViolations(input, match, entries, known, pointer)),
      ...((await countsGoals(transaction, match))
        ? added.map(({ input, pointer }) =>
            scoreSequenceViolation(
              input,
              all,
              entries.map(({ participantId }) => participantId),
              pointer,
            ),
          )
        : []),
    ]);
  }
  await deleteActions(transaction, match, removed);
  await insertActions(
    transaction,
    match,
    added.map(({ input }) => input),
  );
  return added.length + removed.length > 0;
}
