/** Plans: the SQL of their reads and writes. A version of a plan is never changed; a change is the next version. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { difference } from '../../../platform/writes/change.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { readPage, sortBy, type Page } from '../../../platform/lists/page.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { inOrder, insertInto, table } from '../../../platform/database/table.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ChangePlanInput, CreatePlanInput, PlanStatus, QueryPlansArgs } from '../resolvers.generated.ts';
import type { PlanTerms } from './terms.ts';

export interface PlanRow extends PlanTerms {
  readonly id: string;
  readonly code: string;
  readonly version: number;
  readonly name: string;
  readonly writes: boolean;
  readonly status: PlanStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type PlanPage = Page<PlanRow>;

const plans = table<PlanRow>('plan', {
  id: 'plain',
  code: 'plain',
  version: 'plain',
  name: 'plain',
  priceAmountMinor: 'plain',
  currency: 'plain',
  burstPerMinute: 'plain',
  perDay: 'plain',
  perMonth: 'plain',
  writes: 'plain',
  webhooks: 'plain',
  streams: 'plain',
  status: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
});

const cheapestFirst = sortBy(plans, 'priceAmountMinor', 'numeric', 'asc');

/** How a key names its plan: versions of one code are told apart. */
export const planKey = ({ planCode, planVersion }: { planCode: string; planVersion: number }): string =>
  `${planCode}/${planVersion}`;

/** The members of a row that an input sets. */
function valuesOf({ price, limits, ...rest }: CreatePlanInput | ChangePlanInput): Partial<PlanRow> {
  const given = Object.entries({
    ...rest,
    ...(price && { priceAmountMinor: price.amountMinor, currency: price.currency }),
    ...limits,
  });
  return Object.fromEntries(given.filter(([, value]) => value !== null && value !== undefined));
}

/** The next version of a plan: its times are the database's. */
function successor(before: PlanRow, next: Partial<PlanRow>): Partial<PlanRow> {
  const members = Object.entries({ ...before, ...next, version: before.version + 1 });
  return Object.fromEntries(members.filter(([member]) => member !== 'createdAt' && member !== 'updatedAt'));
}

const snapshot = (row: PlanRow) => ({ ...row, accountId: null });

/** Reads and writes of plans over the area's database. */
export function createPlanStore({ database, cursors, writer, announce }: AreaServices) {
  /** The current version of a code; null when there is none. */
  async function current(code: string, queryable: Queryable = database): Promise<PlanRow | null> {
    const [row] = await queryable.query<PlanRow>(
      sql`/* plans.byCode */ select ${plans.columns} from plan where code = ${code} and status = 'ACTIVE'`,
    );
    return row ?? null;
  }

  /** Plans by `planKey`, in any version. */
  async function read(keys: readonly string[], queryable: Queryable = database): Promise<(PlanRow | null)[]> {
    const wanted = keys.map((key) => key.split('/'));
    const rows = await queryable.query<PlanRow>(sql`/* plans.byVersion */ select ${plans.columns} from plan
      where (code, version) in (select * from unnest(${wanted.map(([code]) => code)}::text[], ${wanted.map(([, version]) => Number(version))}::int[]))`);
    return inOrder(keys, rows, (row) => planKey({ planCode: row.code, planVersion: row.version }));
  }
  const byVersion: BatchRead<string, PlanRow | null> = (keys) => read(keys);

  return {
    current,
    read,
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
    create(context: Context, input: CreatePlanInput, key: string | null | undefined): Promise<PlanRow> {
      return writer.write(
        context,
        async (transaction) => {
          const [row] = await transaction.query<PlanRow>(insertInto(plans, valuesOf(input)));
          if (!row) throw new Error('insert into plan returned no row');
          transaction.record({
            action: 'created',
            event: 'plan.changed',
            before: null,
            after: snapshot(row),
            data: { code: row.code },
          });
          return row;
        },
        { operation: 'createPlan', key, input, reload: () => current(input.code) },
      );
    },
    /** Throws Problem not_found (404), precondition_failed (412) or validation_failed (422). A change that changes nothing makes no version. */
    async change(context: Context, code: string, input: ChangePlanInput, ifMatch: string): Promise<PlanRow> {
      const changed = await writer.write(context, async (transaction) => {
        // the lock is on the first version: the current one may be another by the time its lock is had
        await transaction.query(sql`/* plans.lock */ select from plan where code = ${code} and version = 1 for no key update`);
        const before = await current(code, transaction);
        if (!before) throw new Problem('not_found', `There is no plan "${code}".`);
        requireVersion(ifMatch, before.version);
        rejectInvalid(
          Object.entries(input).map(
            ([member, value]) =>
              value === null && { pointer: `/${member}`, code: 'required', detail: 'This member cannot be deleted.' },
          ),
        );
        const next = valuesOf(input);
        if (Object.keys(difference(before, { ...before, ...next })).length === 0) return before;
        await transaction.query(
          sql`/* plans.retire */ update plan set status = 'RETIRED', updated_at = now() where code = ${code} and version = ${before.version}`,
        );
        const [row] = await transaction.query<PlanRow>(insertInto(plans, successor(before, next)));
        if (!row) throw new Error('insert into plan returned no row');
        transaction.record({
          action: 'changed',
          event: 'plan.changed',
          before: snapshot(before),
          after: snapshot(row),
          data: { code },
        });
        return row;
      });
      await announce?.('*');
      return changed;
    },
  };
}
