/** Rejects writes into seasons that are cancelled or archived. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { allowedTransitions } from '../../../platform/writes/transition.ts';
import type { SeasonStatus } from '../generated/resolvers.ts';
import { seasonTransitions } from './rules.ts';

/** Throws Problem invalid_transition (409) for a cancelled or archived season. */
export function requireOpen(status: SeasonStatus): void {
  if (status !== 'CANCELLED' && status !== 'ARCHIVED') return;
  throw new Problem('invalid_transition', `The season is ${status}. Its parts and matches can no longer change.`, {
    state: status,
    allowedTransitions: allowedTransitions(seasonTransitions, status, ['OWNER']),
  });
}

/** The same check for the season of a match. */
export async function requireOpenSeason(transaction: Queryable, { seasonId }: { readonly seasonId: string }): Promise<void> {
  const [season] = await transaction.query<{ status: SeasonStatus }>(
    sql`/* matches.seasonStatus */ select status from season where id = ${seasonId}`,
  );
  if (season) requireOpen(season.status);
}
