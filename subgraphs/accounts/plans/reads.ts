/** Reads of plans. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy } from '../../../platform/lists/page.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { QueryPlansArgs } from '../generated/resolvers.ts';
import { keyOfPlan, plans, type PlanPage, type PlanRow } from './rows.ts';

const cheapestFirst = sortBy(plans, 'priceAmountMinor', 'numeric', 'asc');

/** Reads of plans over the area's database. */
export function createPlanReads({ database, cursors }: Pick<AreaServices, 'database' | 'cursors'>) {
  /** The current version of a plan; null if there is no plan with this code. */
  async function current(code: string, queryable: Queryable = database): Promise<PlanRow | null> {
    const [row] = await queryable.query<PlanRow>(
      sql`/* plans.byCode */ select ${plans.columns} from plan where code = ${code} and status = 'ACTIVE'`,
    );
    return row ?? null;
  }

  /** Plans by `planKey`, in any version. */
  async function byKeys(keys: readonly string[], queryable: Queryable = database): Promise<(PlanRow | null)[]> {
    const parts = keys.map((key) => key.split('/'));
    const rows = await queryable.query<PlanRow>(sql`/* plans.byVersion */ select ${plans.columns} from plan
      where (code, version) in (select * from unnest(${parts.map(([code]) => code)}::text[], ${parts.map(([, version]) => Number(version))}::int[]))`);
    return inOrder(keys, rows, keyOfPlan);
  }
  const byVersion: BatchRead<string, PlanRow | null> = (keys) => byKeys(keys);

  return {
    current,
    byKeys,
    byVersion,
    list(args: QueryPlansArgs): Promise<PlanPage> {
      const list = {
        name: 'plans.list',
        columns: plans.columns,
        from: sql`plan`,
        id: sql`plan.id`,
        where: [sql`status = 'ACTIVE'`],
        sort: cheapestFirst,
        filter: null,
      };
      return readPage(database, cursors, list, { first: args.first ?? 20, after: args.after });
    },
    versions: (code: string): Promise<PlanRow[]> =>
      database.query(sql`/* plans.versions */ select ${plans.columns} from plan where code = ${code} order by version desc`),
  };
}

export type PlanReads = ReturnType<typeof createPlanReads>;
