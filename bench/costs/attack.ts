/** The latency of normal reads while an anonymous caller with the limits of a new installation sends the worst request once per second. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openAccounts, type BenchDatabase } from '../database.ts';
import type { WorstRequest } from './worst-requests.ts';

/** p99 in milliseconds, and the number of responses by status. */
export interface Normal {
  readonly p99Ms: number;
  readonly statuses: Readonly<Record<string, number>>;
}

export interface Attack {
  readonly name: string;
  readonly alone: Normal;
  readonly attacked: Normal;
  /** Responses of the attacker by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

const normalPerSecond = 50;
const normalPath = '/api/v1/athletes?limit=20';
/** The plan of anonymous callers in a new installation (docs/limits.md). */
const freeLimits = { burstPerMinute: 60, perDay: 1_000, perMonth: 10_000 };
/** Routers apply a change of a plan within a second. */
const planChangeMs = 1_500;

/** Counts responses by status. */
function createStatuses() {
  const counts: Record<string, number> = {};
  return { counts, add: (status: number): void => void (counts[status] = (counts[status] ?? 0) + 1) };
}

/** Sends reads at fixed times, whether or not earlier ones have been answered. */
async function readNormally(url: string, key: string, seconds: number): Promise<Normal> {
  const times: number[] = [];
  const statuses = createStatuses();
  const sent: Promise<void>[] = [];
  const startMs = performance.now();
  for (let index = 0; index < seconds * normalPerSecond; index += 1) {
    const dueMs = startMs + (index * 1000) / normalPerSecond;
    await sleep(Math.max(0, dueMs - performance.now()));
    const read = async (): Promise<void> => {
      const response = await fetch(url + normalPath, { headers: { 'x-api-key': key } });
      await response.arrayBuffer();
      statuses.add(response.status);
      times.push(performance.now() - dueMs);
    };
    sent.push(read());
  }
  await Promise.all(sent);
  times.sort((one, other) => one - other);
  return { p99Ms: times[Math.floor(times.length * 0.99)] ?? 0, statuses: statuses.counts };
}

/** Gives anonymous callers the limits of a new installation. */
async function limitAnonymousCallers(database: Pick<BenchDatabase, 'ownerUrl' | 'secret'>): Promise<void> {
  const { execute, close } = await openAccounts(database);
  try {
    await execute('mutation ($input: ChangePlanInput!) { changePlan(code: "free", ifMatch: "*", input: $input) { code } }', {
      input: { limits: freeLimits },
    });
  } finally {
    await close();
  }
  await sleep(planChangeMs);
}

export interface AttackOptions {
  readonly url: string;
  readonly worst: WorstRequest;
  readonly seconds: number;
  readonly report: (line: string) => void;
}

/** Measures normal reads alone, then during the attack. */
export async function measureAttack(
  database: Pick<BenchDatabase, 'ownerUrl' | 'secret' | 'key'>,
  { url, worst, seconds, report }: AttackOptions,
): Promise<Attack> {
  await limitAnonymousCallers(database);
  await readNormally(url, database.key, 3);
  const alone = await readNormally(url, database.key, seconds);
  report(`Normal reads alone: p99 ${alone.p99Ms.toFixed(1)} ms.`);
  const { counts, add } = createStatuses();
  const { path, body } = worst.request;
  const attacks: Promise<void>[] = [];
  const attack = async (): Promise<void> => {
    const init = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const response = await fetch(url + path, init);
    await response.arrayBuffer();
    add(response.status);
  };
  const timer = setInterval(() => attacks.push(attack()), 1_000);
  const attacked = await readNormally(url, database.key, seconds).finally(() => clearInterval(timer));
  await Promise.all(attacks);
  report(`During the attack: p99 ${attacked.p99Ms.toFixed(1)} ms.`);
  return { name: worst.name, alone, attacked, statuses: counts };
}
