/** One WebSocket with the protocol graphql-transport-ws (https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverWebSocket.md). */
import { randomUUID } from 'node:crypto';
import { CloseCode, MessageType, parseMessage } from 'graphql-ws';
import type { ConnectionInitMessage, SubscribeMessage } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { limitValues } from '../../platform/http/json-size.ts';
import type { Caller } from '../../schema/entry-point.ts';
import { errors, Problem } from '../../schema/errors.ts';
import { reportedError } from '../../schema/reported-error.ts';
import type { Admission, Admitted } from '../admission/admission.ts';
import { bodyLimits } from '../graphql/body.ts';
import type { StreamEnd } from '../streams/stream-limits.ts';
import { connectionCaller } from './connection-caller.ts';
import { limits } from './limits.ts';
import type { LiveSubscriptions } from './live-subscriptions.ts';
import { errorOf, errorsText } from './payload.ts';
import type { RequestedSubscription, SubscriptionCaller, SubscriptionRequest } from './requested-subscription.ts';
import { subscriptionError } from './subscription-error.ts';

export interface GraphqlSocketOptions {
  readonly admission: Pick<Admission, 'admit'>;
  readonly request: (request: SubscriptionRequest, by: SubscriptionCaller) => Promise<RequestedSubscription>;
  readonly live: LiveSubscriptions;
  /** The errors of a failed start as JSON; logs unexpected ones. */
  readonly errorsJson: (error: unknown) => string;
}

/** Codes of connections that the platform closes. The client connects again after 1001, 1012 and 1013. */
const closings: Readonly<Record<StreamEnd, readonly [code: number, reason: string]>> = {
  SHUTDOWN: [1001, 'The process is shutting down. Connect again.'],
  TIME_LIMIT: [1012, 'The stream has reached its time limit. Connect again.'],
  KEY_CHANGED: [1012, 'The API key has changed. Connect again.'],
};

/** The code of a rejected connection. After 4401 clients do not connect again. */
function closeCodeOf(problem: Problem): number {
  const { status } = errors[problem.code];
  if (status === 429 || status >= 500) return 1013;
  return status === 403 ? CloseCode.Forbidden : CloseCode.Unauthorized;
}

/** A close reason has at most 123 bytes (RFC 6455, section 5.5). */
const reasonOf = ({ code, message }: Problem): string => {
  const reason = `${code}: ${message}`;
  return Buffer.byteLength(reason) <= 123 ? reason : code;
};

function reject(rejection: Parameters<SubscriptionCaller['reject']>[0]): void {
  if (rejection !== null) throw rejection.problem;
}

interface OpenSubscription {
  /** Ends it; null while it starts. */
  stop: (() => void) | null;
}

