/** Replays: the SQL of their reads. Writes: replay-writes.ts. */
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { sortBy, type Sort } from '../../../platform/lists/page.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { athletesById, visibleAthleteIds, isAthleteVisible } from '../../clients/athlete-facts.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import { moderates, statusAt } from './rules.ts';
import type { QueryReplaysArgs, ReplayFilter, ReplaySort, ReplayStatus } from '../resolvers.generated.ts';
import { replayResource, replays, replayTags, type ReplayPage, type ReplayRow, type ReplayTagRow } from './rows.ts';

const sorts: Readonly<Record<ReplaySort, Sort<ReplayRow>>> = {
  CREATED_AT_DESC: sortBy(replays, 'createdAt', 'timestamptz', 'desc'),
  CREATED_AT_ASC: sortBy(replays, 'createdAt', 'timestamptz', 'asc'),
  UPDATED_AT_ASC: sortBy(replays, 'updatedAt', 'timestamptz', 'asc'),
};

const lasts = sql`(replay.expires_at is null or replay.expires_at > now())`;

/** Seen by everybody: the first part alone decides which index is read. */
const shown = sql`replay.published and ${lasts}`;

/** replay-rules.ts statusAt, in SQL. */
const statusNow = sql`case when replay.status in ('PUBLISHED', 'REVIEW') and not ${lasts} then 'EXPIRED' else replay.status end`;

/** As they are shown; as they are stored as well, which decides which index is read. */
function inStates(states: readonly ReplayStatus[] | null | undefined): Sql[] {
  if (!states) return [];
  const stored = states.includes('EXPIRED') ? [...states, 'PUBLISHED', 'REVIEW'] : states;
  return [oneOf(sql`replay.status`, stored), sql`${statusNow} = any(${[...states]})`];
}

/** Everybody sees what is published; moderators also what waits for them, and the owner his own in any state. */
function visible(viewer: Viewer, { mine, status }: ReplayFilter): Sql[] {
  if (mine) return [sql`replay.account_id = ${requireAccount(viewer)}`, ...inStates(status)];
  if (hasFullAccess(viewer)) return inStates(status);
  const [published, waiting] = [!status || status.includes('PUBLISHED'), moderates(viewer) && status?.includes('REVIEW')];
  const review = sql`replay.status = 'REVIEW' and ${lasts}`;
  if (published) return waiting ? [sql`((${shown}) or (${review}))`] : [shown];
  return [waiting ? review : sql`false`];
}

function conditions(viewer: Viewer, filter: ReplayFilter): Sql[] {
  const where = visible(viewer, filter);
  if (viewer.sport) where.push(sql`replay.sport = ${viewer.sport}`);
  if (filter.matchId) where.push(sql`replay.match_id = ${filter.matchId}`);
  if (filter.seasonId) where.push(sql`replay.season_id = ${filter.seasonId}`);
  if (filter.athleteId) where.push(sql`replay.athlete_ids @> array[${filter.athleteId}]::uuid[]`);
  if (filter.sport) where.push(sql`replay.sport = any(${filter.sport})`);
  if (filter.kind) where.push(sql`replay.kind = any(${filter.kind})`);
  if (filter.language) where.push(sql`replay.language = any(${filter.language})`);
  return where;
}

/** A filter by an athlete whom the viewer may not know finds nothing, as one by an unknown id. */
async function hiddenAthlete(context: Context, athleteId: string | null | undefined): Promise<Sql[]> {
  if (!athleteId || hasFullAccess(context.viewer)) return [];
  const athletes = await athletesById(context, [athleteId]);
  return isAthleteVisible(athletes.get(athleteId), context.viewer) ? [] : [sql`false`];
}

