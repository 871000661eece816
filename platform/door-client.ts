/** The router's door over HTTP, for a bridge in a process of its own: signed, and settled in a second call only for a refund. */
import type { Caller, Door, DoorAnswer, DoorRequest, GraphFault } from '../schema/door.ts';
import { Problem } from '../schema/errors.ts';
import { createPeer } from './peer.ts';
import { toProblem } from './problem.ts';

/** What `POST /internal/execute` is sent; the caller is the signed subject. */
export type DoorCall = Pick<DoorRequest, 'operation' | 'variables' | 'refused' | 'admitted'>;

/** What it answers. */
export interface DoorReply extends Omit<DoorAnswer, 'settle'> {
  /** Names the charge, so that it can be refunded; null when nothing was charged. */
  readonly settlement: string | null;
}

/** What `POST /internal/settle` is sent. */
export interface SettleCall {
  readonly settlement: string;
  readonly status: number;
}

export interface DoorClient extends Door {
  close(): Promise<void>;
}

/** Outcomes that are refunded (api.md section 5); nothing else is worth a call. */
const refunded = new Set([500, 502, 503]);

/** An answer takes at most as long as the slowest plan of fetches. */
const deadlineMs = 30_000;

/**
 * `url` is the router's origin, `key` that of the edge rest → router. `isMutation` decides how a call is signed:
 * the router accepts a mutation's signature once. Never throws: a router that does not answer is an answer with upstream_unavailable or upstream_timeout.
 */
export function createDoorClient(options: {
  readonly url: string;
  readonly key: Buffer;
  readonly isMutation: (operation: string) => boolean;
}): DoorClient {
  const peer = createPeer({ name: 'The router', url: options.url, key: options.key, deadlineMs });

  async function post(path: string, caller: Caller, payload: DoorCall | SettleCall, mutation: boolean): Promise<unknown> {
    const { requestId } = caller;
    const { status, body } = await peer.post({ path, subject: JSON.stringify(caller), payload, mutation, requestId });
    if (status !== 200) throw new Problem('upstream_unavailable', 'The router does not answer.');
    return body;
  }

  function unanswered(error: unknown): DoorAnswer {
    const { message, extensions } = toProblem(error);
    const fault: GraphFault = { message, extensions };
    return { data: null, errors: [fault], headers: {}, keyed: false, notes: {}, settle: () => undefined };
  }

  return {
    async execute({ caller, ...call }) {
      let reply: DoorReply;
      try {
        const mutation = call.operation !== null && options.isMutation(call.operation);
        reply = (await post('/internal/execute', caller, call, mutation)) as DoorReply;
      } catch (error) {
        return unanswered(error);
      }
      const { settlement, ...answer } = reply;
      return {
        ...answer,
        settle({ status }) {
          if (settlement === null || !refunded.has(status)) return;
          // A refund that cannot be told is lost, as the promise of a quota allows.
          post('/internal/settle', caller, { settlement, status }, true).catch(() => undefined);
        },
      };
    },
    close: () => peer.close(),
  };
}
