/** Reads rankings. Current rankings are stored. Rankings of a date or matchday, live rankings and tables over all groups are computed from the same facts. */
import { Problem } from '../../../schema/errors.ts';
import { fingerprintOf } from '../../../platform/lists/cursor.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import { pageOf, type Sort } from '../../../platform/lists/page.ts';
import { isTeamVisible, teamsById } from '../../clients/team-facts.ts';
import type { Context } from '../../runtime/subgraph.ts';
import { readBestMarks, type MarkKey } from '../best-marks/reads.ts';
import type { CompetitionReads } from '../competitions/reads.ts';
import { ascending } from '../rankings/placing.ts';
import type { QueryRankingsArgs } from '../generated/resolvers.ts';
import { readRankingRequest, type RankingRequest, type SeasonRequest } from './filter.ts';
import { listedPlace, readListed, readTeamRows, seasonOf, type ListedPlace, type RankingKey } from './page.ts';
import { readRolling } from './rolling-reads.ts';
import type { RankingPage, RankingPlace } from './rows.ts';
import { rankTouched, stagesOf, touchedBy } from './scope.ts';
import { readFacts, readStructures } from './season-facts.ts';

const pageSize = 20;

/** Maximum number of matches that a request computes a ranking from. */
const matchesMax = 5_000;

interface Position<Key extends RankingKey | MarkKey> {
  readonly key: Key;
  readonly id: string;
}

type Placed = RankingPlace & Position<RankingKey | MarkKey>;

/** The rows are already sorted. Only `value`, the content of the cursor, is used. */
const byKey: Sort<Placed> = { column: sql`key`, type: 'int', direction: 'asc', value: ({ key }) => key };

