/**
 * Calls whose body is sent once the peer has admitted the caller: one HTTP request with `Expect: 100-continue` (RFC 9110 section 10.1.1).
 * undici has no such requests; node:http has.
 */
import type http from 'node:http';
import { json } from 'node:stream/consumers';
import { Problem } from '../../schema/errors.ts';
import type { OperationInput } from '../../schema/entry-point.ts';
import { sign, signBody } from '../security/signature.ts';
import type { DeferredCall } from './entry-point-client.ts';
import { createInstanceAgents, type InstanceAgent } from './instance-agents.ts';
import type { Origins } from './instances.ts';

export const deferredPath = '/internal/execute-deferred';

export interface DeferredPeerOptions {
  /** Origin of the router, or those of its instances. */
  readonly url: Origins;
  readonly key: Buffer;
  /** Upper bound of admission, and again of the execution. */
  readonly deadlineMs: number;
}

export interface DeferredPeer {
  /**
   * Returns the JSON of the response. `input` is called at most once, after admission. An aborted signal closes the connection.
   * Throws Problem upstream_unavailable (503) or upstream_timeout (504).
   */
  post(
    call: DeferredCall,
    input: () => Promise<OperationInput | null>,
    signal?: AbortSignal,
  ): Promise<{ readonly body: unknown; readonly instance: string }>;
  close(): Promise<void>;
}

const connectionsMax = 64;

export function createDeferredPeer({ url, key, deadlineMs }: DeferredPeerOptions): DeferredPeer {
  const agents = createInstanceAgents(url, { maxSockets: connectionsMax });
  const unavailable = (): Problem => new Problem('upstream_unavailable', 'The router is unavailable. Retry the request.');

  function exchange(
    { request }: InstanceAgent,
    call: DeferredCall,
    input: () => Promise<OperationInput | null>,
    signal: AbortSignal | undefined,
  ): Promise<http.IncomingMessage> {
    const subject = JSON.stringify(call);
    const signature = sign({ key, method: 'POST', path: deferredPath, subject, body: '', mutation: true });
    const headers = {
      ...signature,
      'content-type': 'application/json',
      'x-request-id': call.caller.requestId,
      expect: '100-continue',
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(deferredPath, { method: 'POST', headers, signal });
      const timedOut = (): void =>
        void outgoing.destroy(new Problem('upstream_timeout', `The router took longer than ${deadlineMs} ms.`));
      let timer = setTimeout(timedOut, deadlineMs);
      outgoing.once('continue', () => {
        // the body may take the client longer than the router's deadline
        clearTimeout(timer);
        void input().then((ready) => {
          if (outgoing.destroyed) return;
          timer = setTimeout(timedOut, deadlineMs);
          const body = JSON.stringify(ready);
          outgoing.end(`${signBody(key, signature['x-edge-nonce'] ?? '', body)}\n${body}`);
        });
      });
      outgoing.once('response', (response) => {
        // a rejection before the body: nothing else is sent
        if (!outgoing.writableEnded) outgoing.end();
        resolve(response);
      });
      outgoing.once('error', reject);
      outgoing.once('close', () => clearTimeout(timer));
      outgoing.flushHeaders();
    });
  }

  return {
    async post(call, input, signal) {
      try {
        const send = async (agent: InstanceAgent, instance: string) => ({
          response: await exchange(agent, call, input, signal),
          instance,
        });
        const { response, instance } = await agents.run({ send, mayRepeat: () => false });
        if (response.statusCode !== 200) {
          response.resume();
          throw unavailable();
        }
        return { body: await json(response), instance };
      } catch (error) {
        throw error instanceof Problem ? error : unavailable();
      }
    },
    close: () => agents.close(),
  };
}
