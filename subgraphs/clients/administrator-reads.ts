/** Reads of rows about athletes by administrators: the access log has those of minors, and roles that do not read minors get no row of them. */
import { filterPage, type Page } from '../../platform/lists/page.ts';
import type { Context } from '../runtime/subgraph.ts';
import { visibleAthleteIds } from './athlete-facts.ts';
import { chunksOf } from './facts-by-id.ts';
import type { MinorAccessPart } from './generated/graphql.ts';
import { graphql } from './graphql.ts';

type Reader = Pick<Context, 'graph' | 'viewer'>;

const query = graphql(`
  query unreadableSubjects($ids: [ID!]!, $part: MinorAccessPart!) {
    unreadableSubjects(ids: $ids, part: $part)
  }
`);

/**
 * The ids of athletes, and of resources of the athletes area, that an administrator cannot read because they concern a minor. The athletes
 * area records the read of the others before this returns. Other viewers cause no fetch: the result is empty.
 */
export async function unreadableSubjects(
  { graph, viewer }: Reader,
  ids: readonly string[],
  part: MinorAccessPart,
): Promise<ReadonlySet<string>> {
  if (viewer.kind !== 'ADMINISTRATOR') return new Set();
  const unreadable = await Promise.all(
    chunksOf([...new Set(ids)]).map(async (chunk) => (await graph(query, { ids: chunk, part })).unreadableSubjects ?? chunk),
  );
  return new Set(unreadable.flat());
}

/** Like visibleAthleteIds, for reads of data by athlete: the access log has the reads of minors by administrators. */
export async function readableAthleteIds(
  context: Reader,
  ids: readonly string[],
  part: MinorAccessPart,
): Promise<ReadonlySet<string>> {
  const [visible] = await Promise.all([visibleAthleteIds(context, ids), unreadableSubjects(context, ids, part)]);
  return visible;
}

/**
 * Creates the functions through which rows about athletes leave an area. Viewers other than administrators get all rows without a fetch.
 * Pages keep their cursors, so a page can have fewer rows than requested.
 * @param subjectsOf the athletes that a row concerns
 * @param unreadableAmong for rows that concern other resources, too
 */
export function createAdministratorReads<Row>(
  part: MinorAccessPart,
  subjectsOf: (row: Row) => readonly (string | null)[],
  unreadableAmong = unreadableSubjects,
) {
  const idsOf = (row: Row): string[] => subjectsOf(row).filter((id) => id !== null);

  async function readable(context: Reader, rows: readonly Row[]): Promise<(row: Row) => boolean> {
    const unreadable = await unreadableAmong(context, rows.flatMap(idsOf), part);
    return (row) => !idsOf(row).some((id) => unreadable.has(id));
  }

  async function pages<Each extends Row>(context: Reader, all: readonly Page<Each>[]): Promise<readonly Page<Each>[]> {
    if (context.viewer.kind !== 'ADMINISTRATOR') return all;
    const isReadable = await readable(
      context,
      all.flatMap(({ nodes }) => nodes),
    );
    return all.map((page) => filterPage(page, isReadable));
  }

  return {
    pages,
    async page<Each extends Row>(context: Reader, page: Page<Each>): Promise<Page<Each>> {
      const [read] = await pages(context, [page]);
      if (!read) throw new Error('a page was not read');
      return read;
    },
    async rows<Each extends Row>(context: Reader, rows: readonly Each[]): Promise<readonly Each[]> {
      if (context.viewer.kind !== 'ADMINISTRATOR') return rows;
      return rows.filter(await readable(context, rows));
    },
    /** The response to a write of a viewer that can read the row. */
    async written<Each extends Row>(context: Reader, row: Each): Promise<Each> {
      await unreadableAmong(context, idsOf(row), part);
      return row;
    },
  };
}
