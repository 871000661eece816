/** Periodic maintenance: deletes expired rows and refreshes projections that depend on the current day. */
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import { auditSteps, type AuditKeys } from './audit-digest.ts';
import { raw, sql, type Queryable } from '../database/database.ts';
import { appliesEvents, type Consumer } from './consumer.ts';
import type { DeliveryOptions } from './delivery.ts';

const rowsMax = 5_000;

/** The position that every consumer of an area's events has reached; unlimited if the area has no consumer. */
async function consumedOf(area: Area, consumers: readonly Consumer[]): Promise<number> {
  const positions = await Promise.all(
    consumers
      .filter(appliesEvents)
      .filter(({ source }) => source === area)
      .map(async ({ name, database }) => {
        const [place] = await database.query<{ position: number }>(
          sql`/* maintenance.position */ select position from inbox where source = ${name}`,
        );
        return place?.position ?? 0;
      }),
  );
  return Math.min(Number.MAX_SAFE_INTEGER, ...positions);
}

/** Runs the functions `prune_*(consumed, limit)` of an area. Returns the number of deleted rows. */
async function prune(database: Queryable, area: Area, consumed: number): Promise<number> {
  const functions = await database.query<{ name: string }>(sql`/* maintenance.functions */
    select p.oid::regproc::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = ${area} and p.proname like 'prune\\_%'`);
  let deleted = 0;
  for (const { name } of functions) {
    const [row] = await database.query<{ count: number }>(
      sql`/* maintenance.prune */ select ${raw(name)}(${consumed}, ${rowsMax}) as count`,
    );
    deleted += row?.count ?? 0;
  }
  return deleted;
}

/** One step of bounded size. */
export interface MaintenanceStep {
  readonly name: string;
  /** Returns whether there is more to do. */
  readonly run: () => Promise<boolean>;
}

/** Runs a step and never throws: a failure is logged, and the step runs again at its next time. */
export async function runStep({ name, run }: MaintenanceStep, log: Logger): Promise<boolean> {
  try {
    return await run();
  } catch (error) {
    log.warn({ err: error, step: name }, 'maintenance step failed');
    return false;
  }
}

export interface MaintenanceOptions extends DeliveryOptions {
  /** Sign the digests of the audit logs; absent: none are written, as for test data. */
  readonly auditKeys?: AuditKeys | undefined;
}

/** The hourly steps: one per area and projection, so that none waits for another. */
export function maintenanceSteps({ database, areas, consumers, graph, log, auditKeys }: MaintenanceOptions): MaintenanceStep[] {
  const consumed = (area: Area): Promise<number> => consumedOf(area, consumers);
  const prunes = areas.map((area) => ({
    name: `prune ${area}`,
    run: async () => (await prune(database, area, await consumed(area))) >= rowsMax,
  }));
  const refreshes = consumers.map((consumer) => ({
    name: `refresh ${consumer.name}`,
    run: async () => (await consumer.refresh?.(graph, consumed)) ?? false,
  }));
  const digests = auditKeys ? auditSteps(database, areas, auditKeys, log) : [];
  return [...prunes, ...digests, ...refreshes];
}

/** The steps that projections run every few seconds. */
export function catchUpSteps({ consumers, graph }: DeliveryOptions): MaintenanceStep[] {
  return consumers.map((consumer) => ({
    name: `catch up ${consumer.name}`,
    run: async () => (await consumer.catchUp?.(graph, (area) => consumedOf(area, consumers))) ?? false,
  }));
}

/** Runs the steps in turn until none has more to do. */
export async function runAll(steps: readonly MaintenanceStep[], log: Logger): Promise<void> {
  for (let left = steps; left.length > 0;) {
    const more: MaintenanceStep[] = [];
    for (const step of left) if (await runStep(step, log)) more.push(step);
    left = more;
  }
}
