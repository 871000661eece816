/** Reads event streams with the `eventsource` package, and with fetch where a test controls the reading. */
import { EventSource } from 'eventsource';
import { eventually } from '../../eventually.ts';
import type { TestPlatform } from '../../test-platform.ts';

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  readonly data: any;
}

export interface OpenSource {
  /** All events so far, in the order of arrival. */
  readonly events: readonly ReceivedEvent[];
  /** How often the connection was opened. */
  readonly opened: () => number;
  /** The statuses of rejected connections. */
  readonly failures: readonly (number | undefined)[];
  /** Waits until the events satisfy a condition. */
  until(condition: (events: readonly ReceivedEvent[]) => boolean, timeoutMs?: number): Promise<void>;
  close(): void;
}

const streamUrl = ({ restUrl }: TestPlatform, query: string): string => `${restUrl}/api/v1/events/stream${query}`;

/** Opens a stream and waits for the connection. It reconnects automatically, as in a browser. */
export async function openSource(
  platform: TestPlatform,
  key: string,
  { query = '', types, headers = {} }: { query?: string; types: readonly string[]; headers?: Record<string, string> },
): Promise<OpenSource> {
  const events: ReceivedEvent[] = [];
  const failures: (number | undefined)[] = [];
  let opened = 0;
  const source = new EventSource(streamUrl(platform, query), {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'x-api-key': key, ...headers } }),
  });
  source.addEventListener('open', () => void (opened += 1));
  source.addEventListener('error', ({ code }) => void failures.push(code));
  for (const type of types)
    source.addEventListener(type, ({ lastEventId, data }) => {
      events.push({ id: lastEventId, type, data: JSON.parse(String(data)) });
    });
  await eventually(() => (opened > 0 || failures.length > 0 ? Promise.resolve() : Promise.reject(new Error('not connected'))));
  return {
    events,
    failures,
    opened: () => opened,
    until: (condition, timeoutMs) =>
      eventually(
        () => (condition(events) ? Promise.resolve() : Promise.reject(new Error(`received ${JSON.stringify(events.map(({ type }) => type))}`))),
        timeoutMs,
      ),
    close: () => source.close(),
  };
}

export interface OpenText {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that was read so far. */
  readonly text: () => string;
  /** Reads until the text satisfies a condition, or the stream ends. */
  until(condition: (text: string) => boolean): Promise<string>;
  /** Reads to the end. */
  rest(): Promise<string>;
  close(): Promise<void>;
}

/** Opens a stream whose text the test reads. */
export async function openText(
  platform: TestPlatform,
  key: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<OpenText> {
  const abort = new AbortController();
  const response = await fetch(streamUrl(platform, query), { headers: { 'x-api-key': key, ...headers }, signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function until(condition: (text: string) => boolean): Promise<string> {
    while (!condition(text)) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      text += value;
    }
    return text;
  }
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    until,
    rest: () => until(() => false),
    async close() {
      abort.abort();
      await reader?.cancel().catch(() => undefined);
    },
  };
}