/** Reads of replays over the area's database. They show people, and end in a moment: no cache keeps what they say for others. */
export function createReplayStore({ database, cursors }: ListServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<ReplayRow[]> =>
    queryable.query<ReplayRow>(
      sql`/* replays.byIds */ select ${replays.columns} from replay where id = any(${[...ids]}::uuid[])`,
    );

  const ofSport = (row: ReplayRow, viewer: Viewer): boolean => viewer.sport === null || row.sport === viewer.sport;

  const maySee = (row: ReplayRow, viewer: Viewer): boolean => {
    const status = statusAt(row);
    const isShown = row.published && status === 'PUBLISHED';
    return isShown || owns(viewer, row.accountId) || hasFullAccess(viewer) || (status === 'REVIEW' && moderates(viewer));
  };

  const byId: BatchRead<string, ReplayRow | null> = async (ids, { viewer, notes }) => {
    notes.person = true;
    const rows = (await read(ids)).filter((row) => maySee(row, viewer) && ofSport(row, viewer));
    return inOrder(ids, rows, (row) => row.id);
  };

  /** By id, whatever its state: for the answers to moderators. */
  const moderated: BatchRead<string, ReplayRow | null> = async (ids) => inOrder(ids, await read(ids), (row) => row.id);

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'replay', ids);

  /** Tags of many replays in one statement, in the order of what is seen. */
  const tags: BatchRead<string, ReplayTagRow[]> = async (ids) => {
    const rows = await database.query<ReplayTagRow>(sql`/* replays.tags */ select ${replayTags.columns} from replay_tag
      where replay_id = any(${[...ids]}::uuid[]) order by at_ms nulls first, id`);
    const byReplay = Map.groupBy(rows, (row) => row.replayId);
    return ids.map((id) => byReplay.get(id) ?? []);
  };

  /** The athletes who are seen in replays of an account, by the first external ids of what is written. */
  async function athletesOfExternal(
    accountId: string,
    items: readonly { readonly externalIds?: readonly ExternalId[] | null | undefined }[],
  ): Promise<string[]> {
    const first = items.flatMap(({ externalIds }) => externalIds?.slice(0, 1) ?? []);
    const rows = await database.query<{ id: string }>(sql`/* replays.athletesOfExternal */
      select distinct unnest(r.athlete_ids) as id from jsonb_to_recordset(${JSON.stringify(first)}::jsonb) as f(scheme text, value text)
      join external_id e on e.resource_type = 'replay' and e.account_id = ${accountId} and e.scheme = f.scheme and e.value = f.value
      join replay r on r.id = e.resource_id`);
    return rows.map(({ id }) => id);
  }

  /** What everybody sees of many matches, in one statement, a page each. */
  const pagesOfMatches: BatchRead<PageKey, ReplayPage> = (keys, { notes }) => {
    notes.person = true;
    const list = { name: 'replays.ofMatches', columns: replays.columns, table: 'replay', owner: 'match_id' };
    return readPages(database, cursors, { ...list, where: [shown], sort: sorts.CREATED_AT_DESC }, keys);
  };

  /** What everybody sees of athletes whom the viewer may know, in one statement, a page each. */
  const pagesOfAthletes: BatchRead<PageKey, ReplayPage> = async (keys, context) => {
    const { viewer, notes } = context;
    notes.person = true;
    const known = await visibleAthleteIds(
      context,
      keys.map(({ owner }) => owner),
    );
    const list = {
      name: 'replays.ofAthletes',
      columns: replays.columns,
      table: 'replay',
      owner: 'athlete_ids',
      owned: sql`replay.athlete_ids @> array[owner.id]`,
    };
    const where = [shown, sql`owner.id = any(${[...known]}::uuid[])`];
    if (viewer.sport) where.push(sql`replay.sport = ${viewer.sport}`);
    return readPages(database, cursors, { ...list, where, sort: sorts.CREATED_AT_DESC }, keys);
  };

  /** The same for an export: those of the viewer's account, too, in any state. */
  const pagesExported: BatchRead<PageKey, ReplayPage> = (keys, { viewer }) => {
    const list = { name: 'replays.exported', columns: replays.columns, table: 'replay', owner: 'athlete_ids' };
    const where = [sql`((${shown}) or replay.account_id = ${viewer.accountId}::uuid)`];
    const owned = sql`replay.athlete_ids @> array[owner.id]`;
    return readPages(database, cursors, { ...list, owned, where, sort: sorts.CREATED_AT_DESC }, keys);
  };

  return {
    read,
    byId,
    pagesExported,
    moderated,
    externalIds,
    tags,
    athletesOfExternal,
    pagesOfMatches,
    pagesOfAthletes,
    async list(context: Context, args: QueryReplaysArgs): Promise<ReplayPage> {
      const { viewer, notes } = context;
      notes.person = true;
      const filter = args.filter ?? {};
      const sort = args.sort ?? 'CREATED_AT_DESC';
      const where = [...conditions(viewer, filter), ...(await hiddenAthlete(context, filter.athleteId))];
      const list = { name: 'replays.list', resource: replayResource, where, sort: sorts[sort], order: sort };
      return readList({ database, cursors }, list, viewer, args);
    },
  };
}

export type ReplayStore = ReturnType<typeof createReplayStore>;