/** Handles the messages of a socket. `headerCaller` is the caller of the upgrade request. */
export function serveGraphqlSocket(socket: WebSocket, headerCaller: Caller, options: GraphqlSocketOptions): void {
  const { admission, request, live, errorsJson } = options;
  const subscriptions = new Map<string, OpenSubscription>();
  let caller: Caller | null = null;
  let hasInit = false;
  let isClosed = false;
  let timer = setTimeout(
    () => close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout'),
    limits.initMs,
  );

  function close(code: number, reason: string): void {
    if (!isClosed) socket.close(code, reason);
  }

  function send(text: string): void {
    if (isClosed) return;
    // the client does not read: it connects again and receives the current state
    if (socket.bufferedAmount > limits.bufferedBytes) socket.terminate();
    else socket.send(text);
  }

  function watchIdle(): void {
    clearTimeout(timer);
    if (subscriptions.size > 0) return;
    timer = setTimeout(() => close(1000, 'The connection has no subscription.'), limits.idleMs).unref();
  }

  async function connect({ payload }: ConnectionInitMessage): Promise<void> {
    if (hasInit) return close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
    hasInit = true;
    const own = connectionCaller(headerCaller, payload);
    const outcome = await admission.admit(own, { charge: 'BURST_ONLY' });
    if (outcome.kind !== 'ADMITTED') {
      outcome.settle({ status: errors[outcome.problem.code].status, error: reportedError(outcome.problem) });
      return close(closeCodeOf(outcome.problem), reasonOf(outcome.problem));
    }
    outcome.settle({ status: 200 });
    caller = own;
    watchIdle();
    send(JSON.stringify({ type: MessageType.ConnectionAck }));
  }

  function fail(id: string, own: OpenSubscription, json: string): void {
    // completed meanwhile
    if (subscriptions.get(id) !== own) return;
    subscriptions.delete(id);
    send(`{"id":${JSON.stringify(id)},"type":"error","payload":${json}}`);
    watchIdle();
  }

  function begin(
    id: string,
    own: OpenSubscription,
    requested: RequestedSubscription,
    by: { readonly admitted: Admitted; readonly caller: Caller },
  ): void {
    if (isClosed || subscriptions.get(id) !== own) return;
    const prefix = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
    own.stop = live.start(requested, by, {
      next: ({ json }) => send(`${prefix}${json}}`),
      end: (failures) => fail(id, own, errorsText(failures)),
      disconnect: (reason) => close(...closings[reason]),
    });
  }

  async function subscribe({ id, payload }: SubscribeMessage, connected: Caller): Promise<void> {
    if (subscriptions.has(id)) return close(CloseCode.SubscriberAlreadyExists, 'Subscriber with this id already exists');
    const own: OpenSubscription = { stop: null };
    subscriptions.set(id, own);
    clearTimeout(timer);
    if (subscriptions.size > limits.subscriptionsPerConnection) {
      const detail = `A connection can have ${limits.subscriptionsPerConnection} subscriptions. Open several connections.`;
      return fail(id, own, errorsText([errorOf(new Problem('rate_limited', detail))]));
    }
    const caller = { ...connected, requestId: randomUUID() };
    const outcome = await admission.admit(caller);
    let name: string | null = null;
    try {
      if (outcome.kind !== 'ADMITTED') throw outcome.problem;
      const requested = await request({ body: payload, query: null }, { admitted: outcome, reject });
      name = requested.name;
      begin(id, own, requested, { admitted: outcome, caller });
      outcome.settle({ status: 200, operation: name });
    } catch (error) {
      const status = error instanceof Problem ? errors[error.code].status : 200;
      outcome.settle({ status, operation: name, error: subscriptionError(error) });
      fail(id, own, errorsJson(error));
    }
  }

  async function receive(text: string): Promise<void> {
    const message = parseMessage(text);
    if (message.type === MessageType.ConnectionInit) return await connect(message);
    if (message.type === MessageType.Ping)
      return send(JSON.stringify({ type: MessageType.Pong, ...(message.payload && { payload: message.payload }) }));
    if (message.type === MessageType.Pong) return;
    if (caller === null) return close(CloseCode.Unauthorized, 'Unauthorized');
    if (message.type === MessageType.Subscribe) return await subscribe(message, caller);
    if (message.type !== MessageType.Complete) throw new Error(`Unexpected message ${message.type}`);
    const ended = subscriptions.get(message.id);
    subscriptions.delete(message.id);
    ended?.stop?.();
    watchIdle();
  }

  socket.on('message', (data: Buffer) => {
    try {
      limitValues(data, bodyLimits.values);
    } catch {
      return close(1009, 'The message has too many values.');
    }
    receive(data.toString('utf8')).catch((error: unknown) => {
      if (error instanceof Problem) close(closeCodeOf(error), reasonOf(error));
      else close(CloseCode.BadRequest, 'Invalid message received');
    });
  });
  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    isClosed = true;
    clearTimeout(timer);
    for (const { stop } of subscriptions.values()) stop?.();
    subscriptions.clear();
  });
}
