/** The router's door over HTTP, for a bridge in a process of its own: signed, and settled in a second call only for a refund. */
import { Pool } from 'undici';
import type { Caller, Door, DoorAnswer, DoorRequest, GraphFault } from '../schema/door.ts';
import { Problem } from '../schema/errors.ts';
import { sign } from './signature.ts';

/** What `POST /internal/execute` is sent; the caller is the signed subject. */
export type DoorCall = Pick<DoorRequest, 'operation' | 'variables' | 'refused'>;

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
 * the router accepts a mutation's signature once. Never throws: an unreachable router is an answer with upstream_unavailable.
 */
export function createDoorClient(options: {
  readonly url: string;
  readonly key: Buffer;
  readonly isMutation: (operation: string) => boolean;
}): DoorClient {
  const pool = new Pool(options.url, { connections: 64, bodyTimeout: deadlineMs, headersTimeout: deadlineMs });

  async function post(path: string, caller: Caller, payload: DoorCall | SettleCall, mutation: boolean): Promise<unknown> {
    const body = JSON.stringify(payload);
    const signature = sign({ key: options.key, method: 'POST', path, subject: JSON.stringify(caller), body, mutation });
    const response = await pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': caller.requestId, ...signature },
      body,
      signal: AbortSignal.timeout(deadlineMs),
    });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`the router answered ${response.statusCode}`);
    return JSON.parse(text);
  }

  function unreachable(): DoorAnswer {
    const { message, extensions } = new Problem('upstream_unavailable', 'The router does not answer.');
    const fault: GraphFault = { message, extensions };
    return { data: null, errors: [fault], headers: {}, keyed: false, notes: {}, settle: () => undefined };
  }

  return {
    async execute({ operation, variables, refused = false, caller }) {
      let reply: DoorReply;
      try {
        const mutation = operation !== null && options.isMutation(operation);
        reply = (await post('/internal/execute', caller, { operation, variables, refused }, mutation)) as DoorReply;
      } catch {
        return unreachable();
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
    close: () => pool.close(),
  };
}
