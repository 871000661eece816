/** `npm run bench -- --cache`: the age of kept responses over two processes, and the CPU time of static pages. */
import { Client } from 'undici';
import { openRandom } from '../platform/random.ts';
import type { BenchDatabase } from './database.ts';
import { openContender, type OpenContender } from './open.ts';
import { contenders } from './rows.ts';

export interface CacheAges {
  readonly writes: number;
  readonly reads: number;
  /** Reads of the process that wrote which returned an older version than acknowledged. */
  readonly staleOwn: number;
  /** Reads of the other process that returned a version that was replaced more than a second before. */
  readonly staleOther: number;
  /** The largest age of a response of the other process: the time since its version was replaced. */
  readonly oldestMs: number;
  /** CPU time of 250 pipelined requests for `/docs`. */
  readonly pagesCpuMs: number;
}

/** A version of a resource, and when its successor was acknowledged. */
interface Written {
  replacedAtMs: number;
}

const resources = 20;
const clients = 8;
const pagesCount = 250;
const ageMaxMs = 1_000;

async function send(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ id: string; name: string }> {
  const response = await fetch(`${url}/api/v1/organizations${path}`, {
    method,
    headers: {
      'x-api-key': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json', ...(method === 'PATCH' ? { 'if-match': '*' } : {}) }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  // Cast: the platform returns an organization.
  return JSON.parse(text) as { id: string; name: string };
}

/** Sends requests on one connection, pipelined within the limit of the platform. Throws Error when a response is not 200. */
async function pipelined(url: string, path: string, count: number): Promise<void> {
  const client = new Client(url, { pipelining: 8 });
  try {
    const request = async (): Promise<number> => {
      const { statusCode, body } = await client.request({ method: 'GET', path, headers: { 'accept-encoding': 'br' } });
      await body.dump();
      return statusCode;
    };
    const statuses = await Promise.all(Array.from({ length: count }, request));
    const failure = statuses.find((status) => status !== 200);
    if (failure !== undefined) throw new Error(`GET ${path}: ${failure}`);
  } finally {
    await client.close();
  }
}

async function pagesCpuMs(platform: OpenContender): Promise<number> {
  await pipelined(platform.url, '/docs', 3);
  const before = await platform.cpuMicroseconds();
  await pipelined(platform.url, '/docs', pagesCount);
  return ((await platform.cpuMicroseconds()) - before) / 1000;
}

/** Random writes and reads over two processes of one database. Each resource is written by one client at a time. */
export async function measureCacheAges(
  database: Pick<BenchDatabase, 'ownerUrl' | 'secret' | 'key'>,
  operations: number,
  report: (line: string) => void,
): Promise<CacheAges> {
  const { key } = database;
  await using opened = new AsyncDisposableStack();
  const processes: OpenContender[] = [];
  for (let index = 0; index < 2; index += 1) {
    const process = await openContender(contenders.cached, { ...database, shop: null });
    opened.defer(process.close);
    processes.push(process);
  }
  const urls = processes.map(({ url }) => url);
  const at = (index: number): string => urls[index % 2] ?? '';
  const club = { type: 'CLUB', name: '0', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  const ids = await Promise.all(Array.from({ length: resources }, async () => (await send(at(0), key, 'POST', '', club)).id));
  const versions = new Map(ids.map((id) => [id, [{ replacedAtMs: Infinity }] as Written[]]));
  /** The last acknowledged version of each process. */
  const acknowledged = new Map(ids.map((id) => [id, [0, 0]]));
  const random = openRandom('cache');
  const counted = { writes: 0, reads: 0, staleOwn: 0, staleOther: 0, oldestMs: 0 };

  async function write(id: string, process: number): Promise<void> {
    const all = versions.get(id) ?? [];
    const version = all.push({ replacedAtMs: Infinity }) - 1;
    await send(at(process), key, 'PATCH', `/${id}`, { name: String(version) });
    const now = performance.now();
    for (const before of all.slice(0, version)) before.replacedAtMs = Math.min(before.replacedAtMs, now);
    (acknowledged.get(id) ?? [])[process] = version;
    counted.writes += 1;
  }

  async function read(id: string, process: number): Promise<void> {
    const before = acknowledged.get(id)?.[process] ?? 0;
    const sentMs = performance.now();
    const version = Number((await send(at(process), key, 'GET', `/${id}`)).name);
    const { replacedAtMs = Infinity } = versions.get(id)?.[version] ?? {};
    const ageMs = Math.max(0, sentMs - replacedAtMs);
    counted.reads += 1;
    if (version < before) counted.staleOwn += 1;
    if (ageMs > ageMaxMs) counted.staleOther += 1;
    counted.oldestMs = Math.max(counted.oldestMs, ageMs);
  }

  let left = operations;
  async function run(client: number): Promise<void> {
    // a client writes its own resources, so that versions have an order, and reads all of them
    const own = ids.filter((_, index) => index % clients === client);
    while (left-- > 0) {
      const process = random.integer(0, 1);
      if (random.chance(0.2)) await write(random.pick(own), process);
      else await read(random.pick(ids), process);
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  report(`${counted.writes} writes and ${counted.reads} reads.`);
  const [first] = processes;
  return { ...counted, pagesCpuMs: first === undefined ? 0 : await pagesCpuMs(first) };
}

/** The table of a run, in Markdown. */
export function printCacheAges({ writes, reads, staleOwn, staleOther, oldestMs, pagesCpuMs: pagesMs }: CacheAges): string {
  return `| what | value | target |
|---|--:|---|
| writes, reads over two processes | ${writes}, ${reads} | |
| older than a write of the same process | ${staleOwn} | 0 |
| replaced more than a second before | ${staleOther} | 0 |
| oldest response of the other process | ${oldestMs.toFixed(0)} ms | < 1000 ms |
| 250 pipelined requests for /docs | ${pagesMs.toFixed(0)} ms of CPU | < 200 ms |`;
}
