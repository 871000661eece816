/** A small client of the REST API: JSON, one API key, and retries while the server is busy or restarting. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { explain, parseProblem, type ApiProblem } from './problem.ts';

export interface ClientOptions {
  /** Address of the API: `https://example.com`, with or without `/api/v1`. */
  readonly url: string;
  readonly key: string;
  /** Timeout of one attempt. */
  readonly timeoutMs?: number;
  /** Longest time without a response over all attempts; then the request fails. */
  readonly patienceMs?: number;
  /** Called before each attempt: every attempt counts against the key's quota. */
  readonly onCall?: () => void;
  /** Called before each wait, so that the user sees the reason. */
  readonly onWait?: (reason: string, waitMs: number) => void;
}

export interface Client {
  /**
   * Posts JSON (or nothing) and returns the parsed response. All attempts share one Idempotency-Key, so a retry writes nothing twice.
   * @throws {RequestFailure} for an error response, or after the longest time without a response.
   */
  readonly post: (path: string, body?: unknown) => Promise<unknown>;
  /** Reads and returns the parsed response; errors and retries as with `post`. */
  readonly get: (path: string) => Promise<unknown>;
}

/** A request that a retry cannot fix. `problem` is the server's error response, if there was one. */
export class RequestFailure extends Error {
  readonly problem: ApiProblem | null;

  constructor(message: string, problem: ApiProblem | null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RequestFailure';
    this.problem = problem;
  }
}

type Attempt =
  | { readonly kind: 'answer'; readonly body: unknown }
  | { readonly kind: 'rejected'; readonly problem: ApiProblem }
  | { readonly kind: 'busy'; readonly problem: ApiProblem; readonly retryAfterMs: number }
  | { readonly kind: 'silence'; readonly cause: unknown };

/** A burst limit resets within a minute. A longer Retry-After is an exhausted daily or monthly quota, which is not waited for. */
const longestRetryAfterMs = 120_000;
const longestPauseMs = 4_000;
const busyStatuses = new Set([429, 502, 503, 504]);

/** Milliseconds of a Retry-After header: seconds or an HTTP date (RFC 9110, 10.2.3); 0 when absent or invalid. */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0;
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(milliseconds) ? 0 : Math.max(0, milliseconds);
}

/** Exponential backoff with jitter, so that concurrent batches do not retry at the same time. */
const pauseMs = (attempt: number): number => Math.min(longestPauseMs, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);

/** The URL of a path, whether or not the given URL already includes the version. */
function addressOf(url: string, path: string): URL {
  const base = url.replace(/\/+$/, '');
  return new URL(`${base.endsWith('/api/v1') ? base : `${base}/api/v1`}${path}`);
}

async function attempt(address: URL, init: RequestInit, timeoutMs: number): Promise<Attempt> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    text = await response.text();
  } catch (cause) {
    return { kind: 'silence', cause };
  }
  if (response.ok) {
    try {
      return { kind: 'answer', body: JSON.parse(text) as unknown };
    } catch (cause) {
      throw new RequestFailure(`${address.href} does not answer in JSON: is this the address of the API?`, null, { cause });
    }
  }
  const problem = parseProblem(response.status, text);
  const isBusy = busyStatuses.has(response.status) || problem.code === 'idempotency_in_progress';
  return isBusy
    ? { kind: 'busy', problem, retryAfterMs: retryAfterMs(response.headers.get('retry-after')) }
    : { kind: 'rejected', problem };
}

function reasonOf(cause: unknown): string {
  if (!Error.isError(cause)) return String(cause);
  const inner = Error.isError(cause.cause) ? cause.cause : cause;
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.message;
}

/** Opens a client; nothing is sent before the first request. Throws a TypeError for an invalid URL. */
export function openClient(options: ClientOptions): Client {
  const { url, key, timeoutMs = 60_000, patienceMs = 120_000, onCall = () => undefined, onWait = () => undefined } = options;
  addressOf(url, '');

  const request = async (path: string, method: 'GET' | 'POST', more: Record<string, string>, body?: string): Promise<unknown> => {
    const address = addressOf(url, path);
    const headers = { accept: 'application/json', 'x-api-key': key, ...more };
    const init: RequestInit = { method, headers, redirect: 'error', ...(body !== undefined && { body }) };
    let troubledSince: number | null = null;
    for (let count = 0; ; count += 1) {
      onCall();
      const outcome = await attempt(address, init, timeoutMs);
      if (outcome.kind === 'answer') return outcome.body;
      if (outcome.kind === 'rejected') throw new RequestFailure(explain(outcome.problem), outcome.problem);
      const isLimit = outcome.kind === 'busy' && outcome.problem.status === 429;
      const waitMs = Math.max(outcome.kind === 'busy' ? outcome.retryAfterMs : 0, pauseMs(count));
      const reason = outcome.kind === 'busy' ? outcome.problem.code : `no answer (${reasonOf(outcome.cause)})`;
      // Waiting for a limit counts as progress; only failures count against the longest time.
      troubledSince = isLimit ? null : (troubledSince ?? Date.now());
      const isOver = isLimit ? waitMs > longestRetryAfterMs : Date.now() + waitMs - (troubledSince ?? 0) > patienceMs;
      if (isOver && outcome.kind === 'busy') throw new RequestFailure(explain(outcome.problem), outcome.problem);
      if (isOver) throw new RequestFailure(`${address.origin}: ${reason} for ${Math.round(patienceMs / 1000)} s`, null);
      onWait(reason, waitMs);
      await delay(waitMs);
    }
  };
  return {
    post: (path, body) => {
      const once = { 'idempotency-key': randomUUID() };
      return body === undefined
        ? request(path, 'POST', once)
        : request(path, 'POST', { ...once, 'content-type': 'application/json' }, JSON.stringify(body));
    },
    get: (path) => request(path, 'GET', {}),
  };
}
