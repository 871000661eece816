/** `npm run bench -- --costs`: CPU time per unit of the worst allowed requests, and the effect of an attack with the worst of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabase } from '../database.ts';
import type { OpenContender } from '../open.ts';
import { openPlatform } from '../rows.ts';
import { measureAttack, type Attack } from './attack.ts';
import { createBatches, documentBatch, type Batch } from './batches.ts';
import { createSend, type Answer, type CostRequest, type Send } from './client.ts';
import { createPostgresTime } from './processor-time.ts';
import { fillScouting } from './scouting-data.ts';
import { worstRequests, type WorstRequest } from './worst-requests.ts';

export interface RequestCost {
  readonly name: string;
  readonly units: number;
  /** CPU time per request in milliseconds: of the platform's process, and of PostgreSQL. */
  readonly nodeMs: number;
  readonly sqlMs: number;
}

export interface Costs {
  readonly costs: readonly RequestCost[];
  readonly attack: Attack | null;
}

/** The most CPU time that a unit may pay for, of the platform's process and PostgreSQL together. */
export const limitMs = 30;

const warmUps = 2;
const requestsMin = 5;
const enoughMs = 400;
const requestsMax = 60;

interface Clock {
  /** CPU time so far, in milliseconds. */
  read(): Promise<{ readonly nodeMs: number; readonly sqlMs: number }>;
}

async function measureOne(
  send: Send,
  clock: Clock,
  idle: { nodeMs: number; sqlMs: number },
  { name, next }: Repeatable,
): Promise<RequestCost> {
  for (let count = 0; count < warmUps; count += 1) await sendAccepted(send, next());
  const before = await clock.read();
  const from = performance.now();
  let [units, requests] = [0, 0];
  while (requests < requestsMin || (performance.now() - from < enoughMs && requests < requestsMax)) {
    units = (await sendAccepted(send, next())).units;
    requests += 1;
  }
  const seconds = (performance.now() - from) / 1000;
  const after = await clock.read();
  const per = (kind: 'nodeMs' | 'sqlMs'): number => Math.max(0, after[kind] - before[kind] - idle[kind] * seconds) / requests;
  return { name, units, nodeMs: per('nodeMs'), sqlMs: per('sqlMs') };
}

/** A request that can be sent many times. */
type Repeatable = Batch;

/** Throws Error for a response that does not do what is measured. */
async function sendAccepted(send: Send, request: CostRequest): Promise<Answer> {
  const answer = await send(request);
  if (answer.status !== 200 || answer.text.includes('"outcome":"FAILED"'))
    throw new Error(`${request.path}: ${answer.status} ${answer.text.slice(0, 500)}`);
  return answer;
}

/** CPU time per second without requests: the relay polls. */
async function measureIdle(clock: Clock): Promise<{ nodeMs: number; sqlMs: number }> {
  const before = await clock.read();
  await sleep(3_000);
  const after = await clock.read();
  return { nodeMs: (after.nodeMs - before.nodeMs) / 3, sqlMs: (after.sqlMs - before.sqlMs) / 3 };
}

function clockOf(platform: OpenContender, dataDirectory: string): Clock {
  const postgres = createPostgresTime(dataDirectory);
  return { read: async () => ({ nodeMs: (await platform.cpuMicroseconds()) / 1000, sqlMs: postgres() }) };
}

export interface CostOptions {
  /** Names of REST operations; empty for all. */
  readonly only: readonly string[];
  /** Seconds of each half of the attack; 0: none. */
  readonly attackSeconds: number;
  readonly report: (line: string) => void;
}

/** Measures all reads one after the other, then the attack. */
export async function measureCosts(
  database: Omit<BenchDatabase, 'close'>,
  { only, attackSeconds, report }: CostOptions,
): Promise<Costs> {
  await using resources = new AsyncDisposableStack();
  const platform = await openPlatform(database, resources);
  await fillScouting(database, report);
  const send = createSend(platform.url, database.key);
  const requests = await worstRequests(send, report, only);
  const clock = clockOf(platform, database.dataDirectory);
  const idle = await measureIdle(clock);
  const costs: RequestCost[] = [];
  const repeatable = requests.map(({ name, request }): Repeatable => ({ name, next: () => request }));
  for (const request of [
    ...repeatable,
    ...(only.length === 0 || only.includes('upsertAthletes') ? await createBatches(send) : []),
    ...(only.length === 0 || only.includes('registerDocuments') ? [documentBatch] : []),
  ]) {
    const cost = await measureOne(send, clock, idle, request);
    costs.push(cost);
    report(`${cost.name}: ${cost.units} units, ${cost.nodeMs.toFixed(1)} + ${cost.sqlMs.toFixed(1)} ms`);
  }
  const total = ({ name }: WorstRequest): number => {
    const cost = costs.find((each) => each.name === name);
    return cost === undefined ? 0 : cost.nodeMs + cost.sqlMs;
  };
  const [worst] = requests.toSorted((one, other) => total(other) - total(one));
  const attack =
    worst === undefined || attackSeconds === 0
      ? null
      : await measureAttack(database, { url: platform.url, worst, seconds: attackSeconds, report });
  return { costs, attack };
}
