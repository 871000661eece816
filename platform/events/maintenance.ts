/** What time alone asks for: rows that nobody needs any more are deleted, projections that depend on the day are renewed. */
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import type { Graph } from '../../schema/entry-point.ts';
import { raw, sql, type Queryable } from '../database/database.ts';
import type { Consumer } from './relay.ts';

const rowsMax = 5_000;

/** How far every consumer of an area's events has come; without one, nobody waits for them. */
async function consumedOf(area: Area, consumers: readonly Consumer[]): Promise<number> {
  const positions = await Promise.all(
    consumers
      .filter(({ source }) => source === area)
      .map(async ({ name, database }) => {
        const [place] = await database.query<{ position: number }>(
          sql`/* upkeep.position */ select position from inbox where source = ${name}`,
        );
        return place?.position ?? 0;
      }),
  );
  return Math.min(Number.MAX_SAFE_INTEGER, ...positions);
}

/** Runs an area's functions `prune_*(consumed, limit)`. Returns how many rows they deleted. */
async function prune(database: Queryable, area: Area, consumed: number): Promise<number> {
  const functions = await database.query<{ name: string }>(sql`/* upkeep.functions */
    select p.oid::regproc::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = ${area} and p.proname like 'prune\\_%'`);
  let deleted = 0;
  for (const { name } of functions) {
    const [row] = await database.query<{ count: number }>(
      sql`/* upkeep.prune */ select ${raw(name)}(${consumed}, ${rowsMax}) as count`,
    );
    deleted += row?.count ?? 0;
  }
  return deleted;
}

export interface MaintenanceOptions {
  readonly database: Queryable;
  readonly areas: readonly Area[];
  readonly consumers: readonly Consumer[];
  readonly graph: Graph;
  readonly log: Logger;
}

/** Work of bounded size. */
export interface MaintenanceStep {
  readonly name: string;
  /** Returns whether there is more. */
  readonly run: () => Promise<boolean>;
}

/** A step that never throws: one that fails is logged, and left for the next time. */
export async function runStep({ name, run }: MaintenanceStep, log: Logger): Promise<boolean> {
  try {
    return await run();
  } catch (error) {
    log.warn({ err: error, step: name }, 'a step of the upkeep failed, and is tried again later');
    return false;
  }
}

/** What is due every hour, for every area and projection by itself: none waits for another that has much to do. */
export function maintenanceSteps({ database, areas, consumers, graph }: MaintenanceOptions): MaintenanceStep[] {
  const consumed = (area: Area): Promise<number> => consumedOf(area, consumers);
  const prunes = areas.map((area) => ({
    name: `prune ${area}`,
    run: async () => (await prune(database, area, await consumed(area))) >= rowsMax,
  }));
  const renewals = consumers.map((consumer) => ({
    name: `renew ${consumer.name}`,
    run: async () => (await consumer.refresh?.(graph, consumed)) ?? false,
  }));
  return [...prunes, ...renewals];
}

/** What projections do every few seconds. */
export function catchUpSteps({ consumers, graph }: MaintenanceOptions): MaintenanceStep[] {
  return consumers.map((consumer) => ({
    name: `catch up ${consumer.name}`,
    run: async () => (await consumer.catchUp?.(graph)) ?? false,
  }));
}

/** Takes each step until there is no more, in turns. */
export async function runAll(steps: readonly MaintenanceStep[], log: Logger): Promise<void> {
  for (let left = steps; left.length > 0;) {
    const more: MaintenanceStep[] = [];
    for (const step of left) if (await runStep(step, log)) more.push(step);
    left = more;
  }
}
