/** Compares what the platform acknowledged with what it contains at the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { areas } from '../../schema/areas.ts';
import type { Ledger } from './ledger.ts';
import { externalScheme } from './load.ts';
import type { Send } from './requests.ts';

export interface Violations {
  readonly check: string;
  readonly checked: number;
  /** The first of them are printed. */
  readonly violations: readonly string[];
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly externalIds: readonly { readonly scheme: string; readonly value: string }[];
}

export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly resource: { readonly id: string; readonly version: number };
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean };
}

const attemptsMax = 30;

/** All items of a list. Throws Error when a page fails repeatedly. */
async function readAll<Item>(rest: Send, path: string, key: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  for (let attempt = 0; attempt < attemptsMax;) {
    const { status, body, reason } = await rest('verification', `${path}${cursor === null ? '' : `&cursor=${cursor}`}`, { key });
    if (status !== 200) {
      if (attempt === attemptsMax - 1) throw new Error(`${path} returned ${reason ?? status}`);
      attempt += 1;
      await sleep(500);
      continue;
    }
    // Cast: a page as the API documents it.
    const { data, page } = body as Page<Item>;
    items.push(...data);
    if (!page.hasMore || page.nextCursor === null) break;
    cursor = encodeURIComponent(page.nextCursor);
  }
  return items;
}

/** Every acknowledged organization exists once, with its last acknowledged name and version. */
export async function verifyWrites(rest: Send, key: string, ledger: Ledger): Promise<Violations> {
  const rows = await readAll<Row>(rest, '/api/v1/organizations?mine=true&limit=100&fields=id,name,version,externalIds', key);
  const byNumber = Map.groupBy(rows, ({ externalIds }) => externalIds.find(({ scheme }) => scheme === externalScheme)?.value);
  const violations = [...ledger.written.values()].flatMap(({ number, id, name, version }) => {
    const found = byNumber.get(String(number)) ?? [];
    if (found.length === 0) return [`organization ${number} (${id}) is lost`];
    if (found.length > 1) return [`organization ${number} exists ${found.length} times`];
    const [row] = found;
    if (row?.id === id && row.name === name && row.version === version) return [];
    return [`organization ${number}: expected ${id} "${name}" version ${version}, found ${JSON.stringify(row)}`];
  });
  return { check: 'acknowledged writes', checked: ledger.written.size * 2, violations };
}

/** The feed has exactly one event for each version. */
export async function verifyEvents(
  rest: Send,
  key: string,
  ledger: Ledger,
): Promise<{ result: Violations; events: FeedEvent[] }> {
  const path = '/api/v1/events?area=ORGANIZATIONS&limit=100&fields=id,type,sequence,resource';
  let events: FeedEvent[] = [];
  let violations: string[] = [];
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    events = await readAll<FeedEvent>(rest, path, key);
    const versions = Map.groupBy(events, ({ resource }) => `${resource.id} version ${resource.version}`);
    violations = [...ledger.written.values()].flatMap(({ id, version }) =>
      Array.from({ length: version }, (_, index) => `${id} version ${index + 1}`)
        .map((name) => [name, versions.get(name)?.length ?? 0] as const)
        .filter(([, count]) => count !== 1)
        .map(([name, count]) => `${name} has ${count} events`),
    );
    if (violations.length === 0) break;
    await sleep(1_000);
  }
  return { result: { check: 'events of acknowledged writes', checked: events.length, violations }, events };
}

/** Resolves when the stream has delivered the last event, or after half a minute. */
export async function untilStreamed({ streamed }: Ledger, events: readonly FeedEvent[]): Promise<void> {
  const last = Math.max(0, ...events.map(({ sequence }) => sequence));
  for (let attempt = 0; attempt < attemptsMax && (streamed.at(-1)?.sequence ?? 0) < last; attempt += 1) await sleep(1_000);
}

/** The stream delivered every event once, in order. */
export function verifyStream(ledger: Ledger, events: readonly FeedEvent[]): Violations {
  const { streamed } = ledger;
  const ids = new Set(streamed.map(({ id }) => id));
  const first = streamed[0]?.sequence ?? 0;
  const missing = events
    .filter(({ id, sequence }) => sequence >= first && !ids.has(id))
    .map(({ id }) => `event ${id} not streamed`);
  const disordered = streamed
    .filter(({ sequence }, index) => sequence <= (streamed[index - 1]?.sequence ?? -1))
    .map(({ id }) => `event ${id} streamed twice or out of order`);
  return { check: 'events of the stream', checked: streamed.length, violations: [...missing, ...disordered] };
}

/** The receiver accepted every event of an acknowledged write. */
export async function verifyDeliveries(events: readonly FeedEvent[], accepted: ReadonlySet<string>): Promise<Violations> {
  const missing = (): FeedEvent[] => events.filter(({ id }) => !accepted.has(id));
  for (let attempt = 0; attempt < 4 * attemptsMax && missing().length > 0; attempt += 1) await sleep(1_000);
  return {
    check: 'webhook deliveries',
    checked: events.length,
    violations: missing().map(({ id }) => `event ${id} not delivered`),
  };
}

/** No more requests were admitted than the quota and the documented budget without counters (docs/quotas.md). */
export function verifyQuota(ledger: Ledger, perDay: number, routers: number): Violations {
  const most = perDay + routers * Math.max(1, perDay / 100);
  const violations = ledger.granted > most ? [`${ledger.granted} requests admitted, at most ${most} allowed`] : [];
  return { check: `requests within a quota of ${perDay}`, checked: ledger.granted, violations };
}

/** No consumer has dead letters, and each has applied all events. */
export async function verifyConsumers(ownerUrl: string): Promise<Violations> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const violations: string[] = [];
    for (const area of areas) {
      const { rows } = await client.query<{ consumer: string; total: number }>(
        `select consumer, count(*)::int as total from ${area}.dead_letter group by consumer`,
      );
      violations.push(...rows.map(({ consumer, total }) => `${total} dead letters of ${area} ${consumer}`));
    }
    return { check: 'dead letters of consumers', checked: areas.length, violations };
  } finally {
    await client.end();
  }
}
