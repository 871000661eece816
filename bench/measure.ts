/** Measures rows in rounds, every row once per round, so that a disturbance of the machine affects all rows. */
import { requestList, requireEqualResponses, type ListResponse } from './responses.ts';
import { startChild, type Child } from './calls.ts';
import type { Load, LoadResult } from './load.ts';
import type { OpenContender } from './open.ts';
import type { Row } from './rows.ts';

export interface Measured {
  readonly name: string;
  readonly title: string;
  /** CPU time of all processes of the contender per request, in milliseconds: the median of the rounds. */
  readonly cpuMs: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of all rounds. */
  readonly requests: number;
  /** CPU time per request of each round. */
  readonly rounds: readonly number[];
  readonly bytes: number;
}

export interface MeasureOptions {
  readonly key: string;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Folder for the CPU profiles of the last round; null for none. */
  readonly profileFolder: string | null;
  readonly report: (line: string) => void;
}

export interface Sample extends LoadResult {
  readonly cpuMs: number;
}

/** The first warm-up is long enough for the code to be compiled; later ones wake the processes up. */
export const firstWarmUpSeconds = 4;
export const warmUpSeconds = 1;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export const run = (generator: Child, load: Load): Promise<LoadResult> =>
  generator.call('run', load, load.seconds * 1000 + 30_000);

async function sample(generator: Child, contender: OpenContender, load: Load, warmUp: number): Promise<Sample> {
  await run(generator, { ...load, seconds: warmUp });
  const before = await contender.cpuMicroseconds();
  const result = await run(generator, load);
  const spent = (await contender.cpuMicroseconds()) - before;
  return { ...result, cpuMs: spent / result.requests / 1000 };
}

/** Throws Error when the rows return different athletes or headers. */
export async function requestAll(
  rows: readonly Row[],
  openOf: (row: Row) => OpenContender,
  key: string,
): Promise<ListResponse[]> {
  const responses = await Promise.all(rows.map((row) => requestList(row, openOf(row).url, row.request(key))));
  requireEqualResponses(responses);
  return responses;
}

/** Checks the responses, then measures. `openOf` returns the opened contender of a row. */
export async function measure(
  rows: readonly Row[],
  openOf: (row: Row) => OpenContender,
  { key, seconds, rounds, connections, profileFolder, report }: MeasureOptions,
): Promise<Measured[]> {
  const responses = await requestAll(rows, openOf, key);
  report(`${responses.length} responses are equal.`);
  const generator = startChild(new URL('load.ts', import.meta.url).pathname);
  const loadOf = (row: Row): Load => {
    const { etag = null } = responses.find((each) => each.row === row) ?? {};
    const request = row.request(key);
    const load = { url: openOf(row).url, request, connections, seconds };
    if (row.revalidates !== true || etag === null) return load;
    return { ...load, request: { ...request, headers: { ...request.headers, 'if-none-match': etag } }, status: 304 };
  };
  const samples = new Map<Row, Sample[]>(rows.map((row) => [row, []]));
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const [row, taken] of samples) {
        const load = loadOf(row);
        const one = await sample(generator, openOf(row), load, round === 1 ? firstWarmUpSeconds : warmUpSeconds);
        taken.push(one);
        if (profileFolder !== null && round === rounds) await openOf(row).profile(profileFolder, () => run(generator, load));
        report(`round ${round} of ${rounds}: ${row.name} ${one.cpuMs.toFixed(3)} ms`);
      }
    }
  } finally {
    await generator.stop();
  }
  return responses.map(({ row: { name, title }, bytes }, index) => {
    const taken = [...samples.values()][index] ?? [];
    const of = (fact: keyof Sample): number => median(taken.map((one) => one[fact]));
    const rates = { requestsPerSecond: of('requestsPerSecond'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') };
    const requests = taken.reduce((sum, one) => sum + one.requests, 0);
    return { name, title, cpuMs: of('cpuMs'), ...rates, requests, rounds: taken.map((one) => one.cpuMs), bytes };
  });
}
