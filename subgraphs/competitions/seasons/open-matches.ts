/** Prevents a season from being finished while matches are open. */
import { Problem } from '../../../schema/errors.ts';
import { join, raw, sql } from '../../../platform/database/database.ts';
import { allowedTransitions } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { openMatchStatuses } from '../matches/rules.ts';
import { seasonTransitions } from './rules.ts';
import type { SeasonRow } from './rows.ts';

// Constants instead of parameters: only then can PostgreSQL use the partial index on open matches.
const open = join(openMatchStatuses.map((status) => raw(`'${status}'`)));

const listedMax = 5;

/** Throws Problem invalid_transition (409) when a locked season has open matches. The error lists the first of them. */
export async function requireNoOpenMatches(transaction: WriteTransaction, season: SeasonRow): Promise<void> {
  const rows = await transaction.query<{ id: string; count: number }>(sql`/* matches.open */
    select id, count(*) over () as count from match where season_id = ${season.id} and status in (${open})
    order by starts_at, id limit ${listedMax}`);
  const [first] = rows;
  if (!first) return;
  const ids = rows.map(({ id }) => id);
  const count = first.count === 1 ? '1 open match' : `${first.count} open matches`;
  const detail = `The season has ${count}: ${ids.join(', ')}${first.count > ids.length ? ' …' : ''}. Finish, abandon, award or cancel every match first.`;
  throw new Problem('invalid_transition', detail, {
    state: season.status,
    allowedTransitions: allowedTransitions(seasonTransitions, season.status, ['OWNER']).filter((verb) => verb !== 'finish'),
    openMatches: first.count,
  });
}
