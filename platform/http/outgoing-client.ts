/** Calls URLs that users set, such as those of webhooks. A call never reaches an address of this network. */
import { lookup as lookupHost } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, errors as undiciErrors, type Dispatcher } from 'undici';
import { createCallLimits } from './call-limits.ts';
import { createCheckedConnector } from './checked-connector.ts';
import { codeSuffix, OutgoingError } from './outgoing-error.ts';
import { isLocalAddress, isPublicAddress } from './public-address.ts';
import { createPublicResolver, resolveWith } from './public-resolver.ts';

export { OutgoingError, type OutgoingErrorKind } from './outgoing-error.ts';

export interface OutgoingPolicy {
  /** Development: http, this machine, private networks and any port are allowed. */
  readonly allowLocal: boolean;
}

export interface OutgoingResponse {
  /** Any status from 200 to 599; redirects are not followed. */
  readonly status: number;
  /** From the start of the call to the end of the response. */
  readonly durationMs: number;
  readonly retryAfter: string | null;
  /** The first 1,024 bytes as text. Invalid UTF-8 and NUL, which PostgreSQL cannot store, are U+FFFD. */
  readonly bodyStart: string;
}

export interface OutgoingCall {
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Time limit of name resolution, connection, TLS and the complete response; default: 15 s. Waiting for other calls does not count. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface OutgoingClient {
  /** Throws OutgoingError, or the reason of the aborted signal. */
  post(url: string, call: OutgoingCall): Promise<OutgoingResponse>;
  /** Waits for calls in progress. */
  close(): Promise<void>;
}

const urlCharacters = 2_048;
const hostCharacters = 253;
/**
 * White space, control characters, characters that are invisible or change the text direction, and halves of surrogate pairs: URL.parse removes or
 * replaces some of them. A backslash, which it reads as a slash.
 */
const unsafeCharacters = /[\s\\\p{Cc}\p{Cf}\p{Cs}]/u;
const publicPorts: ReadonlySet<string> = new Set(['', '443', '8443']);
/** Names that are never on the public internet (RFC 6761, RFC 6762, RFC 8375, ICANN). */
const localName = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/;

const limits = { perOrigin: 32, total: 512 };
const timeoutMsDefault = 15_000;
const connectTimeoutMs = 10_000;
/** While more sockets are open, connections close after their response. */
const idleSockets = 256;
const responseBytesMax = 64 * 1024;
const bodyStartBytes = 1_024;
const headerBytesMax = 16 * 1024;
/** Informational responses (1xx) of a call; an endpoint that sends more never ends. */
const informationalMax = 8;
const retryAfterCharacters = 100;

/** Returns null if the URL may be called, otherwise a sentence that says what is wrong and what to do. The host is not resolved. */
export function outgoingUrlIssue(url: string, { allowLocal }: OutgoingPolicy): string | null {
  if (url.length > urlCharacters) return `The URL must have at most ${urlCharacters.toLocaleString('en-US')} characters.`;
  const parsed = URL.parse(url);
  if (parsed === null || unsafeCharacters.test(url) || /^https?:\/{3}/i.test(url))
    return 'The URL is not valid. Use an absolute URL such as https://example.com/webhooks.';
  // URL.parse also accepts https:example.com
  if (!(allowLocal ? /^https?:\/\//i : /^https:\/\//i).test(url))
    return `The URL must start with https://${allowLocal ? ' or http://' : ''}.`;
  if (parsed.username !== '' || parsed.password !== '')
    return 'The URL must not contain a user name or password. Webhooks are signed instead.';
  if (url.includes('#')) return 'The URL must not contain a fragment. Remove the # and what follows.';
  return hostIssue(parsed, allowLocal);
}

function hostIssue({ hostname, port }: URL, allowLocal: boolean): string | null {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  if (host === '' || host.length > hostCharacters) return `The host must have 1 to ${hostCharacters} characters.`;
  if (isIP(host) !== 0 && !(isPublicAddress(host) || (allowLocal && isLocalAddress(host))))
    return 'The address of the URL is not public. Use a host with public addresses only.';
  if (allowLocal) return null;
  if (isIP(host) === 0 && localName.test(host)) return 'The host is not public. Use a public domain name.';
  return publicPorts.has(port) ? null : 'The port must be 443 or 8443.';
}

/** Reads at most 64 KiB, then closes the connection. */
async function readBodyStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    if (!Buffer.isBuffer(part)) continue;
    if (size < bodyStartBytes) parts.push(part.subarray(0, bodyStartBytes - size));
    size += part.length;
    if (size > responseBytesMax) break;
  }
  // stream: a character that the limit cuts is left out
  return new TextDecoder().decode(Buffer.concat(parts), { stream: size > bodyStartBytes }).replaceAll('\0', '\ufffd');
}

/** Rejects when the signal aborts. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }));

/** Errors of the caller of this module, not of the endpoint. */
const isOwnError = (error: unknown): boolean =>
  error instanceof undiciErrors.InvalidArgumentError ||
  error instanceof undiciErrors.ClientClosedError ||
  error instanceof undiciErrors.ClientDestroyedError;

/**
 * Connections are kept per origin. At most 32 calls of an origin and 512 in total run at a time; others wait. An origin that does not respond
 * gets fewer the fewer are free.
 */
export function createOutgoingClient(options: OutgoingPolicy & { /** For tests. */ lookup?: typeof lookupHost }): OutgoingClient {
  const { allowLocal, lookup = allowLocal ? lookupHost : undefined } = options;
  const callLimits = createCallLimits(limits);
  const connector = createCheckedConnector({
    resolve: lookup ? resolveWith(lookup) : createPublicResolver(),
    isAllowed: (address) => isPublicAddress(address) || (allowLocal && isLocalAddress(address)),
    timeoutMs: connectTimeoutMs,
  });
  const agent = new Agent({
    connect: connector.connect,
    connections: limits.perOrigin,
    maxHeaderSize: headerBytesMax,
    // the time limit of the call applies
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: 30_000,
  });

  async function send(url: URL, call: OutgoingCall, limit: AbortController): Promise<OutgoingResponse> {
    const startedMs = performance.now();
    let informational = 0;
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: call.headers,
      body: call.body,
      reset: connector.openSockets() >= idleSockets,
      signal: limit.signal,
      onInfo: () => {
        informational += 1;
        if (informational > informationalMax)
          limit.abort(new OutgoingError('RESPONSE', 'The endpoint sent too many informational responses.'));
      },
    });
    const bodyStart = await readBodyStart(response.body);
    const retryAfter = [response.headers['retry-after'] ?? []].flat()[0]?.slice(0, retryAfterCharacters) ?? null;
    return { status: response.statusCode, durationMs: Math.round(performance.now() - startedMs), retryAfter, bodyStart };
  }

  async function sendInTime(url: URL, call: OutgoingCall): Promise<OutgoingResponse> {
    const { timeoutMs = timeoutMsDefault, signal } = call;
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new OutgoingError('TIMEOUT', `The endpoint did not respond within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    const abort = (): void => limit.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      // undici reacts to the signal when the connection is open
      return await Promise.race([send(url, call, limit), aborted(limit.signal)]);
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      if (error instanceof OutgoingError || isOwnError(error)) throw error;
      const sentence = 'The endpoint closed the connection or sent an invalid response';
      throw new OutgoingError('RESPONSE', `${sentence}${codeSuffix(error)}.`, { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async function post(url: string, call: OutgoingCall): Promise<OutgoingResponse> {
    const issue = outgoingUrlIssue(url, { allowLocal });
    if (issue !== null) throw new OutgoingError('ADDRESS_DENIED', issue);
    const parsed = new URL(url);
    const release = await callLimits.acquire(parsed.origin, call.signal);
    try {
      call.signal?.throwIfAborted();
      return await sendInTime(parsed, call);
    } finally {
      release();
    }
  }

  const running = new Set<Promise<OutgoingResponse>>();
  return {
    post(url, call) {
      const response = post(url, call);
      running.add(response);
      return response.finally(() => running.delete(response));
    },
    async close() {
      await Promise.allSettled(running);
      // connections that are still opening belong to calls that have ended
      connector.destroy();
      await agent.destroy();
    },
  };
}
