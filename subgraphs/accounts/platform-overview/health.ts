/** Health of the platform's components, checked concurrently. */
import { sql } from '../../../platform/database/database.ts';
import { withinDeadline } from '../../../platform/deadline.ts';
import { areas, type Area } from '../../../schema/areas.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { isOutage, Problem } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { checkMeterEvents } from '../meter-events/health.ts';
import { readAvailableConsumers } from '../event-delivery/reads.ts';
import type { HealthItem, HealthKind, HealthStatus } from '../generated/resolvers.ts';

/** Time limit of a check. */
const deadlineMs = 2_000;
/** A component that responds more slowly is degraded. */
const slowMs = 1_000;
/** Age of the oldest waiting event from which the relay is degraded or down; normally events wait less than a second. */
const waitingMs = { degraded: 30_000, down: 300_000 };

const unknownId = '00000000-0000-4000-8000-000000000000';

/** A read by ID in each area, which tests its database and nothing else. */
const areaQueries: Readonly<Record<Area, string>> = {
  accounts: '{ plan(code: "free") { code } }',
  athletes: `{ athlete(id: "${unknownId}") { id } }`,
  competitions: `{ competition(id: "${unknownId}") { id } }`,
  opportunities: `{ opportunity(id: "${unknownId}") { id } }`,
  organizations: `{ organization(id: "${unknownId}") { id } }`,
  scouting: `{ prospect(athleteId: "${unknownId}") { athleteId } }`,
};

/** What a check found. */
export interface CheckResult {
  readonly status?: HealthStatus;
  readonly detail: string | null;
}

async function checkArea(area: Area, graph: Graph): Promise<CheckResult> {
  try {
    await graph(areaQueries[area]);
  } catch (error) {
    // an area that returns another problem is available
    if (!(error instanceof Problem) || isOutage(error) || error.code === 'internal') throw error;
    if (error.code === 'overloaded') return { status: 'DEGRADED', detail: error.message };
  }
  return { detail: null };
}

async function checkDatabase({ database }: AreaServices): Promise<CheckResult> {
  const [row] = await database.query<{ version: string }>(
    sql`/* health.database */ select current_setting('server_version') as version`,
  );
  return { detail: `PostgreSQL ${row?.version}` };
}

async function checkCounters({ database, counters }: AreaServices): Promise<CheckResult> {
  const subject = unknownId.replaceAll('-', '');
  if (counters === undefined) await database.query(sql`/* health.counters */ select from quota_read(decode(${subject}, 'hex'))`);
  else await counters(subject);
  return { detail: counters === undefined ? 'In PostgreSQL' : 'In Redis' };
}

/** Checks the events of this area that have no position yet; the relay handles all areas alike. */
async function checkStamping({ database }: AreaServices): Promise<CheckResult> {
  const [row] = await database.query<{ waiting: number; oldestMs: number }>(sql`/* health.relay */
    select count(*) as waiting, coalesce(extract(epoch from now() - min(at)) * 1000, 0)::float8 as "oldestMs"
    from (select at from outbox where position is null order by id limit 1000) o`);
  const { waiting, oldestMs } = row ?? { waiting: 0, oldestMs: 0 };
  if (oldestMs < waitingMs.degraded) return { detail: null };
  const count = waiting >= 1_000 ? 'At least 1,000' : waiting;
  return {
    status: oldestMs < waitingMs.down ? 'DEGRADED' : 'DOWN',
    detail: `${count} events are waiting, the oldest for ${Math.round(oldestMs / 1000)} s`,
  };
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Checks the consumers of the available areas: an unavailable area is down itself. */
async function checkConsumers(graph: Graph): Promise<CheckResult> {
  const consumers = await readAvailableConsumers({ graph }, deadlineMs / 2);
  const failing = consumers.filter(({ deadLetters }) => deadLetters > 0);
  const late = consumers.filter(({ oldestSeconds }) => (oldestSeconds ?? 0) * 1_000 >= waitingMs.degraded);
  if (failing.length + late.length === 0) return { detail: null };
  const deadLetters = failing.reduce((sum, each) => sum + each.deadLetters, 0);
  const oldest = Math.max(...late.map(({ oldestSeconds }) => oldestSeconds ?? 0));
  const findings = [
    ...(failing.length > 0 ? [`${counted(deadLetters, 'dead letter')} of ${counted(failing.length, 'consumer')}`] : []),
    ...(late.length > 0 ? [`${counted(late.length, 'consumer')} behind, the oldest event waits for ${oldest} s`] : []),
  ];
  return { status: 'DEGRADED', detail: `${findings.join('; ')}. See Event delivery` };
}

async function checkRelay(services: AreaServices, graph: Graph): Promise<CheckResult> {
  const [stamping, consumers] = await Promise.all([checkStamping(services), checkConsumers(graph)]);
  return stamping.status === undefined ? consumers : stamping;
}

const noResponse = (): Problem => new Problem('upstream_timeout', `No response within ${deadlineMs / 1000} s`);

async function runCheck(name: string, kind: HealthKind, check: () => Promise<CheckResult>): Promise<HealthItem> {
  const startMs = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startMs);
  try {
    const { status, detail } = await withinDeadline(check(), deadlineMs, noResponse);
    const durationMs = elapsedMs();
    return { name, kind, status: status ?? (durationMs > slowMs ? 'DEGRADED' : 'UP'), detail, durationMs };
  } catch (error) {
    const detail = error instanceof Problem ? error.message : 'The check failed; see the log';
    return { name, kind, status: 'DOWN', detail, durationMs: elapsedMs() };
  }
}

/** The health of all components, areas first; never throws. */
export async function readHealth(services: AreaServices, graph: Graph): Promise<HealthItem[]> {
  const items = await Promise.all([
    ...areas.map((area) => runCheck(area, 'AREA', () => checkArea(area, graph))),
    runCheck('database', 'DATABASE', () => checkDatabase(services)),
    runCheck('counters', 'COUNTERS', () => checkCounters(services)),
    runCheck('relay', 'RELAY', () => checkRelay(services, graph)),
    runCheck('stripe', 'BILLING', () => checkMeterEvents(services)),
  ]);
  // a check that failed: no usage is sent to Stripe, or the database is down, which is another item
  return items.filter(({ kind, status }) => kind !== 'BILLING' || status !== 'DOWN');
}
