/** The cost of admission: CPU time of one check of a key with its quota, and of a route with and without the check. */
import type { Administration } from '../../commands/administration.ts';
import type { BenchDatabase } from '../database.ts';
import { startChild } from '../calls.ts';
import { firstWarmUpSeconds, median, run } from '../measure.ts';
import { keyWith } from './exactness.ts';
import type { AdmissionSettings, Loop, LoopResult } from './admission.ts';

const allClientCounts: readonly number[] = [1, 64, 512];
const plenty = 1_000_000_000;

export interface LoopCost {
  readonly clients: number;
  /** Microseconds of CPU time of the router's process for each admission: the median of the rounds. */
  readonly cpuUs: number;
  readonly perSecond: number;
}

export interface RouteCost {
  readonly clients: number;
  /** Microseconds of CPU time for each request, without and with admission. */
  readonly withoutUs: number;
  readonly withUs: number;
}

export interface AdmissionCost {
  readonly loops: readonly LoopCost[];
  readonly routes: readonly RouteCost[];
}

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  /** Default: 4. */
  readonly warmUpSeconds?: number;
  /** Numbers of concurrent clients; default: 1, 64 and 512. */
  readonly clientCounts?: readonly number[];
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly report: (line: string) => void;
}

/** Uses one key whose burst limit is a million. */
export async function measureCost(
  { ownerUrl, secret, key }: Pick<BenchDatabase, 'ownerUrl' | 'secret' | 'key'>,
  administration: Administration,
  { name, rounds, seconds, warmUpSeconds = firstWarmUpSeconds, clientCounts = allClientCounts, environment, report }: Options,
): Promise<AdmissionCost> {
  const router = startChild(new URL('admission.ts', import.meta.url).pathname);
  const generator = startChild(new URL('../load.ts', import.meta.url).pathname);
  try {
    const url = await router.call<string>('open', {
      ownerUrl,
      secret,
      redisUrls: environment['REDIS_URL']?.split(',') ?? [],
    } satisfies AdmissionSettings);
    const loop = (key: string, clients: number, length: number): Promise<LoopResult> =>
      router.call('loop', { key, clients, seconds: length } satisfies Loop, length * 1000 + 30_000);
    const route = async (path: string, connections: number): Promise<number> => {
      const request = { method: 'GET', path, headers: { 'x-api-key': key } } as const;
      await run(generator, { url, request, connections, seconds: Math.min(1, seconds) });
      const spent = await router.call<number>('spent');
      const { requests } = await run(generator, { url, request, connections, seconds });
      return ((await router.call<number>('spent')) - spent) / requests;
    };
    await loop(key, 64, warmUpSeconds);
    const loops: LoopCost[] = [];
    const routes: RouteCost[] = [];
    for (const clients of clientCounts) {
      const own = await keyWith(administration, `cost-${name}-${clients}`, { perDay: plenty, perMonth: plenty });
      const taken: LoopResult[] = [];
      for (let round = 0; round < rounds; round += 1) taken.push(await loop(own.key, clients, seconds));
      const cpuUs = median(taken.map(({ cpuMicroseconds, requests }) => cpuMicroseconds / requests));
      loops.push({ clients, cpuUs, perSecond: median(taken.map((one) => one.requests / one.seconds)) });
      report(`${clients} clients: ${cpuUs.toFixed(1)} us for each admission`);
    }
    for (const clients of clientCounts.slice(0, 2)) {
      const [without, withAdmission]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        without.push(await route('/without', clients));
        withAdmission.push(await route('/with', clients));
      }
      routes.push({ clients, withoutUs: median(without), withUs: median(withAdmission) });
    }
    return { loops, routes };
  } finally {
    await generator.stop();
    await router.stop();
  }
}
