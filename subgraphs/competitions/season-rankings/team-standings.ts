/** Reads the rows of many teams in the tables of their seasons, in one statement. */
import { fingerprintOf } from '../../../platform/lists/cursor.ts';
import { sql } from '../../../platform/database/database.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import { pageOf, type Sort } from '../../../platform/lists/page.ts';
import type { PageKey } from '../../../platform/lists/nested-pages.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import { visibleSeasons } from './page.ts';
import type { RankedPlace, RankingPage, RankingPlace } from './rows.ts';

interface StandingRow {
  readonly teamId: string;
  readonly startDate: string;
  readonly id: string;
  readonly row: RankedPlace;
  readonly head: Omit<RankingPlace, keyof RankedPlace>;
}

type Standing = RankingPlace & { readonly id: string; readonly startDate: string };

/** Latest season first; tables of one season by id. */
const latestFirst: Sort<Standing> = {
  column: sql`season.start_date`,
  type: 'date',
  direction: 'desc',
  value: ({ startDate }) => startDate,
};

/** Creates the read of team standings. */
export function createTeamStandings({ database, cursors }: ListServices) {
  const fingerprint = (owner: string): string => fingerprintOf('teams.standings', owner, null);

  const pagesOfTeams: BatchRead<PageKey, RankingPage> = async (keys, { viewer }) => {
    const wanted = keys.map(({ owner, first, after }) => {
      const [startDate = null, id = null] = after ? cursors.open(after, fingerprint(owner)) : [];
      return { team: owner, first: first + 1, start_date: startDate, after: id };
    });
    const read = await database.query<StandingRow>(sql`/* teams.standings */
      select wanted.team as "teamId", page.* from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as wanted(team uuid, first int, start_date date, after uuid), lateral (
        select season.start_date as "startDate", ranking.id, row, jsonb_build_object('method', ranking.method, 'contestId', ranking.contest_id,
          'stageId', ranking.stage_id, 'groupName', ranking.group_name, 'classification', null) as head
        from participant join season on season.id = participant.season_id and season.status <> 'ARCHIVED' and ${visibleSeasons(viewer)}
        join ranking on ranking.season_id = season.id and ranking.type = 'TOTAL' and ranking.method = 'TABLE'
        cross join lateral jsonb_array_elements(ranking.rows) as row
        where participant.team_id = wanted.team and (row ->> 'participantId')::uuid = participant.id
          and (wanted.after is null or (season.start_date, ranking.id) < (wanted.start_date, wanted.after))
        order by season.start_date desc, ranking.id desc limit wanted.first) page`);
    const byTeam = Map.groupBy(read, ({ teamId }) => teamId);
    return keys.map(({ owner, first, after }): RankingPage => {
      const rows = (byTeam.get(owner) ?? []).map(({ startDate, id, row, head }) => ({ ...head, ...row, id, startDate }));
      return pageOf(cursors, latestFirst, fingerprint(owner), { first, after }, rows);
    });
  };

  return { pagesOfTeams };
}
