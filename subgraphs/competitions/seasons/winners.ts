/** Reads the winner of a season: the champion of its last knock-out stage, or the first of its last table. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { BracketReads } from '../brackets/reads.ts';
import type { StageType } from '../generated/resolvers.ts';
import type { ParticipantRow } from '../participants/rows.ts';
import type { SeasonRow } from './rows.ts';

interface LastStage {
  readonly seasonId: string;
  readonly stageId: string;
  readonly type: StageType;
  /** Null where the first place is shared, or there are several tables. */
  readonly firstId: string | null;
}

/** Creates the read of winners. */
export function createWinnerReads(
  database: Queryable,
  brackets: BracketReads,
  participantsById: BatchRead<string, ParticipantRow | null>,
) {
  /** The last stage of each season that has a single contest. */
  const lastStages: BatchRead<string, LastStage | null> = async (ids) => {
    const rows = await database.query<LastStage>(sql`/* seasons.lastStages */
      select distinct on (stage.season_id) stage.season_id as "seasonId", stage.id as "stageId", stage.type,
        (select case when count(*) = 1 then min(place ->> 'participantId') end
          from ranking cross join lateral jsonb_array_elements(ranking.rows) as place
          where ranking.stage_id = stage.id and ranking.type = 'TOTAL' and ranking.classification is null
            and (place -> 'position')::text = '1') as "firstId"
      from stage where stage.season_id = any(${[...ids]}::uuid[])
        and (select count(*) from contest where contest.season_id = stage.season_id) = 1
      order by stage.season_id, stage.ordinal desc, stage.id desc`);
    const bySeason = new Map(rows.map((row) => [row.seasonId, row]));
    return ids.map((id) => bySeason.get(id) ?? null);
  };

  return {
    /** Null until the season is finished. */
    async read(context: Context, season: SeasonRow): Promise<ParticipantRow | null> {
      if (season.status !== 'FINISHED' && season.status !== 'ARCHIVED') return null;
      const last = await context.load(lastStages, season.id);
      if (!last) return null;
      const isKnockout = last.type === 'KNOCKOUT';
      const id = isKnockout ? await context.load(brackets.champions, season.id) : last.firstId;
      return id === null ? null : context.load(participantsById, id);
    },
  };
}
