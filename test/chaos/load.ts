/** The mixed load: writers, readers of all areas over REST and GraphQL, a stream, and a key that uses up its quota. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { Send } from './requests.ts';
import { followEvents } from './stream.ts';

export interface LoadOptions {
  readonly rest: Send;
  readonly graphql: Send;
  readonly restUrls: readonly string[];
  readonly ledger: Ledger;
  readonly key: string;
  /** Of a plan with a small quota. */
  readonly limitedKey: string;
}

export interface Load {
  /** Ends all requests but the stream: writers finish what they began. Throws Error when a write is not acknowledged within a minute. */
  stop(): Promise<void>;
  /** Ends the stream. */
  close(): Promise<void>;
}

/** Together about half of what two cores serve: a process that starts again needs the rest. */
const writers = 2;
const readers = 2;
const pauseMs = 150;
const retryMs = 200;
const finishMs = 60_000;
export const externalScheme = 'CHAOS';

/** Reads of every area. */
export const reads = [
  '/organizations?limit=5',
  '/athletes?limit=5',
  '/competitions?limit=5',
  '/opportunities?limit=5',
  '/scouting/reports?limit=5',
  '/plans',
] as const;
export const graphqlRead = '{ organizations(first: 3) { nodes { name } } competitions(first: 3) { nodes { name } } }';

const isRecordWithId = (body: unknown): body is { readonly id: string; readonly version: number; readonly name: string } =>
  typeof body === 'object' && body !== null && 'id' in body && 'version' in body && 'name' in body;

/** Starts the load. */
export function startLoad({ rest, graphql, restUrls, ledger, key, limitedKey }: LoadOptions): Load {
  const ended = new AbortController();
  const isRunning = (): boolean => !ended.signal.aborted;
  let last = 0;
  let stoppedMs = Infinity;

  async function pause(): Promise<void> {
    if (performance.now() > stoppedMs + finishMs)
      throw new Error('A write was not acknowledged within a minute after the last fault.');
    await sleep(retryMs);
  }

  /** Repeats the creation with its Idempotency-Key until it is acknowledged. */
  async function create(number: number): Promise<void> {
    const name = `Chaos ${number}`;
    const externalIds = [{ scheme: externalScheme, value: String(number) }];
    const body = { type: 'CLUB', name, country: 'NO', sports: ['HANDBALL'], status: 'ACTIVE', externalIds };
    const headers = { 'idempotency-key': randomUUID() };
    for (;;) {
      const answer = await rest('create', '/api/v1/organizations', { method: 'POST', key, body, headers, expected: [409] });
      if (answer.status === 201 && isRecordWithId(answer.body)) {
        ledger.written.set(number, { number, id: answer.body.id, version: answer.body.version, name });
        return;
      }
      // 409: the first request is still in progress
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 409)
        throw new Error(`POST returned ${answer.reason ?? ''}`);
      await pause();
    }
  }

  /** Changes the name. After a lost response, a read shows whether the change was made. */
  async function change(number: number): Promise<void> {
    const written = ledger.written.get(number);
    if (written === undefined) return;
    const name = `Chaos ${number}, changed`;
    const path = `/api/v1/organizations/${written.id}`;
    for (;;) {
      const headers = { 'if-match': `"${written.version}"` };
      let answer = await rest('change', path, { method: 'PATCH', key, body: { name }, headers, expected: [412] });
      if (answer.status === 412) answer = await rest('read after a lost response', path, { key });
      if (answer.status === 200 && isRecordWithId(answer.body) && answer.body.name === name) {
        Object.assign(written, { name, version: answer.body.version });
        return;
      }
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 409)
        throw new Error(`PATCH returned ${answer.reason ?? ''}`);
      await pause();
    }
  }

  async function write(): Promise<void> {
    while (isRunning()) {
      last += 1;
      const number = last;
      await create(number);
      await change(number);
      await sleep(pauseMs);
    }
  }

  async function readAll(): Promise<void> {
    for (let turn = 0; isRunning(); turn += 1) {
      const path = reads[turn % reads.length] ?? '';
      await rest(`read ${path.replace(/\?.*/, '')}`, `/api/v1${path}`, { key });
      await graphql('GraphQL', '/graphql', { method: 'POST', key, body: { query: graphqlRead } });
      await sleep(pauseMs);
    }
  }

  async function useQuota(): Promise<void> {
    while (isRunning()) {
      const { status } = await rest('limited', '/api/v1/organizations?limit=1', { key: limitedKey, expected: [429] });
      if (status === 200) ledger.granted += 1;
      await sleep(pauseMs);
    }
  }

  const closed = new AbortController();
  const streaming = followEvents(restUrls, key, ledger.streamed, closed.signal);
  const working = Promise.all([
    ...Array.from({ length: writers }, write),
    ...Array.from({ length: readers }, readAll),
    useQuota(),
  ]);
  // reported by `stop`
  working.catch(() => undefined);

  return {
    async stop() {
      stoppedMs = performance.now();
      ended.abort();
      await working;
    },
    async close() {
      closed.abort();
      await streaming;
    },
  };
}
