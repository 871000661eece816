/** `npm run bench -- --webhooks`: delivers events while workers are killed and endpoints fail, and compares what was sent and received. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createPostgresTime } from './costs/processor-time.ts';
import type { BenchDatabase } from './database.ts';
import { openContender, type OpenContender } from './open.ts';
import { contenders } from './rows.ts';
import { openReceiver, type Received, type Receiver } from './webhook-receiver.ts';
import type { CalmDeliveries, WebhookFigures, WebhookSize } from './webhook-table.ts';

const fullSize: WebhookSize = { events: 100_000, kills: 20, killEveryMs: 8_000 };

/** Each event has one of these types, and each endpoint receives one of them. */
const types = ['organization.updated', 'organization.status_changed', 'organization.verified', 'organization.created'] as const;

const openWorker = ({ ownerUrl, secret }: BenchDatabase): Promise<OpenContender> =>
  openContender(contenders.platform, { ownerUrl, secret, shop: null, environment: { WEBHOOKS_ALLOW_LOCAL: 'true' } });

async function createEndpoint(platform: OpenContender, key: string, receiver: Receiver, type: string): Promise<void> {
  const response = await fetch(`${platform.url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ url: receiver.url, types: [type] }),
  });
  if (response.status !== 201) throw new Error(`The endpoint was not created: ${await response.text()}`);
  // Cast: the response that the API documents.
  const { secret } = (await response.json()) as { secret: string };
  receiver.verifyWith(secret);
}

/** Writes events about existing organizations, each in turn with increasing versions. Returns their ids. */
async function writeEvents(client: pg.Client, from: number, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with resources as materialized (select array_agg(id) as ids, count(*)::int as total from organizations.organization where status = 'ACTIVE'),
     written as (insert into organizations.outbox (type, resource_type, resource_id, version, subject_id, was_public)
       select ($3::text[])[1 + n % ${types.length}], 'organization', ids[1 + n % total], 1000 + n, ids[1 + n % total], true
       from resources, generate_series($1::int, $2::int) n order by n returning id),
     woken as (select pg_notify('outbox', ''))
     select id from written, woken`,
    [from, from + count - 1, types],
  );
  return rows.map(({ id }) => id);
}

/** Kills the workers in turn, and replaces each. The other one takes over. */
async function killWorkers(database: BenchDatabase, workers: OpenContender[], size: WebhookSize, report: (line: string) => void) {
  for (let kill = 0; kill < size.kills; kill += 1) {
    await sleep(size.killEveryMs);
    const index = kill % workers.length;
    workers[index]?.kill();
    workers[index] = await openWorker(database);
    report(`worker killed ${kill + 1} times`);
  }
}

/** Waits until every event was accepted and stored, and repeats failed attempts without their pauses. Throws Error without progress. */
async function untilDelivered(client: pg.Client, ids: ReadonlySet<string>, receivers: readonly Receiver[]): Promise<void> {
  let [last, lastAt] = [-1, Date.now()];
  for (;;) {
    await client.query(
      "update accounts.webhook_delivery set next_attempt_at = now() where attempts > 0 and next_attempt_at > now() + interval '2 seconds'",
    );
    const { rows } = await client.query<{ open: number }>(
      "select count(*)::int as open from accounts.webhook_delivery where status = 'PENDING'",
    );
    const accepted = new Set(receivers.flatMap(({ received }) => [...received.accepted]));
    const left = [...ids].filter((id) => !accepted.has(id)).length;
    if (left === 0 && rows[0]?.open === 0) return;
    if (left + (rows[0]?.open ?? 0) !== last) [last, lastAt] = [left + (rows[0]?.open ?? 0), Date.now()];
    // the report shows what is missing
    if (Date.now() - lastAt > 60_000) return;
    await sleep(500);
  }
}

async function stored(client: pg.Client): Promise<{ attempts: number; succeeded: number }> {
  const { rows } = await client.query<{ attempts: number; succeeded: number }>(
    `select (select count(*)::int from accounts.webhook_attempt) as attempts,
      (select count(*)::int from accounts.webhook_delivery where status = 'SUCCEEDED') as succeeded`,
  );
  return rows[0] ?? { attempts: 0, succeeded: 0 };
}

