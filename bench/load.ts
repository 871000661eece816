/** The load generator, in a separate process: a fixed number of connections, each with one request at a time. */
import autocannon from 'autocannon';
import { answerCalls } from './calls.ts';
import { counted } from './gateways/query.ts';
import type { HttpRequest } from './rows.ts';

export interface Load {
  readonly url: string;
  readonly request: HttpRequest;
  readonly connections: number;
  readonly seconds: number;
  /** Default 200. */
  readonly status?: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Counts all requests with a unique number, including those of earlier loads. */
let number = 0;

/** Throws on any other status: a contender that fails is not fast. */
async function run({ url, request, connections, seconds, status = 200 }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const { path, method, headers, body } = request;
    const numbered = (): autocannon.Request => ({
      setupRequest: (each) => ({ ...each, body: body?.replace(counted, String(number++)) }),
    });
    const options = {
      url: url + path,
      method,
      headers,
      connections,
      duration: seconds,
      ...(body === undefined ? {} : { body }),
      ...(body?.includes(counted) === true ? { requests: [numbered()] } : {}),
    };
    const instance = autocannon(options, (error: unknown, done) => {
      if (error) reject(error instanceof Error ? error : new Error('the load generator failed'));
      else resolve(done);
    });
    instance.on('response', (_client, _status, _bytes, responseMs) => latencies.push(responseMs));
  });
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const others = Object.keys(result.statusCodeStats ?? {}).filter((each) => each !== String(status));
  if (others.length + result.errors + result.timeouts > 0)
    throw new Error(`${url}${request.path}: responses with ${others.join(', ')}, ${result.errors} requests failed`);
  latencies.sort((left, right) => left - right);
  return {
    requests: latencies.length,
    requestsPerSecond: latencies.length / elapsedSeconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  };
}

answerCalls({ run, stop: () => process.exit() });
