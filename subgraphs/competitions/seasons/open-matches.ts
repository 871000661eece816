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

/** A match that keeps a season from being finished. */
interface Unfinished {
  readonly id: string;
  /** Awarded without a result: the season would have no winner of it. */
  readonly undecided: boolean;
  readonly count: number;
}

/** Throws Problem invalid_transition (409) when a locked season has open matches, or awarded ones without a result. The error lists the first. */
export async function requireNoOpenMatches(transaction: WriteTransaction, season: SeasonRow): Promise<void> {
  const rows = await transaction.query<Unfinished>(sql`/* matches.open */
    select id, undecided, (count(*) over (partition by undecided))::int as count from (
      select id, starts_at, false as undecided from match where season_id = ${season.id} and status in (${open})
      union all select id, starts_at, true from match where season_id = ${season.id} and status = 'AWARDED'
        and not exists (select from result where match_id = match.id)
    ) as unfinished order by undecided, starts_at, id limit ${listedMax}`);
  const [first] = rows;
  if (!first) return;
  const { count, undecided } = first;
  const ids = rows.filter((row) => row.undecided === undecided).map(({ id }) => id);
  const kind = undecided ? 'awarded' : 'open';
  const what = `${count === 1 ? `1 ${kind} match` : `${count} ${kind} matches`}${undecided ? ' without a result' : ''}`;
  const advice = undecided
    ? 'Write and certify the result of each, with an `outcome` and the `endedBy.method` AWARDED.'
    : 'Finish, abandon, award or cancel every match first.';
  const detail = `The season has ${what}: ${ids.join(', ')}${count > ids.length ? ' …' : ''}. ${advice}`;
  throw new Problem('invalid_transition', detail, {
    state: season.status,
    allowedTransitions: allowedTransitions(seasonTransitions, season.status, ['OWNER']).filter((verb) => verb !== 'finish'),
    openMatches: count,
  });
}
