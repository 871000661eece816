/** The client's side of one framed connection: calls in progress, their deadlines and their results. */
import { checkDeadlinesEvery } from '../deadline.ts';
import type { ErrorCode } from '../../schema/errors.ts';
import { createConnection, frameTypes, maxFrameBytes, type ConnectionOptions } from './connection.ts';
import type { Frame } from './record.ts';

/** Texts that were sent over a connection once and are named by a number afterwards. */
export interface SentTexts {
  /** The number of a text, and whether the peer does not know it yet; a null number for a text that is always sent. */
  numberOf(text: string): { readonly number: number | null; readonly isNew: boolean };
}

export interface FramedCall {
  /** The request, for this connection. */
  readonly body: (texts: SentTexts) => string;
  /** On the clock of `performance.now()`. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Answers the server's question about this call. It must not throw. */
  readonly answer: () => string | Promise<string>;
}

/** How a call ended. NOT_EXECUTED calls, also mutations, can be sent again; LOST ones may have been executed. */
export type Outcome =
  | { readonly kind: 'RESPONSE'; readonly body: string }
  | { readonly kind: 'REJECTED'; readonly code: string }
  | { readonly kind: 'NOT_EXECUTED' | 'LOST' | 'TIMEOUT' | 'CANCELED' };

export interface ClientConnection {
  call(call: FramedCall): Promise<Outcome>;
  /** Calls in progress. */
  pending(): number;
  /** Whether further calls can be sent. */
  isOpen(): boolean;
  readonly openedMs: number;
  /** When the last bytes arrived, on the clock of `performance.now()`. */
  lastReceivedMs(): number;
  /** Sends no further calls; closes after those in progress. */
  retire(): void;
  closed: Promise<void>;
}

interface Pending {
  readonly call: FramedCall;
  readonly settle: (outcome: Outcome) => void;
}

const tooLarge: ErrorCode = 'payload_too_large';
/** Texts come from query plans: few texts, repeated often. */
const textsMax = 2_000;
/** A peer that reads too slowly gets no further calls. */
const bufferedMaxBytes = 32 * 1024 * 1024;
export const pendingMax = 1_024;
const sweepMs = 50;

function createSentTexts(): SentTexts {
  const numbers = new Map<string, number>();
  return {
    numberOf(text) {
      const known = numbers.get(text);
      if (known !== undefined) return { number: known, isNew: false };
      if (numbers.size >= textsMax) return { number: null, isNew: true };
      numbers.set(text, numbers.size);
      return { number: numbers.size - 1, isNew: true };
    },
  };
}

/** Whether a text may exceed the frame limit in UTF-8. */
export const isTooLarge = (body: string): boolean => body.length * 3 > maxFrameBytes && Buffer.byteLength(body) > maxFrameBytes;

export function createClientConnection(
  options: Omit<ConnectionOptions, 'side' | 'onFrame' | 'onClose'>,
  onClose: (reason: string) => void,
): ClientConnection {
  const texts = createSentTexts();
  const pending = new Map<number, Pending>();
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<undefined>();
  let nextId = 1;
  let isOpen = true;
  let sweeper: NodeJS.Timeout | undefined;

  function settle(id: number, outcome: Outcome): void {
    const found = pending.get(id);
    if (found === undefined) return;
    pending.delete(id);
    found.settle(outcome);
    if (!isOpen && pending.size === 0) connection.end();
  }

  const cancel = (id: number, kind: 'TIMEOUT' | 'CANCELED'): void => {
    connection.send(frameTypes.CANCEL, id);
    settle(id, { kind });
  };

  /** One timer for the deadlines of all calls of the connection. */
  function sweep(): void {
    const now = performance.now();
    for (const [id, { call }] of pending) if (now >= call.deadlineMs) cancel(id, 'TIMEOUT');
    if (pending.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  function retire(): void {
    if (!isOpen) return;
    isOpen = false;
    connection.send(frameTypes.DRAIN, 0);
    if (pending.size === 0) connection.end();
  }

  function receive({ type, id, body }: Frame): void {
    if (type === frameTypes.RESPONSE) settle(id, { kind: 'RESPONSE', body });
    else if (type === frameTypes.REJECTION) settle(id, { kind: 'REJECTED', code: body });
    else if (type === frameTypes.DRAIN) retire();
    else if (type === frameTypes.QUESTION) {
      const call = pending.get(id)?.call;
      if (call !== undefined) void answer(id, call);
    }
  }

  async function answer(id: number, call: FramedCall): Promise<void> {
    const body = await call.answer();
    if (isTooLarge(body)) settle(id, { kind: 'REJECTED', code: tooLarge });
    else if (pending.has(id)) connection.send(frameTypes.ANSWER, id, body);
  }

  const connection = createConnection({
    ...options,
    side: 'CLIENT',
    onFrame: receive,
    onClose(reason) {
      isOpen = false;
      clearInterval(sweeper);
      const sentId = connection.sentId();
      for (const id of [...pending.keys()]) settle(id, { kind: id > sentId ? 'NOT_EXECUTED' : 'LOST' });
      onClose(reason);
      resolveClosed(undefined);
    },
  });

  function send(call: FramedCall, settleCall: Pending['settle']): void {
    const body = call.body(texts);
    if (isTooLarge(body)) return settleCall({ kind: 'REJECTED', code: tooLarge });
    const id = nextId;
    nextId += 1;
    pending.set(id, { call, settle: settleCall });
    connection.send(frameTypes.REQUEST, id, body);
    sweeper ??= checkDeadlinesEvery(sweepMs, sweep);
    if (call.signal === undefined) return;
    call.signal.addEventListener('abort', () => cancelOpen(id), { once: true });
  }

  const cancelOpen = (id: number): void => {
    if (pending.has(id)) cancel(id, 'CANCELED');
  };

  return {
    call: (call) =>
      new Promise((resolve) => {
        if (call.signal?.aborted === true) resolve({ kind: 'CANCELED' });
        else if (pending.size >= pendingMax || connection.bufferedBytes() > bufferedMaxBytes)
          resolve({ kind: 'REJECTED', code: 'overloaded' });
        else send(call, resolve);
      }),
    pending: () => pending.size,
    isOpen: () => isOpen,
    openedMs: performance.now(),
    lastReceivedMs: () => connection.lastReceivedMs(),
    retire,
    closed,
  };
}
