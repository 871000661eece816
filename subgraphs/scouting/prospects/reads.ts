/** SQL reads of prospects. */
import type { Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import { readPage, type Sort } from '../../../platform/lists/page.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ProspectFilter, ProspectSort, QueryProspectsArgs } from '../generated/resolvers.ts';
import { readProspectFacets } from './facets.ts';
import { prospectConditions, type ProspectConditions } from './filter.ts';
import { prospects, type ProspectPage, type ProspectRow } from './rows.ts';
import { selectiveThreshold } from './thresholds.ts';
import { findVisibleAthleteIds } from './visibility.ts';

/** A page of prospects with the conditions of the search, for its facets. */
export interface ProspectDiscovery extends ProspectPage {
  readonly conditions: ProspectConditions;
}

const sorts: Readonly<Record<ProspectSort, Sort<ProspectRow>>> = {
  EMERGING_FIRST: { column: sql`prospect.list_place`, type: 'int', direction: 'desc', value: (row) => row.listPlace },
  TALENT_SCORE_DESC: { column: sql`prospect.talent_score`, type: 'int', direction: 'desc', value: (row) => row.talentScore },
  COMPUTED_AT_DESC: { column: sql`prospect.computed_at`, type: 'timestamptz', direction: 'desc', value: (row) => row.computedAt },
};

/** Removes athletes that were hidden after the last projection. The cursors stay valid. */
async function withoutHidden(context: Context, page: ProspectPage): Promise<ProspectPage> {
  const visible = await findVisibleAthleteIds(
    context,
    page.nodes.map((row) => row.athleteId),
  );
  return {
    ...page,
    nodes: page.nodes.filter((row) => visible.has(row.athleteId)),
    edges: () => page.edges().filter(({ node }) => visible.has(node.athleteId)),
  };
}

/** @param services counting results takes the expensive pool: it reads up to thousands of rows */
export function createProspectReads({
  database,
  expensiveDatabase,
  cursors,
}: ListServices & Pick<AreaServices, 'expensiveDatabase'>) {
  const byAthlete: BatchRead<string, ProspectRow | null> = async (ids, context) => {
    const { viewer } = context;
    const rows = await database.query<ProspectRow>(
      sql`/* prospects.byAthletes */ select ${prospects.columns} from prospect where is_primary and athlete_id = any(${[...ids]}::uuid[])`,
    );
    const visible = await findVisibleAthleteIds(
      context,
      rows.map((row) => row.athleteId),
    );
    return inOrder(
      ids,
      rows.filter((row) => visible.has(row.athleteId) && (viewer.sport === null || row.sport === viewer.sport)),
      (row) => row.athleteId,
    );
  };

  async function conditionsOf(viewer: Viewer, filter: ProspectFilter): Promise<ProspectConditions> {
    const { where, ...conditions } = prospectConditions(viewer, filter);
    return { ...conditions, where: [...where, ...(await selectiveThreshold(database, viewer, filter))] };
  }

  return {
    byAthlete,
    facets: ({ conditions }: Pick<ProspectDiscovery, 'conditions'>) => readProspectFacets(expensiveDatabase, conditions),
    async list(context: Context, args: QueryProspectsArgs): Promise<ProspectDiscovery> {
      const { viewer } = context;
      const filter = args.filter ?? {};
      const sort = args.sort ?? 'EMERGING_FIRST';
      const conditions = await conditionsOf(viewer, filter);
      const list = {
        name: 'prospects.list',
        columns: prospects.columns,
        from: sql`prospect`,
        id: sql`prospect.id`,
        where: [...conditions.where, ...conditions.thresholds],
        // A walk in the default order would read all athletes of the sports in between.
        ...(sort === 'EMERGING_FIRST' && { parts: conditions.parts }),
        sort: sorts[sort],
        filter: [filter, sort, viewer.sport],
      };
      const page = await readPage(database, cursors, list, { first: args.first ?? 20, after: args.after });
      return { ...(await withoutHidden(context, page)), conditions };
    },
  };
}

export type ProspectReads = ReturnType<typeof createProspectReads>;
