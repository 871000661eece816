/** Matches that keep a season from being over. */
import { Problem } from '../../../schema/errors.ts';
import { join, raw, sql } from '../../../platform/database/database.ts';
import { allowedTransitions } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { openMatchStatuses } from '../matches/rules.ts';
import { seasonTransitions } from '../competitions/rules.ts';
import type { SeasonRow } from './reads.ts';

// As constants, not as parameters: so PostgreSQL sees that the index of open matches holds all of them.
const open = join(openMatchStatuses.map((status) => raw(`'${status}'`)));

const named = 5;

/** Throws Problem invalid_transition (409) for a locked season with matches that are not over, naming the first of them. */
export async function refuseOpenMatches(transaction: WriteTransaction, season: SeasonRow): Promise<void> {
  const rows = await transaction.query<{ id: string; count: number }>(sql`/* matches.open */
    select id, count(*) over () as count from match where season_id = ${season.id} and status in (${open})
    order by starts_at, id limit ${named}`);
  const [first] = rows;
  if (!first) return;
  const ids = rows.map(({ id }) => id);
  const what = first.count === 1 ? 'A match of the season is' : `${first.count} matches of the season are`;
  const detail = `${what} not over: ${ids.join(', ')}${first.count > ids.length ? ' …' : ''}. Finish, abandon, award or cancel first.`;
  throw new Problem('invalid_transition', detail, {
    state: season.status,
    allowedTransitions: allowedTransitions(seasonTransitions, season.status, ['OWNER']).filter((verb) => verb !== 'finish'),
    openMatches: first.count,
  });
}
