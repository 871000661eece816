/** Checks of the components: once a minute, by the process that relays events. */
import { sql, type Database } from '../../../platform/database/database.ts';
import type { Consumer } from '../../../platform/events/consumer.ts';
import { componentNames, components, type ComponentName } from '../../../schema/components.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { HealthItem, HealthStatus } from '../generated/resolvers.ts';
import { readHealth } from '../platform-overview/health.ts';

/** The relay calls every ten seconds: a little less than a minute, so that none of its calls comes just too early. */
const checkEveryMs = 55_000;

/** Days that the status shows. */
export const shownDays = 90;

interface Check {
  readonly component: ComponentName;
  readonly status: HealthStatus;
  readonly at: string;
}

const worstFirst: readonly HealthStatus[] = ['DOWN', 'DEGRADED', 'UP'];

/** The status of each component: the worst of its checks. */
export function checksOf(health: readonly Pick<HealthItem, 'name' | 'status'>[], at: string): Check[] {
  return componentNames.map((component) => {
    const names: readonly string[] = components[component].checks;
    const found = health.filter(({ name }) => names.includes(name)).map(({ status }) => status);
    return { component, at, status: worstFirst.find((status) => found.includes(status)) ?? 'DOWN' };
  });
}

/** Adds checks to the days of their components, stores the last status of each, and deletes days that are no longer shown. */
async function store(database: Database, checks: readonly Check[]): Promise<void> {
  await database.query(sql`/* status.storeChecks */
    with checked as materialized (select * from jsonb_to_recordset(${JSON.stringify(checks)}::jsonb) as c(component text, status text, at timestamptz)),
    deleted as (delete from component_day where day < current_date - ${shownDays}::int),
    counted as (
      insert into component_day as d (component, day, checks, degraded, failed)
      select component, (at at time zone 'UTC')::date, count(*), count(*) filter (where status = 'DEGRADED'), count(*) filter (where status = 'DOWN')
      from checked group by 1, 2
      on conflict (component, day) do update set checks = d.checks + excluded.checks, degraded = d.degraded + excluded.degraded,
        failed = d.failed + excluded.failed)
    insert into component as c (name, status, checked_at)
    select distinct on (component) component, status, at from checked order by component, at desc
    on conflict (name) do update set status = excluded.status, checked_at = excluded.checked_at`);
}

/** Checks all components, and again if one is not up: a first check after the start, or one slow response, is not a finding. */
async function check(services: AreaServices, graph: Graph): Promise<Check[]> {
  const at = new Date().toISOString();
  const first = checksOf(await readHealth(services, graph), at);
  return first.every(({ status }) => status === 'UP') ? first : checksOf(await readHealth(services, graph), at);
}

/** A consumer without events. A check runs next to the relay: a component that does not respond does not delay events. */
export function componentChecks(services: AreaServices): Consumer {
  let startedAtMs = -Infinity;
  let running: Promise<void> | null = null;
  let failure: { readonly error: unknown } | null = null;
  const run = async (graph: Graph): Promise<void> => {
    try {
      await store(services.database, await check(services, graph));
    } catch (error) {
      failure = { error };
    } finally {
      running = null;
    }
  };
  return {
    name: 'component-checks',
    source: 'accounts',
    database: services.database,
    /** Throws the error of the last check. */
    catchUp(graph: Graph) {
      if (running === null && performance.now() - startedAtMs >= checkEveryMs) {
        startedAtMs = performance.now();
        running = run(graph);
      }
      if (failure === null) return Promise.resolve(false);
      const { error } = failure;
      failure = null;
      return Promise.reject(error instanceof Error ? error : new Error('The components could not be checked', { cause: error }));
    },
  };
}
