/** How many take part in a match: where two sides meet, nobody else comes. */
import type { Violation } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { StageType } from '../resolvers.generated.ts';
import type { MatchParticipantRow, MatchRow } from '../matches/rows.ts';

/** All places of a match are shown with it, so that there is an end to them. */
export const entriesMax = 500;

/** Who is in a race or an event is in it with all others, also where a series of them is a league. */
const contestedByAll: readonly Sport[] = ['ATHLETICS', 'SWIMMING', 'CYCLING'];

const stagesOfTwo: readonly StageType[] = ['LEAGUE', 'GROUP', 'KNOCKOUT', 'QUALIFYING'];

const meetsByTwo = (sport: Sport, stage: StageType): boolean => stagesOfTwo.includes(stage) && !contestedByAll.includes(sport);

const twoSides = (pointer: string, why: string): Violation => ({
  pointer,
  code: 'two_sides',
  detail: `${why}: it takes no third one. Take one of them off first, or make another match.`,
});

/** The fault of a third side in a new match of a stage; `pointer` is the one of that side. */
export function newSidesViolation(sport: Sport, stage: StageType, count: number, pointer: string): Violation | null {
  return count > 2 && meetsByTwo(sport, stage)
    ? twoSides(pointer, `In a stage of type ${stage} a match is one of two sides`)
    : null;
}

/** The same of a match that is there: also where its result says who won, who lost, and that is all. */
export async function sidesViolation(
  transaction: Queryable,
  { sport, stageId }: MatchRow,
  stored: readonly MatchParticipantRow[],
  count: number,
  pointer: string,
): Promise<Violation | null> {
  if (count <= Math.max(stored.length, 1)) return null;
  if (stored.some(({ result }) => result !== null && result.outcome !== null))
    return twoSides(pointer, 'The match has a result of those who take part in it');
  if (count <= 2) return null;
  const [stage] = await transaction.query<{ type: StageType }>(
    sql`/* matches.stageType */ select type from stage where id = ${stageId}`,
  );
  return stage ? newSidesViolation(sport, stage.type, count, pointer) : null;
}
