/** The router's entry point for a REST bridge in a separate process: framed or signed calls, and the outcomes reported back. */
import { randomUUID } from 'node:crypto';
import type {
  Caller,
  EntryPoint,
  GraphError,
  OperationInput,
  OperationRequest,
  OperationResponse,
  Outcome,
  ResponseSources,
} from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { createFrameClient } from '../frames/client.ts';
import { noteCause, noteRequest, type RequestFacts } from '../telemetry/request-scope.ts';
import { createDeferredPeer } from './deferred-peer.ts';
import type { Origins } from './instances.ts';
import { createInstanceMemory } from './instance-memory.ts';
import { createPeer } from './peer.ts';
import { toProblem } from './problem.ts';

/** The body of `POST /internal/execute`; the signed subject is the caller. */
export interface OperationCall {
  readonly operation: string | null;
  readonly input: OperationInput | null;
  readonly kept?: ResponseSources | undefined;
  readonly isConditional?: boolean | undefined;
  readonly isBurstOnly?: boolean | undefined;
}

/** The signed subject of `POST /internal/execute-deferred`, whose body is sent after admission: its signature, a line feed, its JSON. */
export interface DeferredCall {
  readonly caller: Caller;
  readonly operation: string;
}

/** A call over a framed connection. */
export type FramedCall =
  | { readonly kind: 'EXECUTE'; readonly caller: Caller; readonly mutation: boolean; readonly call: OperationCall }
  /** The router requests the input once the caller is admitted. */
  | { readonly kind: 'EXECUTE_DEFERRED'; readonly call: DeferredCall }
  | { readonly kind: 'SETTLE'; readonly call: SettleCall };

/** The response of `POST /internal/execute`. */
export interface OperationReply extends Omit<OperationResponse, 'settle'> {
  /** Id under which the outcome is reported. */
  readonly settlement: string;
  /** What the log line of the request has in the router; absent from an older one. */
  readonly facts?: RequestFacts | undefined;
}

/** The body of `POST /internal/settle`. */
export interface SettleCall {
  readonly outcomes: readonly (Outcome & { readonly settlement: string })[];
}

export interface EntryPointClient extends EntryPoint {
  close(): Promise<void>;
}

/** Outcomes are reported in batches, to avoid a second call per request. */
const settleEveryMs = 100;

/** Upper bound of the slowest query plan. */
const deadlineMs = 30_000;
/** The same for a call whose input the client is still sending: Fastify waits 60 s for a body. */
const deferredDeadlineMs = 60_000 + 2 * deadlineMs;

interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  readonly input?: () => Promise<OperationInput | null>;
  readonly preferred?: string | undefined;
}

/** The response of an instance of the router. */
interface Received {
  readonly body: unknown;
  readonly instance: string;
}

// Cast: the call is authenticated, and the router responds with its own type.
const replyOf = (body: unknown): OperationReply => body as OperationReply;

/**
 * `url` is the router's origin or those of its instances, `key` signs calls of the edge rest → router. `isMutation` decides how a call is signed:
 * the router accepts the signature of a mutation once. Never throws: a router that is down is reported as upstream_unavailable
 * or upstream_timeout in the response.
 */
export function createEntryPointClient(options: {
  readonly url: Origins;
  readonly key: Buffer;
  readonly isMutation: (operation: string) => boolean;
}): EntryPointClient {
  const peer = createPeer({ name: 'The router', url: options.url, key: options.key, deadlineMs });
  const deferred = createDeferredPeer({ url: options.url, key: options.key, deadlineMs });
  const frames = createFrameClient({ name: 'The router', url: options.url, key: options.key });
  const memory = createInstanceMemory();

  /** Null when the router does not accept framed connections. */
  async function send(call: FramedCall, { signal, input, preferred }: SendOptions = {}): Promise<Received | null> {
    const body = JSON.stringify(call);
    let instance = '';
    const response = await frames.call({
      preferred,
      onInstance: (id) => (instance = id),
      body: () => body,
      deadlineMs: performance.now() + (input === undefined ? deadlineMs : deferredDeadlineMs),
      signal,
      mutation: call.kind !== 'EXECUTE' || call.mutation,
      answer: async () => JSON.stringify((await input?.()) ?? null),
    });
    return response === null ? null : { body: JSON.parse(response), instance };
  }

  /** By instance: only the one that executed a call knows its settlement. */
  let outcomes = new Map<string, SettleCall['outcomes'][number][]>();
  let timer: NodeJS.Timeout | null = null;

  async function execute(request: OperationRequest): Promise<Received> {
    const { caller, operation, input, signal, isConditional, isBurstOnly } = request;
    const { requestId } = caller;
    if (typeof input === 'function') {
      if (operation === null) throw new Error('a deferred input needs an operation');
      const call = { caller, operation };
      return (await send({ kind: 'EXECUTE_DEFERRED', call }, { signal, input })) ?? (await deferred.post(call, input, signal));
    }
    const { kept, preferred } = memory.confirmable(request.kept);
    const payload: OperationCall = { operation, input, kept, isConditional, isBurstOnly };
    const mutation = operation !== null && options.isMutation(operation);
    const framed = await send({ kind: 'EXECUTE', caller, mutation, call: payload }, { signal, preferred });
    if (framed !== null) return framed;
    const call = { path: '/internal/execute', subject: JSON.stringify(caller), payload, mutation, requestId, signal, preferred };
    const { status, body, instance } = await peer.post(call);
    if (status !== 200) throw new Problem('upstream_unavailable', 'The router is unavailable. Retry the request.');
    return { body, instance };
  }

  async function settleAt(preferred: string, reported: SettleCall['outcomes']): Promise<void> {
    const payload: SettleCall = { outcomes: reported };
    const call = { path: '/internal/settle', subject: 'outcomes', payload, mutation: true, requestId: randomUUID(), preferred };
    if ((await send({ kind: 'SETTLE', call: payload }, { preferred })) === null) await peer.post(call);
  }

  /** For an outcome that cannot be reported the router assumes its own status; refunds for errors of the bridge are lost. */
  async function settle(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const reported = outcomes;
    outcomes = new Map();
    await Promise.allSettled([...reported].map(([instance, each]) => settleAt(instance, each)));
  }

  function failedResponse(error: unknown): OperationResponse {
    const { message, extensions } = toProblem(error);
    noteCause(message);
    const graphError: GraphError = { message, extensions };
    return { data: null, errors: [graphError], headers: {}, authenticated: false, notes: {}, settle: () => undefined };
  }

  return {
    async execute(request) {
      const startedMs = performance.now();
      const isWrite = request.operation !== null && options.isMutation(request.operation);
      let received: Received;
      try {
        received = await execute(request);
      } catch (error) {
        // it may have been executed by any instance
        if (isWrite) memory.written('');
        return failedResponse(error);
      }
      const { instance } = received;
      const { settlement, facts, ...response } = replyOf(received.body);
      if (facts !== undefined) noteRequest(facts);
      if (isWrite) memory.written(instance);
      else if (response.sources !== undefined) memory.read(response.sources, instance);
      return {
        ...response,
        settle({ status, error }) {
          const durationMs = Math.round(performance.now() - startedMs);
          const reported = outcomes.get(instance) ?? [];
          reported.push({ settlement, status, error, durationMs });
          outcomes.set(instance, reported);
          timer ??= setTimeout(() => void settle(), settleEveryMs);
        },
      };
    },
    async close() {
      await settle();
      await Promise.all([frames.close(), peer.close(), deferred.close()]);
    },
  };
}
