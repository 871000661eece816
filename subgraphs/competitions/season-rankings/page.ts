/** Reads a page of the stored rankings of a season, contest or stage, with their contests and stages, in one statement. */
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { columnName, type Table } from '../../../platform/database/table.ts';
import { join, raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { invalidResultMarks } from '../rankings/mark.ts';
import { contestResource, type ContestRow } from '../contests/rows.ts';
import { stageResource, type StageRow } from '../stages/rows.ts';
import type { SeasonRequest } from './filter.ts';
import { placeKey } from './record.ts';
import type { RankedPlace, RankingPlace } from './rows.ts';

/** The sort key of a row in a list: that of its ranking, then its own. */
export type RankingKey = readonly [
  contestOrdinal: number,
  contestId: string,
  ordinal: number,
  rankingId: string,
  position: number,
  invalid: number,
];

export type ListedPlace = RankingPlace & { readonly id: string; readonly key: RankingKey };

/** Rankings of a whole season sort before those of contests. */
const noContest = '00000000-0000-0000-0000-000000000000';
const beforeContests = -1;

export interface RankingHead extends Omit<RankingPlace, keyof RankedPlace> {
  readonly rankingId: string;
  readonly ordinal: number;
  readonly contestOrdinal: number | null;
}

/** A row of a ranking with its sort key in the list. */
export function listedPlace(head: RankingHead, row: RankedPlace): ListedPlace {
  const { rankingId, ordinal, contestOrdinal, ...scope } = head;
  const [position, invalid, id] = placeKey(row);
  const key = [contestOrdinal ?? beforeContests, scope.contestId ?? noContest, ordinal, rankingId, position, invalid] as const;
  return { ...scope, ...row, id, key };
}

/** The row of a joined table as JSON, in the format of the reads of its resource. */
function rowJson<Row extends { createdAt: string; updatedAt: string }>({ name, fields, columns }: Table<Row>): Sql {
  const times = ['createdAt', 'updatedAt'].filter((field) => Object.hasOwn(fields, field));
  const written = times.map(
    (field) =>
      sql`${field}::text, to_char(${raw(`${name}.${columnName(field)}`)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  );
  return sql`case when ${raw(`${name}.id`)} is not null then
    (select to_jsonb(r) from (select ${columns}) r) || jsonb_build_object(${join(written, ', ')}) end`;
}

/** The seasons that the viewer can read. */
export function visibleSeasons(viewer: Viewer): Sql {
  const owned = sql`(season.published or season.account_id = ${viewer.accountId}::uuid)`;
  return sql`${hasFullAccess(viewer) ? sql`true` : owned} and ${viewer.sport === null ? sql`true` : sql`season.sport = ${viewer.sport}`}`;
}

/** The season of a request. A stage or contest of another season selects no season. */
export function seasonOf({ seasonId, contestId, stageId }: SeasonRequest, viewer: Viewer): Sql {
  const where = [visibleSeasons(viewer)];
  if (seasonId !== null) where.push(sql`season.id = ${seasonId}`);
  if (contestId !== null) where.push(sql`exists (select from contest c where c.id = ${contestId} and c.season_id = season.id)`);
  if (stageId !== null) {
    const ofContest = contestId === null ? sql`true` : sql`s.contest_id = ${contestId}`;
    where.push(sql`exists (select from stage s where s.id = ${stageId} and s.season_id = season.id and ${ofContest})`);
  }
  // Each of these conditions finds the season by an index.
  if (seasonId === null && stageId !== null) where.push(sql`season.id = (select season_id from stage where id = ${stageId})`);
  else if (seasonId === null) where.push(sql`season.id = (select season_id from contest where id = ${contestId})`);
  return sql`select season.id from season where ${join(where, ' and ')}`;
}

const order = sql`coalesce(contest.ordinal, ${beforeContests}::int), coalesce(ranking.contest_id, ${noContest}::uuid), ranking.ordinal, ranking.id`;
const invalidOrder = sql`case when row ->> 'position' is null and row ->> 'invalidResultMark' is not null
  then array_position(${[...invalidResultMarks]}::text[], row ->> 'invalidResultMark') - 1 else ${invalidResultMarks.length}::int end`;

interface RankingWithRows extends Omit<RankingHead, 'contest' | 'stage'> {
  readonly contest: ContestRow | null;
  readonly stage: StageRow | null;
  readonly rows: readonly RankedPlace[] | null;
}

/** The columns of listed rankings with some of their rows. */
const listedRankings = (
  rows: Sql,
): Sql => sql`select ranking.id as "rankingId", ranking.ordinal, contest.ordinal as "contestOrdinal",
  ranking.method, ranking.contest_id as "contestId", ranking.stage_id as "stageId", ranking.group_name as "groupName", ranking.classification,
  ${rows} as rows, ${rowJson(contestResource.table)} as contest, ${rowJson(stageResource.table)} as stage`;

/** The rows of rankings; null where the viewer cannot read the season, which has no row then. */
function placesOf(read: readonly RankingWithRows[]): ListedPlace[] | null {
  if (read.length === 0) return null;
  return read.flatMap(({ rows, ...head }) => (rows ?? []).map((row) => listedPlace(head, row)));
}

interface Position {
  readonly key: RankingKey;
  readonly id: string;
}

function rankingConditions({ contestId, stageId, group, type, classification }: SeasonRequest): Sql[] {
  const where = [sql`ranking.type = ${type}`];
  if (contestId !== null) where.push(sql`ranking.contest_id = ${contestId}`);
  if (stageId !== null) where.push(sql`ranking.stage_id = ${stageId}`);
  if (group !== null) where.push(sql`ranking.group_name = ${group}`);
  if (classification !== null) where.push(sql`ranking.classification = ${classification}`);
  return where;
}

/** The first rows of a ranking, or in the ranking of a position those after it. */
function pageRows(limit: number, after: Position | null): Sql {
  const first = sql`jsonb_path_query_array(ranking.rows, ${`$[0 to ${limit - 1}]`}::jsonpath)`;
  if (!after) return first;
  const [, , , rankingId, position, invalid] = after.key;
  return sql`case when ranking.id <> ${rankingId}::uuid then ${first} else (select coalesce(jsonb_agg(row order by n), '[]') from (
    select row, n from jsonb_array_elements(ranking.rows) with ordinality as each(row, n)
    where (coalesce((row ->> 'position')::int, 1000000000), ${invalidOrder}, (row ->> 'participantId')::uuid)
      > (${position}::int, ${invalid}::int, ${after.id}::uuid) order by n limit ${limit}) as later) end`;
}

/**
 * The rows after a key, in order: at least `limit` rows if there are that many. Null where the viewer cannot read the season.
 * The statement selects rankings by their row counts before it expands their rows, so the cost depends on the page and not on the season.
 */
export async function readListed(
  database: Queryable,
  viewer: Viewer,
  request: SeasonRequest,
  limit: number,
  after: Position | null,
): Promise<ListedPlace[] | null> {
  const where = rankingConditions(request);
  const [contestOrdinal, contest, ordinal, rankingId] = after?.key ?? [];
  if (after) where.push(sql`(${order}) >= (${contestOrdinal}::int, ${contest}::uuid, ${ordinal}::int, ${rankingId}::uuid)`);
  const rows = pageRows(limit, after);
  const read = await database.query<RankingWithRows>(sql`/* rankings.list */
    with scope as (${seasonOf(request, viewer)}), place as (
      select ranking.id, sum(ranking.row_count) over (order by ${order}) - ranking.row_count as before,
        ${after ? sql`first_value(ranking.row_count) over (order by ${order})` : sql`0`} as started
      from scope join ranking on ranking.season_id = scope.id left join contest on contest.id = ranking.contest_id
      where ${join(where, ' and ')})
    ${listedRankings(rows)}
    from scope left join (place join ranking on ranking.id = place.id) on place.before < ${limit} + place.started
    left join contest on contest.id = ranking.contest_id left join stage on stage.id = ranking.stage_id
    order by ${order}`);
  return placesOf(read);
}

/**
 * All rows of some teams, in the order of their rankings. Null where the viewer cannot read the season. A vacated place belongs to no team.
 */
export async function readTeamRows(
  database: Queryable,
  viewer: Viewer,
  request: SeasonRequest,
  teamIds: readonly string[],
): Promise<ListedPlace[] | null> {
  const read = await database.query<RankingWithRows>(sql`/* rankings.ofTeams */
    with scope as (${seasonOf(request, viewer)}), own as (
      select ranking.id, jsonb_agg(row order by n) as rows
      from scope join ranking on ranking.season_id = scope.id cross join lateral jsonb_array_elements(ranking.rows) with ordinality as each(row, n)
      where ${join(rankingConditions(request), ' and ')} and not (row ->> 'vacated')::boolean and (row ->> 'participantId')::uuid in (
        select participant.id from participant where participant.season_id = scope.id and participant.team_id = any(${[...teamIds]}::uuid[]))
      group by ranking.id)
    ${listedRankings(sql`own.rows`)}
    from scope left join (own join ranking on ranking.id = own.id) on true
    left join contest on contest.id = ranking.contest_id left join stage on stage.id = ranking.stage_id
    order by ${order}`);
  return placesOf(read);
}
