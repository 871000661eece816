/** `npm run bench -- --streams`: the time from a score change to the subscribers of a match, and the memory of a subscriber. */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyVariables } from '../commands/role-processes.ts';
import { openSecrets } from '../platform/security/secrets.ts';
import { startServices } from '../test/processes.ts';
import type { BenchDatabase } from './database.ts';
import type { OpenContender } from './open.ts';

const targets = { fanOutMs: 250, scoreMs: 100, subscriberKibibytes: 30 };

/** Times from the request that changes the score to the arrival of its event, in milliseconds. */
export interface Arrivals {
  readonly what: string;
  readonly subscribers: number;
  readonly updates: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

export interface StreamFigures {
  readonly arrivals: readonly Arrivals[];
  /** Growth of the resident memory of the platform's process, per subscriber. */
  readonly subscriberKibibytes: number;
}

/** How much is measured. `areSeparate`: also with one process per role. */
export interface StreamSize {
  readonly subscribers: number;
  readonly updates: number;
  readonly scores: number;
  readonly areSeparate: boolean;
}

const fullSize: StreamSize = { subscribers: 2_000, updates: 30, scores: 200, areSeparate: true };

interface Subscriber {
  /** Events received. */
  count: number;
  close(): void;
}

interface Match {
  readonly id: string;
  /** Records a goal. */
  score(): Promise<void>;
}

async function openMatch(url: string, key: string): Promise<Match> {
  const post = async (path: string, body?: unknown): Promise<{ readonly id: string }> => {
    const response = await fetch(`${url}/api/v1/competitions${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
    // Cast: every created resource has an id.
    return JSON.parse(text) as { readonly id: string };
  };
  const facts = { name: 'Bench cup', sport: 'FOOTBALL', type: 'LEAGUE', category: 'MEN', status: 'PUBLISHED' };
  const { id: competitionId } = await post('', facts);
  const days = { name: '2026/27', startDate: '2026-08-01', endDate: '2027-05-30', status: 'IN_PROGRESS' };
  const { id: seasonId } = await post('/seasons', { competitionId, ...days });
  const sides: string[] = [];
  for (const name of ['Home', 'Away']) sides.push((await post(`/seasons/${seasonId}/participants`, { type: 'RELAY', name })).id);
  const participants = sides.map((participantId, index) => ({ participantId, side: index === 0 ? 'HOME' : 'AWAY' }));
  const { id } = await post('/matches', { seasonId, participants });
  await post(`/matches/${id}/start`);
  return {
    id,
    async score() {
      await post(`/matches/${id}/actions`, { type: 'GOAL', minute: 1, participantId: sides[0] });
    },
  };
}

/** Opens a stream of the match. `onEvent` is called when an event has arrived completely. */
function subscribe(url: string, key: string, matchId: string, onEvent: (subscriber: Subscriber) => void): Promise<Subscriber> {
  const address = `${url}/api/v1/events/stream?resourceId=${matchId}&type=match_action.created`;
  return new Promise((resolve, reject) => {
    const request = http.get(address, { agent: false, headers: { 'x-api-key': key } }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${address}: ${response.statusCode ?? 0}`));
      const subscriber: Subscriber = { count: 0, close: () => request.destroy() };
      let isInEvent = false;
      response.on('data', (chunk: Buffer) => {
        if (chunk.includes('event: ')) isInEvent = true;
        if (!isInEvent || !chunk.subarray(-2).equals(Buffer.from('\n\n'))) return;
        isInEvent = false;
        subscriber.count += 1;
        onEvent(subscriber);
      });
      response.on('error', () => undefined);
      resolve(subscriber);
    });
    request.on('error', reject);
  });
}

const at = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

