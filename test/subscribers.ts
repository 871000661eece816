/** Subscribers with the reference clients of both transports: graphql-sse and graphql-ws. */
import { setTimeout } from 'node:timers/promises';
import { createClient as createEventClient } from 'graphql-sse';
import { createClient as createSocketClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually } from './eventually.ts';

export interface SubscriptionQuery {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
}

export interface Subscriber {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  readonly results: readonly any[];
  /** The error that ended the subscription, or 'COMPLETE'; undefined while it is open. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  readonly end: any;
  /** Waits until there are at least `count` results, and returns the last one. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  received(count: number, timeoutMs?: number): Promise<any>;
  /** Waits for the end, and returns it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  ended(): Promise<any>;
  close(): Promise<void>;
}

/** How to connect; each subscriber has its own connection. */
export interface Connection {
  readonly url: string;
  readonly key: string | null;
  readonly retryAttempts?: number;
}

export const transports = ['graphql-sse', 'graphql-ws'] as const;
export type Transport = (typeof transports)[number];

interface Sink {
  next(value: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

function collect(subscribe: (sink: Sink) => () => void, dispose: () => void | Promise<void>): Subscriber {
  const state: { results: unknown[]; end: unknown } = { results: [], end: undefined };
  const stop = subscribe({
    next: (value) => void state.results.push(value),
    error: (error) => void (state.end = error ?? 'ERROR'),
    complete: () => void (state.end ??= 'COMPLETE'),
  });
  const until = (check: () => boolean, expected: string, timeoutMs?: number) =>
    eventually(
      () =>
        check()
          ? Promise.resolve()
          : Promise.reject(new Error(`expected ${expected}: ${JSON.stringify(state)} ${String(state.end)}`)),
      timeoutMs,
    );
  return {
    get results() {
      return state.results;
    },
    get end() {
      return state.end;
    },
    async received(count, timeoutMs) {
      await until(() => state.results.length >= count, `${count} results`, timeoutMs);
      return state.results.at(-1);
    },
    async ended() {
      await until(() => state.end !== undefined, 'an end');
      return state.end;
    },
    async close() {
      stop();
      await dispose();
    },
  };
}

const retry = (): Promise<void> => setTimeout(200);

/** Subscribes over a new connection. */
export function subscribe(
  transport: Transport,
  { url, key, retryAttempts = 0 }: Connection,
  request: SubscriptionQuery,
): Subscriber {
  if (transport === 'graphql-sse') {
    const headers: Record<string, string> = key === null ? {} : { 'x-api-key': key };
    const client = createEventClient({ url: `${url}/graphql/stream`, headers, retryAttempts, retry });
    return collect(
      (sink) => client.subscribe(request, sink),
      () => client.dispose(),
    );
  }
  const client = createSocketClient({
    url: `${url.replace('http', 'ws')}/graphql/ws`,
    webSocketImpl: WebSocket,
    retryAttempts,
    retryWait: retry,
    // also when the connection is refused
    shouldRetry: () => true,
    ...(key === null ? {} : { connectionParams: { 'x-api-key': key } }),
  });
  return collect(
    (sink) => client.subscribe(request, sink),
    () => client.dispose(),
  );
}
