/** `npm run bench -- --webhooks`: delivers events while workers are killed and endpoints fail, and compares what was sent and received. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import type { BenchDatabase } from './database.ts';
import { openContender, type OpenContender } from './open.ts';
import { contenders } from './rows.ts';

/** How much is delivered. */
export interface WebhookSize {
  readonly events: number;
  /** How often a worker is killed, one after the other. */
  readonly kills: number;
  /** Pause between two kills. */
  readonly killEveryMs: number;
}

const fullSize: WebhookSize = { events: 100_000, kills: 20, killEveryMs: 8_000 };

/** Shares of requests that a receiver answers with 500, and whose connection it closes. */
const failures = { status: 0.08, closed: 0.02 };

/** Each event has one of these types, and each endpoint receives one of them. */
const types = ['organization.updated', 'organization.status_changed', 'organization.verified', 'organization.created'] as const;

/** What arrived at one endpoint. */
interface Received {
  readonly requests: { count: number; failed: number; unverified: number };
  /** Ids of events that were accepted, and the number of requests for each event. */
  readonly accepted: Set<string>;
  readonly arrivals: Map<string, number>;
  /** Greatest version of each resource, and the first arrivals that came after a later one. */
  readonly versions: Map<string, number>;
  readonly disordered: string[];
}

export interface WebhookFigures extends WebhookSize {
  /** Of the events: those that no endpoint accepted. */
  readonly lost: number;
  readonly disordered: number;
  readonly unverified: number;
  readonly requests: number;
  /** Requests that receivers failed on purpose. */
  readonly failed: number;
  /** Requests for events that had been accepted before: repeated after a crash. */
  readonly repeated: number;
  /** Attempts, and deliveries by status, as the platform stored them. */
  readonly storedAttempts: number;
  readonly succeeded: number;
  readonly seconds: number;
  readonly perSecond: number;
}

async function openReceiver() {
  const received: Received = {
    requests: { count: 0, failed: 0, unverified: 0 },
    accepted: new Set(),
    arrivals: new Map(),
    versions: new Map(),
    disordered: [],
  };
  let webhook: Webhook | null = null;

  function note(headers: Record<string, string>, body: string): string {
    received.requests.count += 1;
    try {
      webhook?.verify(body, headers);
    } catch {
      received.requests.unverified += 1;
    }
    // Cast: the body is an event as the API documents it.
    const { id, resource } = JSON.parse(body) as { id: string; resource: { id: string; version: number } };
    const before = received.arrivals.get(id) ?? 0;
    received.arrivals.set(id, before + 1);
    if (before > 0) return id;
    if (resource.version < (received.versions.get(resource.id) ?? 0)) received.disordered.push(id);
    else received.versions.set(resource.id, resource.version);
    return id;
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // Cast: Node gives each of the headers of a webhook once.
      const id = note(request.headers as Record<string, string>, Buffer.concat(chunks).toString('utf8'));
      const chance = Math.random();
      if (chance < failures.status + failures.closed) {
        received.requests.failed += 1;
        if (chance < failures.closed) return void request.socket.destroy();
        return void response.writeHead(500).end();
      }
      received.accepted.add(id);
      response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Cast: a server that listens on TCP has a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    verifyWith: (secret: string) => void (webhook = new Webhook(secret)),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

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

  const startedMs = performance.now();
  const killing = killWorkers(database, workers, size, report);
  const ids = new Set<string>();
  const chunk = 1_000;
  for (let from = 0; from < size.events; from += chunk)
    for (const id of await writeEvents(client, from, Math.min(chunk, size.events - from))) ids.add(id);
  report(`${ids.size} events written`);
  await killing;
  await untilDelivered(client, ids, receivers);
  const seconds = (performance.now() - startedMs) / 1_000;

  const all = receivers.map(({ received }) => received);
  const sum = (of: (received: Received) => number): number => all.reduce((total, received) => total + of(received), 0);
  const accepted = new Set(all.flatMap((received) => [...received.accepted]));
  const { attempts, succeeded } = await stored(client);
  const requests = sum(({ requests: { count } }) => count);
  const failed = sum(({ requests: { failed: count } }) => count);
  return {
    ...size,
    lost: [...ids].filter((id) => !accepted.has(id)).length,
    disordered: sum(({ disordered }) => disordered.length),
    unverified: sum(({ requests: { unverified } }) => unverified),
    requests,
    failed,
    repeated: requests - failed - accepted.size,
    storedAttempts: attempts,
    succeeded,
    seconds,
    perSecond: requests / seconds,
  };
}

/** The accounts of both sides in Markdown. */
export function printWebhooks(figures: WebhookFigures): string {
  const isMet =
    figures.lost === 0 && figures.disordered === 0 && figures.unverified === 0 && figures.succeeded === figures.events;
  const rows: readonly (readonly [string, number | string])[] = [
    ['events', figures.events],
    ['workers killed', figures.kills],
    ['requests that arrived', figures.requests],
    ['of these, failed on purpose', figures.failed],
    ['of these, repeated after success', figures.repeated],
    ['requests with a wrong signature', figures.unverified],
    ['first attempts out of order', figures.disordered],
    ['events that no endpoint accepted', figures.lost],
    ['attempts stored by the platform', figures.storedAttempts],
    ['deliveries stored as succeeded', figures.succeeded],
    ['seconds', figures.seconds.toFixed(1)],
    ['requests per second', figures.perSecond.toFixed(0)],
  ];
  const lines = rows.map(([name, value]) => `| ${name} | ${value} |`);
  return ['| measure | value |', '|---|--:|', ...lines, '', isMet ? 'Every event arrived, in order.' : 'MISSED'].join('\n');
}
