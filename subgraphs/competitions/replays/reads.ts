/** Reads replays from the database. Replays show persons and expire, so shared caches do not store them. */
import { reviewCountMax } from '../../../schema/review-counts.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { containsOneOf, oneOf } from '../../../platform/database/one-of.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { sortBy, type Sort } from '../../../platform/lists/page.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readableAthleteIds } from '../../clients/administrator-reads.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryReplaysArgs, ReplayFilter, ReplaySort } from '../generated/resolvers.ts';
import { createReplayPages } from './pages.ts';
import { replayResource, replays, replayTags, type ReplayPage, type ReplayRow, type ReplayTagRow } from './rows.ts';
import { administratorReads, isReplayVisible, listConditions } from './visibility.ts';

const sorts: Readonly<Record<ReplaySort, Sort<ReplayRow>>> = {
  CREATED_AT_DESC: sortBy(replays, 'createdAt', 'timestamptz', 'desc'),
  CREATED_AT_ASC: sortBy(replays, 'createdAt', 'timestamptz', 'asc'),
  UPDATED_AT_ASC: sortBy(replays, 'updatedAt', 'timestamptz', 'asc'),
};

/** The array is evaluated first: the planner cannot estimate the number of replays of several athletes. */
function showing(athleteIds: readonly string[]): Sql {
  if (athleteIds.length <= 1) return containsOneOf(sql`replay.athlete_ids`, athleteIds);
  return sql`replay.id = any(array(select r.id from replay r where ${containsOneOf(sql`r.athlete_ids`, athleteIds)}))`;
}

function conditions(viewer: Viewer, filter: ReplayFilter): Sql[] {
  const where = listConditions(viewer, filter);
  if (viewer.sport) where.push(sql`replay.sport = ${viewer.sport}`);
  if (filter.matchId) where.push(oneOf(sql`replay.match_id`, filter.matchId));
  if (filter.seasonId) where.push(oneOf(sql`replay.season_id`, filter.seasonId));
  if (filter.athleteId) where.push(showing(filter.athleteId));
  if (filter.sport) where.push(sql`replay.sport = any(${filter.sport})`);
  if (filter.kind) where.push(sql`replay.kind = any(${filter.kind})`);
  if (filter.language) where.push(sql`replay.language = any(${filter.language})`);
  return where;
}

/** The filter without athletes that the viewer cannot read: they match nothing, like unknown IDs. */
async function visibleFilter(context: Context, filter: ReplayFilter): Promise<ReplayFilter> {
  const { athleteId } = filter;
  if (!athleteId) return filter;
  const visible = await readableAthleteIds(context, athleteId, 'COMPETITIONS');
  return { ...filter, athleteId: athleteId.filter((id) => visible.has(id)) };
}

/** Creates the reads of replays. */
export function createReplayReads(services: ListServices) {
  const { database } = services;
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<ReplayRow[]> =>
    queryable.query<ReplayRow>(
      sql`/* replays.byIds */ select ${replays.columns} from replay where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );

  /** By id, in the order of the keys; null where the viewer cannot read the replay. */
  const byId: BatchRead<string, ReplayRow | null> = async (ids, context) => {
    const { viewer, notes } = context;
    notes.person = true;
    notes.expires = true;
    const rows = (await read(ids)).filter((row) => isReplayVisible(row, viewer));
    return inOrder(ids, await administratorReads.rows(context, rows), (row) => row.id);
  };

  /** By id in any state, for the responses to moderators. */
  const moderated: BatchRead<string, ReplayRow | null> = async (ids) => inOrder(ids, await read(ids), (row) => row.id);

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'replay', ids);

  /** The tags of many replays in one statement, in the order of their time in the recording. */
  const tags: BatchRead<string, ReplayTagRow[]> = async (ids) => {
    const rows = await database.query<ReplayTagRow>(sql`/* replays.tags */ select ${replayTags.columns} from replay_tag
      where replay_id = any(${[...ids]}::uuid[]) order by at_ms nulls first, id`);
    const byReplay = Map.groupBy(rows, (row) => row.replayId);
    return ids.map((id) => byReplay.get(id) ?? []);
  };

  /** The athletes in existing replays of an account, found by the first external ID of each item. */
  async function athletesOfExternal(
    accountId: string,
    items: readonly { readonly externalIds?: readonly ExternalId[] | null | undefined }[],
  ): Promise<string[]> {
    const first = items.flatMap(({ externalIds: ids }) => ids?.slice(0, 1) ?? []);
    const rows = await database.query<{ id: string }>(sql`/* replays.athletesOfExternal */
      select distinct unnest(r.athlete_ids) as id from jsonb_to_recordset(${JSON.stringify(first)}::jsonb) as f(scheme text, value text)
      join external_id e on e.resource_type = 'replay' and e.account_id = ${accountId} and e.scheme = f.scheme and e.value = f.value
      join replay r on r.id = e.resource_id`);
    return rows.map(({ id }) => id);
  }

  return {
    ...createReplayPages(services),
    read,
    byId,
    moderated,
    externalIds,
    tags,
    athletesOfExternal,
    /** The replays that wait for a moderator, at most `reviewCountMax`. The status is a literal, to match the partial index. */
    async countForReview(): Promise<number> {
      const [row] = await database.query<{ count: number }>(sql`/* replays.countForReview */
        select count(*)::int as count from (select from replay where status = 'REVIEW' limit ${reviewCountMax}) waiting`);
      return row?.count ?? 0;
    },
    async list(context: Context, args: QueryReplaysArgs): Promise<ReplayPage> {
      const { viewer, notes } = context;
      notes.person = true;
      notes.expires = true;
      const sort = args.sort ?? 'CREATED_AT_DESC';
      const where = conditions(viewer, await visibleFilter(context, args.filter ?? {}));
      const list = { name: 'replays.list', resource: replayResource, where, sort: sorts[sort], order: sort };
      return administratorReads.page(context, await readList(services, list, viewer, args));
    },
  };
}

export type ReplayReads = ReturnType<typeof createReplayReads>;
