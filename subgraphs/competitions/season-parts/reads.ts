/** Reads parts of a season: functions over a description of each kind of part. */
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListArguments, type ListFilter, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import type { Page, Sort } from '../../../platform/lists/page.ts';
import { requireAccount, type Resource } from '../../../platform/writes/resource.ts';
import { inOrder } from '../../../platform/database/table.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { SeasonReads } from '../seasons/reads.ts';
import { isVisible } from '../visibility.ts';
import type { SeasonPartRow } from './rows.ts';

export interface PartFilter extends ListFilter {
  readonly seasonId?: string | readonly string[] | null | undefined;
}

export interface PartListing<Row extends SeasonPartRow, Filter extends PartFilter> {
  readonly resource: Resource<Row>;
  /** Names its statements: `contests.list`. */
  readonly plural: string;
  readonly sort: Sort<Row>;
  /** The conditions of the specific filters. Queries other areas when a filter names a resource that may be hidden. */
  readonly conditions: (context: Context, filter: Filter) => Promise<Sql[]> | Sql[];
  /** A condition on `external_id`: the IDs that the viewer may find rows by. Default: all. */
  readonly visibleIds?: (context: Context, database: Queryable, externalId: string) => Promise<Sql>;
}

interface PartArguments<Filter extends PartFilter> extends ListArguments {
  readonly filter?: Filter | null | undefined;
}

/** The seasons of a filter; null without a filter. */
function seasonIdsOf({ seasonId }: PartFilter): readonly string[] | null {
  return typeof seasonId === 'string' ? [seasonId] : (seasonId ?? null);
}

/** Lists contain public rows, for seasons all of their parts, and with `mine` the viewer's own rows in any state. */
function listConditions(viewer: Viewer, table: string, mine: PartFilter['mine'], seasonIds: readonly string[] | null): Sql[] {
  const column = (name: string): Sql => raw(`${table}.${name}`);
  const where = viewer.sport ? [sql`${column('sport')} = ${viewer.sport}`] : [];
  if (seasonIds) where.push(oneOf(column('season_id'), seasonIds));
  if (mine) where.push(sql`${column('account_id')} = ${requireAccount(viewer)}`);
  else if (!seasonIds && !hasFullAccess(viewer)) where.push(column('published'));
  return where;
}

/** Creates the reads of one kind of part. */
export function createReadsOfPart<Row extends SeasonPartRow, Filter extends PartFilter>(
  { database, cursors }: ListServices,
  seasons: Pick<SeasonReads, 'byId'>,
  { resource, plural, sort, conditions, visibleIds }: PartListing<Row, Filter>,
) {
  const { table } = resource;
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<Row[]> =>
    queryable.query<Row>(
      sql`${raw(`/* ${plural}.byIds */`)} select ${table.columns} from ${raw(table.name)} where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );

  /** By id, in the order of the keys; null where the viewer cannot read the part. */
  const byId: BatchRead<string, Row | null> = async (ids, { viewer }) => {
    const rows = (await read(ids)).filter((row) => isVisible(viewer, row));
    return inOrder(ids, rows, (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, resource.type, ids);

  const pagesOf =
    (owner: 'season_id' | 'contest_id', name: string): BatchRead<PageKey, Page<Row>> =>
    (keys) =>
      readPages(
        database,
        cursors,
        { name: `${plural}.${name}`, columns: table.columns, table: table.name, owner, where: [], sort },
        keys,
      );

  /** The seasons of a filter that the viewer can read; null without a filter. */
  async function visibleSeasons(context: Context, filter: PartFilter): Promise<readonly string[] | null> {
    const ids = seasonIdsOf(filter);
    if (!ids) return null;
    const rows = await Promise.all(ids.map((id) => context.load(seasons.byId, id)));
    return ids.filter((_, index) => rows[index]);
  }

  return {
    read,
    byId,
    externalIds,
    /** A page of parts for each season, in one statement. A viewer that can read a season can read its parts. */
    pagesOfSeasons: pagesOf('season_id', 'ofSeasons'),
    /** A page of parts for each contest, in one statement. */
    pagesOfContests: pagesOf('contest_id', 'ofContests'),
    /** One part of a season; null where the viewer cannot read it. */
    async one(context: Context, { seasonId, id }: { seasonId?: string | null | undefined; id: string }): Promise<Row | null> {
      const row = await context.load(byId, id);
      return row && (!seasonId || row.seasonId === seasonId) ? row : null;
    },
    /** A page of a list; null where the viewer cannot read a season of the filter. */
    async list(context: Context, args: PartArguments<Filter>): Promise<Page<Row> | null> {
      const { viewer } = context;
      // Cast: all members of every filter are optional, which TypeScript does not derive for a type parameter.
      const filter = (args.filter ?? {}) as Filter;
      const seasonIds = await visibleSeasons(context, filter);
      if (seasonIds?.length === 0) return null;
      const where = [...listConditions(viewer, table.name, filter.mine, seasonIds), ...(await conditions(context, filter))];
      const { externalId } = filter;
      const visible = externalId && visibleIds ? { visibleIds: await visibleIds(context, database, externalId) } : {};
      return readList({ database, cursors }, { name: `${plural}.list`, resource, where, sort, ...visible }, viewer, args);
    },
  };
}

/** Conditions for columns that equal a value or one of several values. Absent values add no condition. */
export function matching(columns: Readonly<Record<string, string | readonly string[] | null | undefined>>): Sql[] {
  return Object.entries(columns).flatMap(([column, value]) => {
    if (value === null || value === undefined) return [];
    return [oneOf(raw(column), typeof value === 'string' ? [value] : value)];
  });
}
