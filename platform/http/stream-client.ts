/** The router's streams of events for a REST bridge in a separate process: one signed HTTP request per stream, whose response is passed on. */
import type http from 'node:http';
import { text } from 'node:stream/consumers';
import type { Writable } from 'node:stream';
import type { EventStreams, StreamRequest, StreamResponse } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { sign } from '../security/signature.ts';
import { createInstanceAgents, type InstanceAgent } from './instance-agents.ts';
import type { Origins } from './instances.ts';

export const streamPath = '/internal/stream';

/** The header with the JSON of a StreamReply before a stream. */
export const replyHeader = 'x-edge-reply';

/** The body of a call; the signed subject is the caller. */
export type StreamCall = Pick<StreamRequest, 'operation' | 'filter' | 'cursor'>;

/** The response without the stream; the router settles it. */
export type StreamReply = Pick<StreamResponse, 'errors' | 'headers'>;

export interface StreamClientOptions {
  /** Origin of the router, or those of its instances. */
  readonly url: Origins;
  readonly key: Buffer;
  /** Time limit until the stream begins. */
  readonly deadlineMs?: number | undefined;
  /** A stream without a byte for this time ends, so that its client connects again; default: three heartbeats of the router. */
  readonly silenceMs?: number | undefined;
}

const unavailable = (): Problem => new Problem('upstream_unavailable', 'The router is unavailable. Retry the request.');

// Cast: the call is signed, and the router responds with its own type.
const parseReply = (reply: string): StreamReply => JSON.parse(reply) as StreamReply;

/** Sent when the connection to the router ends without an end of the stream, such as after a crash. */
const lost = (): string => `retry: ${1_000 + Math.floor(Math.random() * 4_000)}\n: the connection to the router was lost\n\n`;

/** Passes the bytes on as fast as the client reads them, until the router sends nothing for `silenceMs`. */
function pipe(incoming: http.IncomingMessage, output: Writable, silenceMs: number, onEnd: () => void): void {
  incoming.pipe(output, { end: false });
  incoming.setTimeout(silenceMs, () => incoming.destroy());
  incoming.once('close', () => {
    onEnd();
    if (!output.writableEnded && !output.destroyed) output.end(incoming.complete ? '' : lost());
  });
  incoming.on('error', () => incoming.destroy());
  output.on('error', () => incoming.destroy());
  output.once('close', () => incoming.destroy());
  if (output.destroyed) incoming.destroy();
}

/** Closing ends the streams; the router ends its side. */
export function createStreamClient({ url, key, deadlineMs = 30_000, silenceMs = 45_000 }: StreamClientOptions): EventStreams {
  // each stream has a connection
  const agents = createInstanceAgents(url, {});
  const open = new Set<http.IncomingMessage>();

  async function exchange({ request }: InstanceAgent, { caller, signal, ...call }: StreamRequest): Promise<http.IncomingMessage> {
    const subject = JSON.stringify(caller);
    const body = JSON.stringify(call satisfies StreamCall);
    const signature = sign({ key, method: 'POST', path: streamPath, subject, body, mutation: true });
    const headers = { ...signature, 'content-type': 'application/json', 'x-request-id': caller.requestId };
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const outgoing = request(streamPath, { method: 'POST', headers, signal });
    const timer = setTimeout(
      () => outgoing.destroy(new Problem('upstream_timeout', `The router took longer than ${deadlineMs} ms.`)),
      deadlineMs,
    );
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.end(body);
    return await promise.finally(() => clearTimeout(timer));
  }

  async function openStream(call: StreamRequest): Promise<StreamResponse> {
    const incoming = await agents.run({ send: (agent) => exchange(agent, call), mayRepeat: () => false });
    const settle = (): void => undefined;
    if (incoming.statusCode !== 200) {
      incoming.resume();
      throw unavailable();
    }
    const header = incoming.headers[replyHeader];
    if (typeof header !== 'string') return { ...parseReply(await text(incoming)), settle, start: null };
    open.add(incoming);
    incoming.once('close', () => open.delete(incoming));
    return { ...parseReply(header), settle, start: (output) => pipe(incoming, output, silenceMs, () => open.delete(incoming)) };
  }

  return {
    async open(call) {
      try {
        return await openStream(call);
      } catch (error) {
        const { message, extensions } = error instanceof Problem ? error : unavailable();
        return { errors: [{ message, extensions }], headers: {}, settle: () => undefined, start: null };
      }
    },
    close() {
      for (const incoming of open) incoming.destroy();
      void agents.close();
    },
  };
}
