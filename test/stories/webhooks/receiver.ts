/** An HTTP server that receives webhooks. It verifies every request with the official package, as a partner does. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../eventually.ts';

/** An event as it was received. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly resource: { readonly type: string; readonly id: string; readonly version: number };
  readonly data: {
    readonly type: string | null;
    readonly id: string;
    readonly deleted: boolean;
    readonly representation: Readonly<Record<string, unknown>> | null;
  } | null;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: ReceivedEvent;
}

/** Responds to a request; without a response the sender waits. */
type Respond = (request: ReceivedRequest, response: ServerResponse) => void;

const ok: Respond = (_, response) => void response.writeHead(204).end();

export async function openReceiver() {
  const requests: ReceivedRequest[] = [];
  let respond: Respond = ok;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const received = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) as ReceivedEvent };
      requests.push(received);
      respond(received, response);
    });
  });
  // a sender that reuses a connection must not meet its end
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    /** Changes the responses; default: 204. */
    respond(next: Respond = ok): void {
      respond = next;
    },
    /** Events of a type, in the order of their arrival. */
    events: (type?: string): ReceivedEvent[] =>
      requests.map(({ event }) => event).filter((event) => type === undefined || event.type === type),
    /** Waits until a number of requests arrived, and returns all. */
    async received(count: number): Promise<ReceivedRequest[]> {
      await eventually(() =>
        requests.length >= count
          ? Promise.resolve()
          : Promise.reject(new Error(`${requests.length} of ${count} requests arrived`)),
      );
      return requests;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** Verifies a request with the official package. Throws Error for a wrong signature. */
export function verify(secret: string, { headers, body }: Pick<ReceivedRequest, 'headers' | 'body'>): void {
  new Webhook(secret).verify(body, headers as Record<string, string>);
}
