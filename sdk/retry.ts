/** Repeats requests that failed for a reason that can pass. */

export interface RetryOptions {
  /** Requests after the first one; default 4, 0 for none. */
  readonly maxRetries?: number | undefined;
  /** The longest wait before a retry; default 60,000. A longer `Retry-After` is not waited for: the error is thrown. */
  readonly maxDelayMs?: number | undefined;
}

type Send = (request: Request) => Promise<Response>;

const firstDelayMs = 250;

/** Statuses of requests that were not executed: they can be repeated whatever they do. */
const notExecuted = new Set([408, 429]);
/** Statuses that leave open whether a request was executed. */
const maybeExecuted = new Set([500, 502, 503, 504]);

/** Whether a repeated request has the same effect as one. The API returns the first response for a repeated idempotency key. */
const isRepeatable = ({ method, headers }: Request): boolean =>
  method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');

/** The wait that a response asks for in seconds or as a date (RFC 9110 section 10.2.3); null without one. */
function retryAfterMs(response: Response): number | null {
  const value = response.headers.get('retry-after');
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** Exponential backoff with full jitter, so that clients that failed together do not return together. */
const backoffMs = (retry: number): number => Math.random() * firstDelayMs * 2 ** (retry + 1);

const isJson = ({ headers }: Response): boolean => /^application\/([\w.-]+\+)?json\b/.test(headers.get('content-type') ?? '');

/** Throws if the connection is lost within the body, so that the request is repeated. The body can still be read. */
const readCompletely = async (response: Response): Promise<void> => void (await response.clone().arrayBuffer());

/** Waits, and rejects with the reason of the signal when it aborts. */
function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      // the reason is what the caller passed to abort()
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, delayMs);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** Wraps a function that sends requests. The last response is returned, and the last network error is thrown. */
export function withRetries(send: Send, { maxRetries = 4, maxDelayMs = 60_000 }: RetryOptions = {}): Send {
  /** The wait before the next attempt; null if there is none. */
  async function delayAfter(request: Request, response: Response, retry: number): Promise<number | null> {
    const { status } = response;
    // the first request with this idempotency key is still running
    const isRunning = status === 409 && request.headers.has('idempotency-key') && (await isInProgress(response));
    const canRepeat = notExecuted.has(status) || isRunning || (maybeExecuted.has(status) && isRepeatable(request));
    const requestedMs = retryAfterMs(response);
    if (!canRepeat || (requestedMs !== null && requestedMs > maxDelayMs)) return null;
    return requestedMs === null ? Math.min(maxDelayMs, backoffMs(retry)) : requestedMs + Math.random() * firstDelayMs;
  }

  return async (request) => {
    for (let retry = 0; ; retry += 1) {
      const isLast = retry >= maxRetries;
      try {
        // a request is sent once: its body is a stream
        const response = await send(isLast ? request : request.clone());
        if (isJson(response)) await readCompletely(response);
        const delayMs = isLast || response.ok ? null : await delayAfter(request, response, retry);
        if (delayMs === null) return response;
        await response.body?.cancel();
        await wait(delayMs, request.signal);
      } catch (error) {
        if (isLast || request.signal.aborted || !isRepeatable(request)) throw error;
        await wait(Math.min(maxDelayMs, backoffMs(retry)), request.signal);
      }
    }
  };
}

async function isInProgress(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'idempotency_in_progress';
}