function compareKeys(one: Placed, key: readonly (number | string)[], id: string): number {
  const own: readonly (number | string)[] = [...one.key, one.id];
  const other = [...key, id];
  return own.map((each, index) => ascending(each, other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Throws Problem parameter_invalid (400) where a ranking would be computed from too many matches. */
async function requireComputable(database: Queryable, stageIds: readonly string[]): Promise<void> {
  const [size] = await database.query<{ matches: number }>(sql`/* rankings.size */ select count(*)::int as matches from (
    select from match where stage_id = any(${[...stageIds]}::uuid[]) and parent_id is null limit ${matchesMax + 1}) as counted`);
  if (!size || size.matches <= matchesMax) return;
  const detail = `The ranking would be computed from more than ${matchesMax} matches. Set \`contestId\` or \`stageId\`.`;
  throw new Problem('parameter_invalid', detail, { errors: [{ parameter: 'stageId', code: 'required', detail }] });
}

/** All rows of a request, computed from facts; null where the viewer cannot read the season. */
async function compute(database: Queryable, { viewer }: Context, request: SeasonRequest): Promise<ListedPlace[] | null> {
  const { contestId, stageId, group, type, classification } = request;
  const [season] = await database.query<{ id: string }>(sql`/* rankings.season */ ${seasonOf(request, viewer)}`);
  const [structure] = season ? await readStructures(database, [season.id]) : [];
  if (!structure) return null;
  const scope = { seasonId: structure.season.id, contestId, stageId, groupName: null };
  const touched = touchedBy(structure, [scope]);
  const stageIds = stagesOf(structure, touched);
  await requireComputable(database, stageIds);
  const facts = await readFacts(database, structure, stageIds);
  const ordinals = new Map(structure.contests.map(({ id, ordinal }) => [id, ordinal]));
  return rankTouched(facts, touched, { ...request, overall: type === 'OVERALL' })
    .filter((ranking) => ranking.type === type && (contestId === null || ranking.contestId === contestId))
    .filter((ranking) => (stageId === null || ranking.stageId === stageId) && (group === null || ranking.groupName === group))
    .filter((ranking) => classification === null || ranking.classification === classification)
    .flatMap(({ rows, ...ranking }) => {
      const contestOrdinal = ranking.contestId === null ? null : (ordinals.get(ranking.contestId) ?? 0);
      const head = {
        rankingId: ranking.id,
        ordinal: ranking.ordinal,
        contestOrdinal,
        method: ranking.method,
        contestId: ranking.contestId,
        stageId: ranking.stageId,
        groupName: ranking.groupName,
        classification: ranking.classification,
      };
      return rows.map((row) => listedPlace(head, row));
    })
    .toSorted((one, other) => compareKeys(one, other.key, other.id));
}

/** The rows of some teams, computed from facts. A vacated place belongs to no team. */
async function computeOfTeams(
  database: Queryable,
  context: Context,
  request: SeasonRequest,
  teamIds: readonly string[],
): Promise<ListedPlace[] | null> {
  const rows = await compute(database, context, request);
  if (!rows) return null;
  const ids = rows.map(({ participantId }) => participantId);
  const own = await database.query<{ id: string }>(sql`/* rankings.participantsOfTeams */
    select id from participant where id = any(${ids}::uuid[]) and team_id = any(${[...teamIds]}::uuid[])`);
  const known = new Set(own.map(({ id }) => id));
  return rows.filter(({ participantId, vacated }) => !vacated && known.has(participantId));
}

/** A team that the viewer cannot read has no rows, the same as an unknown ID. */
async function visibleTeamIds(context: Context, teamIds: readonly string[]): Promise<string[]> {
  const teams = await teamsById(context, [...teamIds]);
  return teamIds.filter((id) => isTeamVisible(teams.get(id), context.viewer));
}

/** At most `limit` of the sorted rows after a position. */
const pageAfter = (rows: readonly ListedPlace[], limit: number, after: Position<RankingKey> | null): ListedPlace[] =>
  rows.filter((row) => !after || compareKeys(row, after.key, after.id) > 0).slice(0, limit);

/** The position of a cursor. */
const positionOf = <Key extends RankingKey | MarkKey>(opened: readonly unknown[] | null): Position<Key> | null =>
  // Cast: pageOf sealed the key, and the fingerprint binds the cursor to its request.
  opened && { key: opened[0] as Key, id: String(opened[1]) };

/** Creates the reads of rankings. */
export function createRankingReads({ database, cursors }: ListServices, competitions: CompetitionReads) {
  async function rowsOf(
    context: Context,
    request: RankingRequest,
    limit: number,
    opened: readonly unknown[] | null,
  ): Promise<readonly Placed[] | null> {
    if (request.kind === 'MARKS') return readBestMarks(database, context, request, limit, positionOf<MarkKey>(opened));
    const after = positionOf<RankingKey>(opened);
    if (request.kind === 'ROLLING') {
      const rows = await readRolling(database, context, competitions, request);
      return rows && pageAfter(rows, limit, after);
    }
    const isStored = request.asOf === null && request.matchday === null && !request.live && request.type !== 'OVERALL';
    if (request.teamIds !== null) {
      const teamIds = await visibleTeamIds(context, request.teamIds);
      const rows = isStored
        ? await readTeamRows(database, context.viewer, request, teamIds)
        : await computeOfTeams(database, context, request, teamIds);
      return rows && pageAfter(rows, limit, after);
    }
    if (isStored) return readListed(database, context.viewer, request, limit, after);
    const rows = await compute(database, context, request);
    return rows && pageAfter(rows, limit, after);
  }

  return {
    /**
     * A page of a ranking; null where the viewer cannot read the season or the competition.
     * Throws Problem parameter_invalid (400) for a filter that selects no ranking or several ones, and cursor_invalid (400).
     */
    async list(context: Context, { first = pageSize, after, filter }: QueryRankingsArgs): Promise<RankingPage | null> {
      const request = readRankingRequest(filter);
      const fingerprint = fingerprintOf('rankings.list', [request, context.viewer.sport], null);
      const opened = after ? cursors.open(after, fingerprint) : null;
      const rows = await rowsOf(context, request, first + 1, opened);
      return rows && pageOf(cursors, byKey, fingerprint, { first, after }, rows.slice(0, first + 1));
    },
  };
}
