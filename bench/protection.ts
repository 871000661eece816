/** `npm run bench -- --protection`: one area stops for a minute under load; the latencies of its callers and of the others. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabase } from './database.ts';
import { openContender } from './open.ts';
import { contenders } from './rows.ts';

const baselineSeconds = 15;
const hangSeconds = 60;
const afterSeconds = 15;
const requestsPerSecond = { own: 20, others: 50 } as const;
/** Time in which the circuit must open. */
const openingSeconds = 5;

/** One request, and when it was sent after the start of its phase. */
interface Sample {
  readonly atMs: number;
  readonly ms: number;
  readonly isComplete: boolean;
}

/** Requests of one kind in one phase. */
export interface ProtectionRow {
  readonly what: string;
  readonly requests: number;
  readonly complete: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
}

export interface Protection {
  readonly rows: readonly ProtectionRow[];
  /** From the continuation of the area to the first complete response. */
  readonly recoverySeconds: number | null;
}

/** Sends requests at a fixed rate, whether or not earlier ones have been answered. */
async function load(send: () => Promise<boolean>, perSecond: number, seconds: number): Promise<Sample[]> {
  const startedMs = performance.now();
  const pending = Array.from({ length: perSecond * seconds }, async (_, index) => {
    await sleep((index * 1000) / perSecond);
    const sentMs = performance.now();
    const isComplete = await send();
    return { atMs: sentMs - startedMs, ms: performance.now() - sentMs, isComplete };
  });
  return await Promise.all(pending);
}

function rowOf(what: string, samples: readonly Sample[]): ProtectionRow {
  const times = samples.map(({ ms }) => ms).sort((one, other) => one - other);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const complete = samples.filter(({ isComplete }) => isComplete).length;
  return { what, requests: times.length, complete, p50Ms: at(0.5), p99Ms: at(0.99), slowestMs: at(1) };
}

/** Stops the process of the athletes area with SIGSTOP: its connections stay open, and nothing is answered. */
export async function measureProtection(database: BenchDatabase, report: (line: string) => void): Promise<Protection> {
  await using resources = new AsyncDisposableStack();
  const opened = await openContender(contenders.roles, { ...database, shop: null });
  resources.defer(opened.close);
  const headers = { 'content-type': 'application/json', 'x-api-key': database.key };
  const query = (text: string) => async (): Promise<boolean> => {
    const response = await fetch(`${opened.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: text }) });
    const { errors } = (await response.json()) as { readonly errors?: unknown };
    return errors === undefined;
  };
  // requests with a key are never shared
  const own = query('{ athletes(first: 5) { nodes { displayName } } }');
  const others = query('{ organizations(first: 5) { nodes { name } } }');
  const phase = async (seconds: number): Promise<{ own: Sample[]; others: Sample[] }> => {
    const samples = [load(own, requestsPerSecond.own, seconds), load(others, requestsPerSecond.others, seconds)] as const;
    return { own: await samples[0], others: await samples[1] };
  };

  await phase(baselineSeconds);
  report(`baseline of ${baselineSeconds} s …`);
  const before = await phase(baselineSeconds);
  report(`athletes stops for ${hangSeconds} s …`);
  opened.signal('athletes', 'SIGSTOP');
  const during = await phase(hangSeconds);
  opened.signal('athletes', 'SIGCONT');
  const after = await phase(afterSeconds);
  const first = after.own.find(({ isComplete }) => isComplete);
  const opening = openingSeconds * 1000;
  return {
    rows: [
      rowOf('other areas, before', before.others),
      rowOf('other areas, while one hangs', during.others),
      rowOf('other areas, afterwards', after.others),
      rowOf('its callers, before', before.own),
      rowOf(
        `its callers, first ${openingSeconds} s`,
        during.own.filter(({ atMs }) => atMs < opening),
      ),
      rowOf(
        `its callers, after ${openingSeconds} s`,
        during.own.filter(({ atMs }) => atMs >= opening),
      ),
      rowOf('its callers, afterwards', after.own),
    ],
    recoverySeconds: first === undefined ? null : (first.atMs + first.ms) / 1000,
  };
}

/** The table of a run, in Markdown. */
export function printProtection({ rows, recoverySeconds }: Protection): string {
  const lines = rows.map(({ what, requests, complete, p50Ms, p99Ms, slowestMs }) => {
    return `| ${what} | ${requests} | ${complete} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} | ${slowestMs.toFixed(0)} |`;
  });
  const header = ['| requests | number | complete | p50 ms | p99 ms | slowest ms |', '|---|--:|--:|--:|--:|--:|'];
  const recovery =
    recoverySeconds === null ? 'did not recover' : `recovered after ${recoverySeconds.toFixed(2)} s (target < 5 s)`;
  return [...header, ...lines, '', `The area ${recovery}.`].join('\n');
}
