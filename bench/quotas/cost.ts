/** What admission costs: CPU time of one check of a key with its quota, and of a route with it beside the same route without. */
import type { BenchDatabase } from '../database.ts';
import { startChild } from '../calls.ts';
import { firstWarmUpSeconds, median, run } from '../measure.ts';
import type { AdmissionSettings, Loop, LoopResult } from './admission.ts';

const clientCounts = [1, 64, 512];

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
  readonly environment: Readonly<Record<string, string>>;
  readonly tell: (line: string) => void;
}

/** Of one key that no limit stops. */
export async function measureCost(
  { ownerUrl, secret, key }: Pick<BenchDatabase, 'ownerUrl' | 'secret' | 'key'>,
  { rounds, seconds, environment, tell }: Options,
): Promise<AdmissionCost> {
  const router = startChild(new URL('admission.ts', import.meta.url).pathname);
  const generator = startChild(new URL('../load.ts', import.meta.url).pathname);
  try {
    const url = await router.call<string>('open', {
      ownerUrl,
      secret,
      redisUrls: environment['REDIS_URL']?.split(',') ?? [],
    } satisfies AdmissionSettings);
    const loop = (clients: number, length: number): Promise<LoopResult> =>
      router.call('loop', { key, clients, seconds: length } satisfies Loop, length * 1000 + 30_000);
    const route = async (path: string, connections: number): Promise<number> => {
      const request = { method: 'GET', path, headers: { 'x-api-key': key } } as const;
      await run(generator, { url, request, connections, seconds: 1 });
      const spent = await router.call<number>('spent');
      const { requests } = await run(generator, { url, request, connections, seconds });
      return ((await router.call<number>('spent')) - spent) / requests;
    };
    await loop(64, firstWarmUpSeconds);
    const loops: LoopCost[] = [];
    const routes: RouteCost[] = [];
    for (const clients of clientCounts) {
      const taken: LoopResult[] = [];
      for (let round = 0; round < rounds; round += 1) taken.push(await loop(clients, seconds));
      const cpuUs = median(taken.map(({ cpuMicroseconds, requests }) => cpuMicroseconds / requests));
      loops.push({ clients, cpuUs, perSecond: median(taken.map((one) => one.requests / one.seconds)) });
      tell(`${clients} clients: ${cpuUs.toFixed(1)} us for each admission`);
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
