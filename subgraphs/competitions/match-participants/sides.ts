/** The maximum number of entries in a match: two where two sides play each other. */
import type { Violation } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { StageType } from '../generated/resolvers.ts';
import type { MatchRow } from '../matches/rows.ts';
import type { MatchParticipantRow } from './rows.ts';

/** A match is returned with all its entries, so their number is limited. */
export const entriesMax = 500;

/** Sports whose matches are races or events of many participants, also in a stage of type LEAGUE. */
const contestedByAll: readonly Sport[] = ['ATHLETICS', 'SWIMMING', 'CYCLING'];

const stagesOfTwo: readonly StageType[] = ['LEAGUE', 'GROUP', 'KNOCKOUT', 'QUALIFYING'];

const meetsByTwo = (sport: Sport, stage: StageType): boolean => stagesOfTwo.includes(stage) && !contestedByAll.includes(sport);

const twoSides = (pointer: string, why: string): Violation => ({
  pointer,
  code: 'two_sides',
  detail: `${why}, so it accepts no third side. Remove an entry first, or create another match.`,
});

/** The violation for a third side in a new match. `pointer` is that of the third entry. */
export function newSidesViolation(sport: Sport, stage: StageType, count: number, pointer: string): Violation | null {
  return count > 2 && meetsByTwo(sport, stage) ? twoSides(pointer, `A match in a stage of type ${stage} has two sides`) : null;
}

/** The violation for another entry in an existing match: a third side, or any entry where the result has a winner and a loser. */
export async function sidesViolation(
  transaction: Queryable,
  { sport, stageId }: MatchRow,
  stored: readonly MatchParticipantRow[],
  count: number,
  pointer: string,
): Promise<Violation | null> {
  if (count <= Math.max(stored.length, 1)) return null;
  if (stored.some(({ result }) => result !== null && result.outcome !== null))
    return twoSides(pointer, 'The match has a result for its two sides');
  if (count <= 2) return null;
  const [stage] = await transaction.query<{ type: StageType }>(
    sql`/* matches.stageType */ select type from stage where id = ${stageId}`,
  );
  return stage ? newSidesViolation(sport, stage.type, count, pointer) : null;
}
