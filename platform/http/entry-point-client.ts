/** The router's door over HTTP, for a bridge in a process of its own: signed, and told in turn what the clients were told. */
import { randomUUID } from 'node:crypto';
import type { Caller, EntryPoint, OperationResponse, OperationRequest, GraphError, Outcome } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { createPeer } from './peer.ts';
import { toProblem } from './problem.ts';

/** What `POST /internal/execute` is sent; the caller is the signed subject. */
export type OperationCall = Pick<OperationRequest, 'operation' | 'variables' | 'refused' | 'admitted'>;

/** What it answers. */
export interface OperationReply extends Omit<OperationResponse, 'settle'> {
  /** Names the answer, so that what became of it can be told. */
  readonly settlement: string;
}

/** What `POST /internal/settle` is sent. */
export interface SettleCall {
  readonly outcomes: readonly (Outcome & { readonly settlement: string })[];
}

export interface EntryPointClient extends EntryPoint {
  close(): Promise<void>;
}

/** Outcomes are told together, so that not every answer is two calls. */
const settleEveryMs = 100;

/** An answer takes at most as long as the slowest plan of fetches. */
const deadlineMs = 30_000;

/**
 * `url` is the router's origin, `key` that of the edge rest → router. `isMutation` decides how a call is signed:
 * the router accepts a mutation's signature once. Never throws: a router that does not answer is an answer with upstream_unavailable or upstream_timeout.
 */
export function createEntryPointClient(options: {
  readonly url: string;
  readonly key: Buffer;
  readonly isMutation: (operation: string) => boolean;
}): EntryPointClient {
  const peer = createPeer({ name: 'The router', url: options.url, key: options.key, deadlineMs });

  let outcomes: SettleCall['outcomes'][number][] = [];
  let timer: NodeJS.Timeout | null = null;

  async function execute(caller: Caller, payload: OperationCall, mutation: boolean): Promise<OperationReply> {
    const { requestId } = caller;
    const call = { path: '/internal/execute', subject: JSON.stringify(caller), payload, mutation, requestId };
    const { status, body } = await peer.post(call);
    if (status !== 200) throw new Problem('upstream_unavailable', 'The router does not answer.');
    return body as OperationReply;
  }

  /** What cannot be told the router takes to be what it was to it; a refund of the bridge's own faults is lost. */
  async function settle(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (outcomes.length === 0) return;
    const payload: SettleCall = { outcomes };
    outcomes = [];
    const call = { path: '/internal/settle', subject: 'outcomes', payload, mutation: true, requestId: randomUUID() };
    await peer.post(call).catch(() => undefined);
  }

  function unanswered(error: unknown): OperationResponse {
    const { message, extensions } = toProblem(error);
    const fault: GraphError = { message, extensions };
    return { data: null, errors: [fault], headers: {}, keyed: false, notes: {}, settle: () => undefined };
  }

  return {
    async execute({ caller, ...call }) {
      const beganMs = performance.now();
      let reply: OperationReply;
      try {
        const mutation = call.operation !== null && options.isMutation(call.operation);
        reply = await execute(caller, call, mutation);
      } catch (error) {
        return unanswered(error);
      }
      const { settlement, ...answer } = reply;
      return {
        ...answer,
        settle({ status }) {
          outcomes.push({ settlement, status, durationMs: Math.round(performance.now() - beganMs) });
          timer ??= setTimeout(() => void settle(), settleEveryMs);
        },
      };
    },
    async close() {
      await settle();
      await peer.close();
    },
  };
}
