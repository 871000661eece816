/** Reads the statistics of participants over their matches. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import type { Sport } from '../generated/resolvers.ts';
import { countingStatuses } from '../results/rows.ts';
import { seasonStatistics, type StatisticSum } from '../results/statistics.ts';

interface Sum {
  readonly id: string;
  readonly sport: Sport;
  readonly metric: string;
  readonly sum: number;
  readonly matches: number;
}

/** The statistics of each participant over its official results, in one statement. */
export function createParticipantStatistics(database: Queryable): BatchRead<string, StatisticSum[]> {
  return async (ids) => {
    const rows = await database.query<Sum>(sql`/* participants.statistics */
      select entry.participant_id as id, result.sport, value.key as metric, sum(value.value::numeric)::float8 as sum, count(*)::int as matches
      from match_participant entry join result on result.match_id = entry.match_id and result.status = any(${[...countingStatuses]}::text[])
      cross join lateral jsonb_each_text(entry.result -> 'statistics') as value
      where entry.participant_id = any(${[...ids]}::uuid[]) group by 1, 2, 3`);
    const byId = Map.groupBy(rows, ({ id }) => id);
    return ids.map((id) => {
      const own = byId.get(id) ?? [];
      const [first] = own;
      return first ? seasonStatistics(first.sport, new Map(own.map(({ metric, ...sum }) => [metric, sum]))) : [];
    });
  };
}
