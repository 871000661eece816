/** `npm run bench -- --gateways`: compares gateways over the shop by the CPU time that each request costs the gateway's process. */
import { isDeepStrictEqual } from 'node:util';
import { startChild, type Child } from '../calls.ts';
import type { LoadResult } from '../load.ts';
import { firstWarmUpSeconds, median, run, warmUpSeconds } from '../measure.ts';
import { openContender, type OpenContender } from '../open.ts';
import type { Spent } from '../part.ts';
import { counted, shopRequest } from './query.ts';
import type { GatewayRow } from './rows.ts';
import type { Shop } from './supergraph.ts';

export interface MeasuredGateway {
  readonly name: string;
  readonly title: string;
  /** CPU time of the gateway's process per request, in milliseconds: the median of the rounds. */
  readonly cpuMs: number;
  /** The same for areas in separate processes. */
  readonly areasCpuMs: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Area queries per request. */
  readonly fetches: number;
  /** Peak memory of the gateway's process. */
  readonly peakMebibytes: number;
  readonly rounds: readonly number[];
  readonly bytes: number;
}

export interface GatewayOptions {
  readonly shop: Shop;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Folder for the CPU profiles of the last round; null for none. */
  readonly profileFolder: string | null;
  readonly report: (line: string) => void;
}

interface Sample extends Pick<LoadResult, 'requestsPerSecond' | 'p50Ms' | 'p99Ms'> {
  readonly cpuMs: number;
  readonly areasCpuMs: number;
}

interface GatewayResponses {
  readonly fetches: number;
  readonly bytes: number;
  readonly data: readonly unknown[];
}

/** Throws Error with the response when it contains anything but data. */
async function execute({ url }: OpenContender, name: string, number: number): Promise<{ data: unknown; bytes: number }> {
  const { path, method, headers, body = '' } = shopRequest;
  const response = await fetch(url + path, { method, headers, body: body.replace(counted, String(number)) });
  const text = await response.text();
  const { data, errors } = JSON.parse(text) as { readonly data?: unknown; readonly errors?: unknown };
  if (response.status !== 200 || errors !== undefined || data === undefined)
    throw new Error(`${name} returned ${response.status}: ${text.slice(0, 2000)}`);
  return { data, bytes: text.length };
}

const sum = (spent: readonly Spent[], fact: keyof Spent): number => spent.reduce((total, each) => total + each[fact], 0);

const numbers = [0, 1, 29] as const;

async function askAll(contender: OpenContender, name: string): Promise<GatewayResponses> {
  const before = sum(await contender.spent(), 'fetches');
  const responses: Awaited<ReturnType<typeof execute>>[] = [];
  for (const number of numbers) responses.push(await execute(contender, name, number));
  const fetches = (sum(await contender.spent(), 'fetches') - before) / numbers.length;
  return { fetches, bytes: responses[0]?.bytes ?? 0, data: responses.map(({ data }) => data) };
}

/** Throws Error when two gateways return different responses, or when two numbers return the same response. */
async function requireEqual(open: ReadonlyMap<GatewayRow, OpenContender>): Promise<Map<GatewayRow, GatewayResponses>> {
  const responses = new Map<GatewayRow, GatewayResponses>();
  for (const [row, contender] of open) responses.set(row, await askAll(contender, row.name));
  const [first, ...others] = responses;
  if (first === undefined) return responses;
  const [{ name }, { data }] = first;
  if (isDeepStrictEqual(data[0], data[1])) throw new Error('Two numbers have the same response.');
  const other = others.find((each) => !isDeepStrictEqual(each[1].data, data));
  if (other !== undefined) throw new Error(`${name} and ${other[0].name} response differently.`);
  return responses;
}

async function sample(generator: Child, contender: OpenContender, options: GatewayOptions, warmUp: number): Promise<Sample> {
  const load = { url: contender.url, request: shopRequest, connections: options.connections, seconds: options.seconds };
  await run(generator, { ...load, seconds: warmUp });
  const before = await contender.spent();
  const { requests, ...result } = await run(generator, load);
  const after = await contender.spent();
  const cpuOf = (spent: readonly Spent[]): number => sum(spent, 'cpuMicroseconds') / 1000;
  return {
    ...result,
    cpuMs: (cpuOf(after.slice(-1)) - cpuOf(before.slice(-1))) / requests,
    areasCpuMs: (cpuOf(after.slice(0, -1)) - cpuOf(before.slice(0, -1))) / requests,
  };
}

/** Opens each gateway; `resources` closes it. */
async function openGateways(
  rows: readonly GatewayRow[],
  shop: Shop,
  resources: AsyncDisposableStack,
  isProfiled = false,
): Promise<Map<GatewayRow, OpenContender>> {
  const open = new Map<GatewayRow, OpenContender>();
  for (const row of rows) {
    // the gateways need no database
    const contender = await openContender(row.parts, { ownerUrl: '', secret: '', shop, isProfiled });
    resources.defer(contender.close);
    open.set(row, contender);
  }
  return open;
}

/** Throws Error when two gateways return different responses. */
export async function checkGateways(rows: readonly GatewayRow[], shop: Shop): Promise<void> {
  await using resources = new AsyncDisposableStack();
  await requireEqual(await openGateways(rows, shop, resources));
}

/** Opens the gateways, checks that their responses are equal, measures them in rounds, and closes them. */
export async function measureGateways(rows: readonly GatewayRow[], options: GatewayOptions): Promise<MeasuredGateway[]> {
  const { shop, rounds, profileFolder, report } = options;
  await using resources = new AsyncDisposableStack();
  const open = await openGateways(rows, shop, resources, profileFolder !== null);
  const responses = await requireEqual(open);
  report(`${rows.length} gateways give equal responses of ${[...responses.values()][0]?.bytes ?? 0} bytes.`);
  const generator = startChild(new URL('../load.ts', import.meta.url).pathname);
  resources.defer(generator.stop);
  const samples = new Map<GatewayRow, Sample[]>(rows.map((row) => [row, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [row, contender] of open) {
      const one = await sample(generator, contender, options, round === 1 ? firstWarmUpSeconds : warmUpSeconds);
      samples.get(row)?.push(one);
      report(`round ${round} of ${rounds}: ${row.name} ${one.cpuMs.toFixed(3)} ms`);
      const load = { url: contender.url, request: shopRequest, connections: options.connections, seconds: options.seconds };
      if (profileFolder !== null && round === rounds) await contender.profile(profileFolder, () => run(generator, load));
    }
  }
  return await Promise.all(
    [...open].map(async ([row, contender]) => {
      const taken = samples.get(row) ?? [];
      const of = (fact: keyof Sample): number => median(taken.map((one) => one[fact]));
      const gateway = (await contender.spent()).at(-1);
      return {
        name: row.name,
        title: row.title,
        cpuMs: of('cpuMs'),
        areasCpuMs: of('areasCpuMs'),
        requestsPerSecond: of('requestsPerSecond'),
        p50Ms: of('p50Ms'),
        p99Ms: of('p99Ms'),
        fetches: responses.get(row)?.fetches ?? 0,
        peakMebibytes: (gateway?.peakKibibytes ?? 0) / 1024,
        rounds: taken.map((one) => one.cpuMs),
        bytes: responses.get(row)?.bytes ?? 0,
      };
    }),
  );
}