/** Writes events in chunks. Returns their ids. */
async function writeAll(client: pg.Client, from: number, count: number): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let done = 0; done < count; done += 1_000)
    for (const id of await writeEvents(client, from + done, Math.min(1_000, count - done))) ids.add(id);
  return ids;
}

/** Delivers a tenth of the events without failures, and measures the CPU time. */
async function deliverCalmly(
  client: pg.Client,
  { events }: WebhookSize,
  { dataDirectory }: BenchDatabase,
  { workers, receivers }: { readonly workers: readonly OpenContender[]; readonly receivers: readonly Receiver[] },
): Promise<CalmDeliveries> {
  const postgresMs = createPostgresTime(dataDirectory);
  const read = async () => {
    const micros = await Promise.all(workers.map((worker) => worker.cpuMicroseconds()));
    return { nodeMs: micros.reduce((sum, each) => sum + each, 0) / 1_000, sqlMs: postgresMs() };
  };
  // the queries of events are compiled
  await untilDelivered(client, await writeAll(client, 0, 100), receivers);
  const count = Math.ceil(events / 10);
  const [before, startedMs] = [await read(), performance.now()];
  await untilDelivered(client, await writeAll(client, 100, count), receivers);
  const [after, seconds] = [await read(), (performance.now() - startedMs) / 1_000];
  const per = (kind: 'nodeMs' | 'sqlMs'): number => (after[kind] - before[kind]) / count;
  return { events: count, perSecond: count / seconds, nodeMs: per('nodeMs'), sqlMs: per('sqlMs') };
}

/** Delivers the events to four endpoints that fail at random, while the two workers are killed in turn. */
export async function measureWebhooks(
  database: BenchDatabase,
  report: (line: string) => void,
  size: WebhookSize = fullSize,
): Promise<WebhookFigures> {
  await using resources = new AsyncDisposableStack();
  const client = new pg.Client({ connectionString: database.ownerUrl, application_name: 'bench' });
  await client.connect();
  resources.defer(() => client.end());
  const receivers = await Promise.all(types.map(openReceiver));
  resources.defer(async () => void (await Promise.all(receivers.map((receiver) => receiver.close()))));
  const workers = [await openWorker(database), await openWorker(database)];
  resources.defer(async () => void (await Promise.all(workers.map((worker) => worker.close()))));
  for (const [index, receiver] of receivers.entries())
    if (workers[0] && types[index]) await createEndpoint(workers[0], database.key, receiver, types[index]);

  const calm = await deliverCalmly(client, size, database, { workers, receivers });
  report(`${calm.perSecond.toFixed(0)} deliveries per second without failures`);
  const before = receivers.reduce((total, { received }) => total + received.requests.count, 0);
  for (const receiver of receivers) receiver.failAtRandom();

  const startedMs = performance.now();
  const killing = killWorkers(database, workers, size, report);
  const ids = await writeAll(client, calm.events + 100, size.events);
  report(`${ids.size} events written`);
  await killing;
  await untilDelivered(client, ids, receivers);
  const seconds = (performance.now() - startedMs) / 1_000;

  const all = receivers.map(({ received }) => received);
  const sum = (of: (received: Received) => number): number => all.reduce((total, received) => total + of(received), 0);
  const accepted = new Set(all.flatMap((received) => [...received.accepted]));
  const { attempts, succeeded } = await stored(client);
  const requests = sum(({ requests: { count } }) => count) - before;
  const failed = sum(({ requests: { failed: count } }) => count);
  return {
    ...size,
    calm,
    lost: [...ids].filter((id) => !accepted.has(id)).length,
    disordered: sum(({ disordered }) => disordered.length),
    unverified: sum(({ requests: { unverified } }) => unverified),
    requests,
    failed,
    repeated: requests + before - failed - accepted.size,
    storedAttempts: attempts - before,
    succeeded: succeeded - before,
    seconds,
    perSecond: requests / seconds,
  };
}