/** Changes the score again and again, each time after all subscribers have received the last change. */
async function measure(
  what: string,
  url: string,
  key: string,
  count: number,
  updates: number,
  hold: (open: number) => Promise<void>,
): Promise<Arrivals> {
  const match = await openMatch(url, key);
  const times: number[] = [];
  let from = 0;
  let waiting = 0;
  let done: () => void = () => undefined;
  const onEvent = (): void => {
    times.push(performance.now() - from);
    waiting -= 1;
    if (waiting === 0) done();
  };
  const subscribers: Subscriber[] = [];
  try {
    while (subscribers.length < count) {
      const more = Array.from({ length: Math.min(50, count - subscribers.length) }, () => subscribe(url, key, match.id, onEvent));
      subscribers.push(...(await Promise.all(more)));
    }
    await hold(count);
    const warmUps = Math.min(20, updates);
    for (let update = -warmUps; update < updates; update += 1) {
      if (update === 0) times.length = 0;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      [done, waiting, from] = [() => resolve(undefined), count, performance.now()];
      await Promise.all([match.score(), promise]);
      await sleep(20);
    }
    times.sort((one, other) => one - other);
    return { what, subscribers: count, updates, p50Ms: at(times, 0.5), p95Ms: at(times, 0.95), p99Ms: at(times, 0.99) };
  } finally {
    for (const subscriber of subscribers) subscriber.close();
  }
}

const nothing = (): Promise<void> => Promise.resolve();

async function measureSeparate({ ownerUrl, secret, key }: BenchDatabase, scores: number): Promise<Arrivals> {
  const variables = { ...keyVariables(openSecrets(secret)), LOG_LEVEL: 'error' };
  const services = await startServices({ databaseUrl: ownerUrl, variables, imageFolder: '/tmp' });
  try {
    return await measure('one process per role', services.restUrl, key, 1, scores, nothing);
  } finally {
    await services.close();
  }
}

/** Measures one platform in one process, and one with a process per role. */
export async function measureStreams(
  database: BenchDatabase,
  platform: OpenContender,
  report: (line: string) => void,
  { subscribers, updates, scores, areSeparate }: StreamSize = fullSize,
): Promise<StreamFigures> {
  const { url } = platform;
  const { key } = database;
  const rss = async (): Promise<number> => (await platform.spent()).reduce((sum, { rssKibibytes }) => sum + rssKibibytes, 0);
  const arrivals = [await measure('one process', url, key, 1, scores, nothing)];
  // the first connections grow the heap once
  await measure('warm', url, key, Math.min(200, subscribers), 1, nothing);
  await sleep(3_000);
  const before = await rss();
  let subscriberKibibytes = 0;
  const hold = async (open: number): Promise<void> => {
    await sleep(3_000);
    subscriberKibibytes = ((await rss()) - before) / open;
    report(`${open} subscribers: ${subscriberKibibytes.toFixed(1)} KiB each`);
  };
  arrivals.push(await measure('one process', url, key, subscribers, updates, hold));
  if (areSeparate) arrivals.push(await measureSeparate(database, scores));
  return { arrivals, subscriberKibibytes };
}

/** The tables in Markdown. */
export function printStreams({ arrivals, subscriberKibibytes }: StreamFigures): string {
  const judged = (isMet: boolean): string => (isMet ? '' : ', MISSED');
  const lines = arrivals.map(({ what, subscribers, updates, p50Ms, p95Ms, p99Ms }) => {
    const target =
      subscribers === 1
        ? `p95 < ${targets.scoreMs} ms${judged(p95Ms < targets.scoreMs)}`
        : `p99 < ${targets.fanOutMs} ms${judged(p99Ms < targets.fanOutMs)}`;
    return `| ${what} | ${subscribers} | ${updates} | ${p50Ms.toFixed(1)} | ${p95Ms.toFixed(1)} | ${p99Ms.toFixed(1)} | ${target} |`;
  });
  return [
    '| platform | subscribers | score changes | p50 ms | p95 ms | p99 ms | target |',
    '|---|--:|--:|--:|--:|--:|---|',
    ...lines,
    '',
    `Memory: ${subscriberKibibytes.toFixed(1)} KiB per subscriber. Target < ${targets.subscriberKibibytes} KiB${judged(subscriberKibibytes < targets.subscriberKibibytes)}.`,
  ].join('\n');
}
