/** Reads match actions from the database. */
import { scoresGoals } from '../../../schema/action-types.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import { groupByMatch } from '../matches/group-by-match.ts';
import type { MatchReads } from '../matches/reads.ts';
import type { MatchRow } from '../matches/rows.ts';
import { matchActionResource, type MatchActionRow } from './rows.ts';

const { columns } = matchActionResource.table;

/** Actions of matches in the order in which they happened. */
export function readActions(queryable: Queryable, matchIds: readonly string[]): Promise<MatchActionRow[]> {
  return queryable.query<MatchActionRow>(sql`/* matches.actions */ select ${columns} from match_action
    where match_id = any(${[...matchIds]}::uuid[])
    order by match_id, period nulls last, minute nulls last, added_minute nulls first, clock_ms nulls last, created_at, id`);
}

/** Whether each goal of a match is one point of its score. */
export async function countsGoals(queryable: Queryable, { sport, competitionId }: MatchRow): Promise<boolean> {
  if (sport !== 'HANDBALL') return scoresGoals(sport, null);
  const [competition] = await queryable.query<{ discipline: string | null }>(
    sql`/* matches.discipline */ select discipline from competition where id = ${competitionId}`,
  );
  return scoresGoals(sport, competition?.discipline ?? null);
}

/** Creates the reads of match actions. */
export function createMatchActionReads({ database }: ListServices, matches: Pick<MatchReads, 'byId'>) {
  const ofMatches: BatchRead<string, MatchActionRow[]> = async (ids) => groupByMatch(ids, await readActions(database, ids));

  const byId: BatchRead<string, MatchActionRow | null> = async (ids) => {
    const rows = await database.query<MatchActionRow>(
      sql`/* matches.actionsByIds */ select ${columns} from match_action where id = any(${[...ids]}::uuid[])`,
    );
    return inOrder(ids, rows, (row) => row.id);
  };

  return {
    ofMatches,
    /** An action of a match; null where the viewer cannot read the match, and for an action of another match. */
    async one({ load }: Context, matchId: string, id: string): Promise<MatchActionRow | null> {
      const [match, action] = await Promise.all([load(matches.byId, matchId), load(byId, id)]);
      return match && action?.matchId === matchId ? action : null;
    },
  };
}

export type MatchActionReads = ReturnType<typeof createMatchActionReads>;
