/** The reads that all parts of a season have in common, over a description of each. Writes: season-part-writes.ts. */
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListArguments, type ListFilter, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import type { Page, Sort } from '../../../platform/lists/page.ts';
import { requireAccount, type Resource } from '../../../platform/writes/resource.ts';
import { inOrder } from '../../../platform/database/table.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { SeasonPartRow } from './rows.ts';
import type { SeasonStore } from '../seasons/reads.ts';

export interface PartFilter extends ListFilter {
  readonly seasonId?: string | null | undefined;
}

export interface PartReading<Row extends SeasonPartRow, Filter extends PartFilter> {
  readonly resource: Resource<Row>;
  /** Names its statements: `contests.list`. */
  readonly plural: string;
  readonly sort: Sort<Row>;
  /** The conditions of its own filters; asks other areas what the viewer may not filter by. */
  readonly conditions: (context: Context, filter: Filter) => Promise<Sql[]> | Sql[];
  /** Which ids in other systems the viewer may find rows by, where not by all: a condition on `external_id`. */
  readonly seenIds?: (context: Context, database: Queryable, externalId: string) => Promise<Sql>;
}

interface PartArguments<Filter extends PartFilter> extends ListArguments {
  readonly filter?: Filter | null | undefined;
}

/** Lists hold public rows, and of a season that the viewer sees all; the viewer's own, in any state, with `mine`. */
function visible(viewer: Viewer, table: string, { mine, seasonId }: PartFilter): Sql[] {
  const column = (name: string): Sql => raw(`${table}.${name}`);
  const where = viewer.sport ? [sql`${column('sport')} = ${viewer.sport}`] : [];
  if (seasonId) where.push(sql`${column('season_id')} = ${seasonId}`);
  if (mine) where.push(sql`${column('account_id')} = ${requireAccount(viewer)}`);
  else if (!seasonId && !hasFullAccess(viewer)) where.push(column('published'));
  return where;
}

/** Reads of one kind of parts over the area's database. */
export function createPartStore<Row extends SeasonPartRow, Filter extends PartFilter>(
  { database, cursors }: ListServices,
  seasons: Pick<SeasonStore, 'byId'>,
  { resource, plural, sort, conditions, seenIds }: PartReading<Row, Filter>,
) {
  const { table } = resource;
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<Row[]> =>
    queryable.query<Row>(
      sql`${raw(`/* ${plural}.byIds */`)} select ${table.columns} from ${raw(table.name)} where id = any(${[...ids]}::uuid[])`,
    );

  /** By id, in the order asked for; null for what the viewer may not see. */
  const byId: BatchRead<string, Row | null> = async (ids, { viewer }) => {
    const maySee = (row: Row): boolean => row.published || owns(viewer, row.accountId) || hasFullAccess(viewer);
    const rows = (await read(ids)).filter((row) => maySee(row) && (viewer.sport === null || row.sport === viewer.sport));
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

  return {
    read,
    byId,
    externalIds,
    /** Parts of many seasons in one statement, a page each; who sees a season sees its parts. */
    pagesOfSeasons: pagesOf('season_id', 'ofSeasons'),
    /** The same of many contests. */
    pagesOfContests: pagesOf('contest_id', 'ofContests'),
    /** One of a season; null when there is none that the viewer may see. */
    async one(context: Context, { seasonId, id }: { seasonId?: string | null | undefined; id: string }): Promise<Row | null> {
      const row = await context.load(byId, id);
      return row && (!seasonId || row.seasonId === seasonId) ? row : null;
    },
    /** A page; null for a season that the viewer may not see. */
    async list(context: Context, args: PartArguments<Filter>): Promise<Page<Row> | null> {
      const { viewer } = context;
      // A filter of no members at all is one of every kind.
      const filter = (args.filter ?? {}) as Filter;
      if (filter.seasonId && !(await context.load(seasons.byId, filter.seasonId))) return null;
      const where = [...visible(viewer, table.name, filter), ...(await conditions(context, filter))];
      const { externalId } = filter;
      const seen = externalId && seenIds ? { visibleIds: await seenIds(context, database, externalId) } : {};
      return readList({ database, cursors }, { name: `${plural}.list`, resource, where, sort, ...seen }, viewer, args);
    },
  };
}

/** Conditions of columns that equal a value or are among several; what is absent is no condition. */
export function matching(columns: Readonly<Record<string, string | readonly string[] | null | undefined>>): Sql[] {
  return Object.entries(columns).flatMap(([column, value]) => {
    if (value === null || value === undefined) return [];
    return [typeof value === 'string' ? sql`${raw(column)} = ${value}` : sql`${raw(column)} = any(${[...value]})`];
  });
}
