/** Leaderboards of a metric: rows sorted by value. Equal values share a rank, also across pages. */
import { Problem } from '../../../schema/errors.ts';
import { metric as metricRow } from '../../../schema/metrics.ts';
import { metricsOf, sportNames, type Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { fingerprintOf } from '../../../platform/lists/cursor.ts';
import { join, raw, sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { pageOf } from '../../../platform/lists/page.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import type {
  QueryAthleteStatisticsArgs,
  StatisticsFilter,
  StatisticsScope,
  StatisticsSort,
  StatisticsSource,
} from '../generated/resolvers.ts';
import { statisticsConditions, statisticsTables } from './filter.ts';
import { statistics, type StatisticsPage, type StatisticsRow } from './rows.ts';

type Direction = 'asc' | 'desc';

const bestFirst = (key: string): Direction => (metricRow(key)?.direction === 'LOWER_IS_BETTER' ? 'asc' : 'desc');

const directions: Partial<Record<StatisticsSort, (metric: string) => Direction>> = {
  VALUE_ASC: () => 'asc',
  VALUE_DESC: () => 'desc',
  BEST: bestFirst,
};

/** Whether a sort order is by value. */
export const isLeaderboard = (sort: StatisticsSort | null | undefined): boolean => !!sort && directions[sort] !== undefined;

const scopes: readonly StatisticsScope[] = ['MATCH', 'SEASON', 'CAREER'];

/** Leaderboards exclude self-reported values unless the filter names that source. */
const sources: readonly StatisticsSource[] = ['COMPUTED', 'PROVIDER'];

const sportsOf = (key: string): Sport[] => sportNames.filter((sport) => metricsOf(sport).some((each) => each.key === key));

/** Whether a filter matches few rows, so that sorting them is fast, or one season, whose index has the order. */
const isNarrow = ({ athleteId, matchId, seasonId, teamId }: StatisticsFilter): boolean =>
  !!(athleteId ?? matchId ?? teamId) || seasonId?.length === 1;

/** The conditions of the rows apart from the filters that select the parts: a second condition would make the planner underestimate the rows. */
function withoutParts(filter: StatisticsFilter): StatisticsFilter {
  if (isNarrow(filter)) return filter;
  return filter.seasonId ? { ...filter, seasonId: null } : { ...filter, competitionId: null };
}

/** The seasons of a competition as rows of `id`: one read of the index each, whatever the number of statistics. */
const seasonsOf = (competitionId: Sql): Sql => sql`with recursive season as (
    (select season_id as id from statistics where competition_id = ${competitionId} order by season_id limit 1)
    union all select (select s.season_id from statistics s where s.competition_id = ${competitionId} and s.season_id > season.id order by s.season_id limit 1)
      from season where season.id is not null
  ) select id from season where id is not null`;

function seasonsOfCompetitions(ids: readonly string[]): Sql {
  if (ids.length === 1) return seasonsOf(sql`${ids[0]}`);
  return sql`select distinct season.id from (select unnest(${[...ids]}::uuid[]) as id) as competition, lateral (${seasonsOf(sql`competition.id`)}) as season`;
}

/**
 * The parts of a leaderboard that an index returns in the order of values.
 * @param best selects the first rows that match a condition
 */
function partsOf(metric: string, filter: StatisticsFilter, best: (condition: Sql) => Sql): Sql {
  const { seasonId, competitionId, sport, scope, source } = filter;
  if (isNarrow(filter)) return best(sql`true`);
  const bestOf = (seasons: Sql): Sql =>
    sql`select r.* from (${seasons}) as part, lateral (${best(sql`statistic_metric.season_id = part.id`)}) r`;
  if (seasonId) return bestOf(sql`select distinct unnest(${[...seasonId]}::uuid[]) as id`);
  if (competitionId)
    return sql`${bestOf(seasonsOfCompetitions(competitionId))}
      union all (${best(sql`${oneOf(sql`statistics.competition_id`, competitionId)} and statistics.season_id is null`)})`;
  const ofPart = sql`statistic_metric.sport = part.sport and statistic_metric.scope = part.scope and statistic_metric.source = part.source`;
  return sql`select r.* from (select sport, scope, source from unnest(${sport ?? sportsOf(metric)}::text[]) sport, unnest(${scope ?? scopes}::text[]) scope,
      unnest(${source ?? sources}::text[]) source) as part, lateral (${best(ofPart)}) r`;
}

/** Not `source = 'COMPUTED'`: while few rows are computed, PostgreSQL would search those of everybody instead of the athlete's. */
const isComputed = sql`counted.source <> all('{PROVIDER,SELF_REPORTED}')`;

/** Conditions without a filter by source: no self-reported rows, and no provided row where the same season was computed. */
function sourceConditions(metric: string, source: readonly string[] | null | undefined): Sql[] {
  if (source) return [];
  return [
    oneOf(sql`statistic_metric.source`, sources),
    sql`not (statistic_metric.source = 'PROVIDER' and exists (select from statistics counted join statistic_metric m on m.statistics_id = counted.id and m.key = ${metric}
      where counted.athlete_id = statistics.athlete_id and ${isComputed} and counted.scope = statistics.scope and counted.sport = statistics.sport
        and counted.season_id is not distinct from statistics.season_id and counted.event_code is not distinct from statistics.event_code
        and (statistics.team_id is null or counted.team_id is not distinct from statistics.team_id)))`,
  ];
}

/** The place of a row: its value, the number of rows up to it, and its rank. */
type Place = readonly [value: number, listed: number, rank: number];

type RankedRow = StatisticsRow & { readonly place: Place };

function placed(rows: readonly (StatisticsRow & { readonly rankedBy: number })[], after: Place | null): RankedRow[] {
  let [last, listed, rank]: readonly [number | null, number, number] = after ?? [null, 0, 0];
  return rows.map(({ rankedBy, ...row }) => {
    listed += 1;
    if (rankedBy !== last) [last, rank] = [rankedBy, listed];
    return { ...row, rank, place: [rankedBy, listed, rank] };
  });
}

/** A page of a leaderboard. Throws Problem parameter_invalid (400) without a metric, and cursor_invalid (400). */
export async function readLeaderboard(
  { database, cursors }: ListServices,
  viewer: Viewer,
  { first, after, filter, sort }: QueryAthleteStatisticsArgs,
): Promise<StatisticsPage> {
  const metric = filter?.metric;
  if (!filter || !metric) {
    const detail =
      'The orders by value need `metric`, the number that is compared, such as `metric=goals`. GET /api/v1/sports lists the metrics.';
    throw new Problem('parameter_invalid', detail, { errors: [{ parameter: 'metric', code: 'required', detail }] });
  }
  const size = first ?? 20;
  const direction = (sort && directions[sort]?.(metric)) ?? 'desc';
  const fingerprint = fingerprintOf('statistics.leaderboard', [filter, direction, viewer.sport], null);
  // Cast: pageOf sealed the place and the ID, and the fingerprint binds the cursor to this list.
  const [place, id] = after ? (cursors.open(after, fingerprint) as [Place, string]) : [null, null];
  // columns of one table, so that a page after a cursor continues in its index
  const [column, rowId] = [sql`statistic_metric.value`, sql`statistic_metric.statistics_id`];
  const order = (value: Sql, row: Sql): Sql =>
    sql`order by ${value} ${raw(direction)}, ${row} ${raw(direction)} limit ${size + 1}`;
  const where = [...statisticsConditions(viewer, withoutParts(filter)), ...sourceConditions(metric, filter.source)];
  if (place)
    where.push(sql`(${column}, ${rowId}) ${raw(direction === 'asc' ? '>' : '<')} (${place[0]}::double precision, ${id}::uuid)`);
  const best = (condition: Sql): Sql => sql`select ${statistics.columns}, ${column} as "rankedBy" from ${statisticsTables(filter)}
    where ${join([...where, condition], ' and ')} ${order(column, rowId)}`;
  const rows = await database.query<StatisticsRow & { rankedBy: number }>(
    sql`/* statistics.leaderboard */ select r.* from (${partsOf(metric, filter, best)}) r ${order(sql`r."rankedBy"`, sql`r.id`)}`,
  );
  const pageOrder = { column, type: 'numeric', direction, value: (row: RankedRow) => row.place } as const;
  return pageOf(cursors, pageOrder, fingerprint, { first: size, after }, placed(rows, place));
}
