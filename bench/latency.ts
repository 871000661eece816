/** Measures the latency of sequential requests from one client. */
import type { OpenContender } from './open.ts';

/** Median and 95th percentile, in milliseconds. */
export interface Latency {
  readonly what: string;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** User and system CPU time of the platform's process per request. */
  readonly cpuMs: number;
  readonly targetMs: number;
}

/** Runs the requests one after the other. */
export async function timed(
  { cpuMicroseconds }: OpenContender,
  what: string,
  targetMs: number,
  works: readonly (() => Promise<unknown>)[],
): Promise<Latency> {
  const times: number[] = [];
  const spent = await cpuMicroseconds();
  for (const work of works) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  const cpuMs = ((await cpuMicroseconds()) - spent) / 1000 / times.length;
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { what, requests: times.length, p50Ms: at(0.5), p95Ms: at(0.95), cpuMs, targetMs };
}

/** The table of a run, in Markdown. */
export function printLatencies(latencies: readonly Latency[]): string {
  const lines = latencies.map(({ what, requests, p50Ms, p95Ms, cpuMs, targetMs }) => {
    const target = `< ${targetMs} ms${p95Ms < targetMs ? '' : ', MISSED'}`;
    return `| ${what} | ${requests} | ${p50Ms.toFixed(1)} | ${p95Ms.toFixed(1)} | ${cpuMs.toFixed(1)} | ${target} |`;
  });
  return ['| what | requests | p50 ms | p95 ms | CPU ms | target of p95 |', '|---|--:|--:|--:|--:|--:|', ...lines].join('\n');
}
