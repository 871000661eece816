/** A call to an area as the text of a frame: the operation is sent once per connection and named by a number afterwards. */
import type { Area } from '../../schema/areas.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { SentTexts } from './client-connection.ts';

export interface AreaCall {
  /** The area, in a call to a process that serves several. */
  readonly area?: Area | undefined;
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly viewer: Viewer;
  readonly requestId: string;
  /** The operation of the request, for the log. */
  readonly operation?: string | undefined;
  /** W3C Trace Context; absent without a trace. */
  readonly traceparent?: string | undefined;
  /** Whether the caller sends the call as a mutation. */
  readonly mutation: boolean;
  /** On the clock of `performance.now()`. */
  readonly deadlineMs: number;
}

/** The members of the JSON. Times are durations, because the processes have different clocks. */
interface WrittenCall extends Omit<AreaCall, 'query' | 'deadlineMs'> {
  /** The number of the text; null for a text without one. */
  readonly text: number | null;
  readonly query?: string;
  readonly timeoutMs: number;
}

export function writeAreaCall({ query, deadlineMs, ...call }: AreaCall, texts: SentTexts): string {
  const { number, isNew } = texts.numberOf(query);
  const timeoutMs = Math.ceil(deadlineMs - performance.now());
  const written: WrittenCall = { text: number, ...(isNew && { query }), ...call, timeoutMs };
  return JSON.stringify(written);
}

/** Reads the calls of one connection. Throws Error for a number without a text. */
export function createAreaCallReader(): (body: string) => AreaCall {
  const texts = new Map<number, string>();
  return (body) => {
    // Cast: only the router can send a call, because each record is authenticated.
    const { text, query: sent, timeoutMs, ...call } = JSON.parse(body) as WrittenCall;
    if (text !== null && sent !== undefined) texts.set(text, sent);
    const query = sent ?? (text === null ? undefined : texts.get(text));
    if (query === undefined) throw new Error(`The text ${String(text)} is unknown.`);
    return { ...call, query, deadlineMs: performance.now() + timeoutMs };
  };
}
