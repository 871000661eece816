/** What a match and its season allow: nothing is told of a match that has not begun, and nothing is played in a season that is over. */
import { Problem, type Violation } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { allowedTransitions } from '../../../platform/writes/transition.ts';
import { matchTransitions } from './rules.ts';
import { seasonTransitions } from '../competitions/rules.ts';
import type { MatchStatus, SeasonStatus } from '../resolvers.generated.ts';
import type { MatchRow } from './rows.ts';

/** Before the start nothing has happened, and in a match that was called off nothing will. */
const notBegun: readonly MatchStatus[] = ['SCHEDULED', 'TIMED', 'POSTPONED', 'CANCELLED'];

/** Throws Problem invalid_transition (409) for a match that has not begun; `what` it has none of: `actions`. */
export function requireBegun({ status }: MatchRow, what: string): void {
  if (!notBegun.includes(status)) return;
  const hint = status === 'CANCELLED' ? 'it was called off' : 'start it first';
  throw new Problem('invalid_transition', `A match that is ${status} has no ${what}: ${hint}.`, {
    state: status,
    allowedTransitions: allowedTransitions(matchTransitions, status, ['OWNER']),
  });
}

/** The fault of actions that are told with a match that has not begun. */
export function begunViolation({ status }: MatchRow, pointer: string): Violation | null {
  const detail = `A match that is ${status} has no actions: leave them out until it has begun.`;
  return notBegun.includes(status) ? { pointer, code: 'not_begun', detail } : null;
}

/** Throws Problem invalid_transition (409) for a season that was called off, or is kept as it was. */
export function refuseOver(status: SeasonStatus): void {
  if (status !== 'CANCELLED' && status !== 'ARCHIVED') return;
  throw new Problem('invalid_transition', `The season is ${status}: nothing is added to it, or played in it, any more.`, {
    state: status,
    allowedTransitions: allowedTransitions(seasonTransitions, status, ['OWNER']),
  });
}

/** The same for the season of a match. */
export async function refuseSeasonOver(transaction: Queryable, { seasonId }: Pick<MatchRow, 'seasonId'>): Promise<void> {
  const [season] = await transaction.query<{ status: SeasonStatus }>(
    sql`/* matches.seasonStatus */ select status from season where id = ${seasonId}`,
  );
  if (season) refuseOver(season.status);
}
