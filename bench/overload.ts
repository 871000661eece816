/** `npm run bench -- --overload`: goodput and latencies at 1, 3 and 8 times the capacity of one process, without and with the shedding of load. */
import { startChild, type Child } from './calls.ts';
import { openAccounts, type BenchDatabase } from './database.ts';
import type { Load, LoadResult } from './load.ts';
import type { OpenLoad, StreamResult } from './open-load.ts';
import { openContender } from './open.ts';
import { contenders } from './rows.ts';

const path = '/api/v1/athletes?limit=20';
const factors = [1, 3, 8] as const;
/** Share of the capacity that the well-behaved key requests. */
const fairShare = 0.1;
const unloadedShare = 0.3;
const probesPerSecond = 5;
const callTimeoutMs = 180_000;

/** One load on one set-up. */
export interface OverloadRow {
  readonly shedding: boolean;
  /** Requests per second as a factor of the capacity; 0: unloaded. */
  readonly factor: number;
  readonly goodput: number;
  readonly flood: StreamResult;
  readonly fair: StreamResult;
  readonly probes: StreamResult;
}

export interface Overload {
  /** Complete requests per second of 16 connections without shedding. */
  readonly capacity: number;
  readonly rows: readonly OverloadRow[];
}

async function issueKey(database: BenchDatabase, accountName: string): Promise<string> {
  const { execute, close } = await openAccounts(database);
  const input = { accountName, name: 'overload', plan: 'plenty', scopes: [] };
  const issued = await execute<{ readonly issueApiKey: { readonly key: string } }>(
    'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }',
    { input },
  );
  await close();
  return issued.issueApiKey.key;
}

interface Keys {
  readonly flood: string;
  readonly fair: string;
}

async function measureRow(generator: Child, url: string, keys: Keys, seconds: number, perSecond: number, fairPerSecond: number) {
  const load: OpenLoad = {
    url,
    warmUpSeconds: 3,
    seconds,
    streams: [
      { name: 'flood', path, headers: { 'x-api-key': keys.flood }, perSecond: perSecond - fairPerSecond },
      { name: 'fair', path, headers: { 'x-api-key': keys.fair }, perSecond: fairPerSecond },
      { name: 'probes', path: '/ready', headers: {}, perSecond: probesPerSecond },
    ],
  };
  const [flood, fair, probes] = await generator.call<StreamResult[]>('run', load, callTimeoutMs);
  if (flood === undefined || fair === undefined || probes === undefined) throw new Error('a stream has no result');
  return { goodput: flood.perSecond + fair.perSecond, flood, fair, probes };
}

/** All figures are from one run: both set-ups have the same database, machine and capacity. */
export async function measureOverload(
  database: BenchDatabase,
  seconds: number,
  report: (line: string) => void,
): Promise<Overload> {
  await using resources = new AsyncDisposableStack();
  const keys: Keys = { flood: database.key, fair: await issueKey(database, 'Fair') };
  const open = (file: string): Child => {
    const child = startChild(new URL(file, import.meta.url).pathname);
    resources.defer(() => child.stop());
    return child;
  };
  const [closed, generator] = [open('load.ts'), open('open-load.ts')];
  const rows: OverloadRow[] = [];
  let capacity = 0;
  for (const shedding of [false, true]) {
    const environment = { LOAD_SHEDDING: String(shedding) };
    const platform = await openContender(contenders.platform, { ...database, shop: null, environment });
    try {
      const request = { method: 'GET', path, headers: { 'x-api-key': keys.flood } } as const;
      const load: Load = { url: platform.url, request, connections: 16, seconds };
      const run = () => closed.call<LoadResult>('run', load, callTimeoutMs);
      if (!shedding) {
        await run();
        capacity = (await run()).requestsPerSecond;
        report(`capacity ${capacity.toFixed(0)} per second …`);
      }
      for (const factor of [0, ...factors]) {
        const perSecond = capacity * (factor === 0 ? unloadedShare : factor);
        const row = await measureRow(generator, platform.url, keys, seconds, perSecond, capacity * fairShare);
        rows.push({ shedding, factor, ...row });
        report(`${shedding ? 'with' : 'without'} shedding, ${factor} times: ${row.goodput.toFixed(0)} per second`);
      }
    } finally {
      await platform.close();
    }
  }
  return { capacity, rows };
}

/** The table of a run, in Markdown. */
export function printOverload({ capacity, rows }: Overload): string {
  const lines = rows.map(({ shedding, factor, goodput, flood, fair, probes }) => {
    const cells = [
      shedding ? 'on' : 'off',
      factor === 0 ? `${unloadedShare}` : factor,
      goodput.toFixed(0),
      `${fair.complete} of ${fair.sent}`,
      `${fair.p50Ms.toFixed(0)} / ${fair.p99Ms.toFixed(0)}`,
      `${flood.p50Ms.toFixed(0)} / ${flood.p99Ms.toFixed(0)}`,
      flood.rejectedP99Ms.toFixed(0),
      flood.failed + fair.failed,
      probes.p99Ms.toFixed(0),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    `Capacity: ${capacity.toFixed(0)} requests per second (16 connections, without shedding).`,
    '',
    '| shedding | load | complete per second | well-behaved key: complete | its p50 / p99 ms | flooding key: p50 / p99 ms | 503 p99 ms | failed | `/ready` p99 ms |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...lines,
  ].join('\n');
}
