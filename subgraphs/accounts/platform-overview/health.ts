/** How the parts of the platform are, asked at the same time: none waits for another, and what is down is told like what is up. */
import { setTimeout } from 'node:timers/promises';
import { sql } from '../../../platform/database/database.ts';
import { areas, type Area } from '../../../schema/areas.ts';
import { Problem, type ErrorCode } from '../../../schema/errors.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { HealthItem, HealthKind, HealthStatus } from '../resolvers.generated.ts';

/** What a part is given to answer. */
const deadlineMs = 2_000;
/** What answers later than this is in trouble, though it answers. */
const lateMs = 1_000;
/** Events are stamped within a second; the relay looks by itself every few. */
const waitingMs = { late: 30_000, down: 300_000 };

const nobody = '00000000-0000-4000-8000-000000000000';

/** One look-up by id in each area: its database answers, and nothing else is done. */
const questions: Readonly<Record<Area, string>> = {
  accounts: '{ plan(code: "free") { code } }',
  athletes: `{ athlete(id: "${nobody}") { id } }`,
  competitions: `{ competition(id: "${nobody}") { id } }`,
  opportunities: `{ opportunity(id: "${nobody}") { id } }`,
  organizations: `{ organization(id: "${nobody}") { id } }`,
  scouting: `{ prospect(athleteId: "${nobody}") { athleteId } }`,
};

interface Told {
  readonly status?: HealthStatus;
  readonly detail: string | null;
}

const gone: ReadonlySet<ErrorCode> = new Set(['upstream_unavailable', 'upstream_timeout', 'internal']);

async function askArea(area: Area, { graph }: Context): Promise<Told> {
  try {
    await graph(questions[area]);
  } catch (violation) {
    // whoever refuses is there
    if (!(violation instanceof Problem) || gone.has(violation.code)) throw violation;
    if (violation.code === 'overloaded') return { status: 'DEGRADED', detail: violation.message };
  }
  return { detail: null };
}

async function askDatabase({ database }: AreaServices): Promise<Told> {
  const [row] = await database.query<{ version: string }>(
    sql`/* health.database */ select current_setting('server_version') as version`,
  );
  return { detail: `PostgreSQL ${row?.version}` };
}

async function askCounters({ database, counters }: AreaServices): Promise<Told> {
  const subject = nobody.replaceAll('-', '');
  if (counters === undefined) await database.query(sql`/* health.counters */ select from quota_read(decode(${subject}, 'hex'))`);
  else await counters(subject);
  return { detail: counters === undefined ? 'In PostgreSQL' : 'In Redis' };
}

/** Events of this area that nobody has stamped: what waits here waits in the others. */
async function askRelay({ database }: AreaServices): Promise<Told> {
  const [row] = await database.query<{ waiting: number; oldestMs: number }>(sql`/* health.relay */
    select count(*) as waiting, coalesce(extract(epoch from now() - min(at)) * 1000, 0)::float8 as "oldestMs"
    from (select at from outbox where position is null order by id limit 1000) o`);
  const { waiting, oldestMs } = row ?? { waiting: 0, oldestMs: 0 };
  if (oldestMs < waitingMs.late) return { detail: null };
  const many = waiting >= 1_000 ? 'At least 1,000' : waiting;
  return {
    status: oldestMs < waitingMs.down ? 'DEGRADED' : 'DOWN',
    detail: `${many} events wait, the oldest for ${Math.round(oldestMs / 1000)} s`,
  };
}

async function itemOf(name: string, kind: HealthKind, ask: () => Promise<Told>): Promise<HealthItem> {
  const begin = performance.now();
  const past = new AbortController();
  const late = setTimeout(deadlineMs, null, { signal: past.signal }).then(() => {
    throw new Problem('upstream_timeout', `No answer within ${deadlineMs / 1000} s`);
  });
  const took = (): number => Math.round(performance.now() - begin);
  try {
    const { status, detail } = await Promise.race([ask(), late]);
    const durationMs = took();
    return { name, kind, status: status ?? (durationMs > lateMs ? 'DEGRADED' : 'UP'), detail, durationMs };
  } catch (violation) {
    const detail = violation instanceof Problem ? violation.message : 'It failed; the log says how';
    return { name, kind, status: 'DOWN', detail, durationMs: took() };
  } finally {
    past.abort();
    late.catch(() => undefined);
  }
}

/** Everything, areas first; never throws. */
export function readHealth(services: AreaServices, context: Context): Promise<HealthItem[]> {
  return Promise.all([
    ...areas.map((area) => itemOf(area, 'AREA', () => askArea(area, context))),
    itemOf('database', 'DATABASE', () => askDatabase(services)),
    itemOf('counters', 'COUNTERS', () => askCounters(services)),
    itemOf('relay', 'RELAY', () => askRelay(services)),
  ]);
}
