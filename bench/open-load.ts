/** A load generator with fixed rates, in a separate process: requests are sent on time, whether or not earlier ones have been answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { answerCalls } from './calls.ts';

/** Requests of one kind. */
export interface Stream {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly perSecond: number;
}

export interface OpenLoad {
  readonly url: string;
  readonly streams: readonly Stream[];
  /** Requests of this time are not measured. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export interface StreamResult {
  readonly name: string;
  readonly sent: number;
  /** Responses with status 200. */
  readonly complete: number;
  /** Responses with status 200 per second that arrived in the measured time, also to earlier requests. */
  readonly perSecond: number;
  /** Responses with status 503 and Retry-After. */
  readonly rejected: number;
  /** Other responses, errors of connections, and requests without a response. */
  readonly failed: number;
  /** Of complete responses, from the time at which the request was due. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rejectedP99Ms: number;
}

const connections = 512;
/** A client gives up after this time. */
const timeoutMs = 10_000;
const stepMs = 5;

const at = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

async function runStream(pool: Pool, stream: Stream, { warmUpSeconds, seconds }: OpenLoad): Promise<StreamResult> {
  const { name, path, headers, perSecond } = stream;
  const [complete, rejected]: [number[], number[]] = [[], []];
  let [sent, failed, arrived] = [0, 0, 0];
  const startedMs = performance.now();
  const measuredFromMs = startedMs + warmUpSeconds * 1000;
  const measuredUntilMs = measuredFromMs + seconds * 1000;

  async function send(dueMs: number, isMeasured: boolean): Promise<void> {
    const options = { path, method: 'GET', headers, headersTimeout: timeoutMs, bodyTimeout: timeoutMs } as const;
    const status = await pool
      .request(options)
      .then(async ({ statusCode, headers: { 'retry-after': after }, body }) => {
        await body.dump();
        return statusCode === 503 && after === undefined ? 0 : statusCode;
      })
      .catch(() => 0);
    const now = performance.now();
    if (status === 200 && now >= measuredFromMs && now < measuredUntilMs) arrived += 1;
    if (!isMeasured) return;
    const ms = now - dueMs;
    if (status === 200) complete.push(ms);
    else if (status === 503) rejected.push(ms);
    else failed += 1;
  }

  const total = Math.round(perSecond * (warmUpSeconds + seconds));
  const pending = new Set<Promise<void>>();
  for (let index = 0; index < total;) {
    const dueMs = startedMs + (index * 1000) / perSecond;
    if (dueMs > performance.now()) {
      await sleep(stepMs);
      continue;
    }
    const isMeasured = dueMs >= measuredFromMs;
    if (isMeasured) sent += 1;
    const request = send(dueMs, isMeasured);
    pending.add(request);
    void request.then(() => pending.delete(request));
    index += 1;
  }
  await Promise.all(pending);
  complete.sort((one, other) => one - other);
  rejected.sort((one, other) => one - other);
  return {
    name,
    sent,
    complete: complete.length,
    perSecond: arrived / seconds,
    rejected: rejected.length,
    failed,
    p50Ms: at(complete, 0.5),
    p99Ms: at(complete, 0.99),
    rejectedP99Ms: at(rejected, 0.99),
  };
}

async function run(load: OpenLoad): Promise<StreamResult[]> {
  // each stream has its own connections, as clients of different partners have
  return await Promise.all(
    load.streams.map(async (stream) => {
      const pool = new Pool(load.url, { connections });
      try {
        return await runStream(pool, stream, load);
      } finally {
        await pool.destroy();
      }
    }),
  );
}

answerCalls({ run, stop: () => process.exit() });
