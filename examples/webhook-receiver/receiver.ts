/** The HTTP server of the receiver: verifies a webhook, stores it and responds. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { Inbox } from './inbox.ts';

/** Larger than any event. */
const bodyBytesMax = 1024 * 1024;

/** The body as text; null if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    // Cast: a request without an encoding is a stream of buffers.
    const bytes = part as Buffer;
    size += bytes.length;
    if (size > bodyBytesMax) return null;
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString('utf8');
}

const headerOf = ({ headers }: IncomingMessage, name: string): string => [headers[name] ?? ''].flat()[0] ?? '';

/** @param onStored called after the response to a message that was not received before */
export function createReceiver(secret: string, inbox: Inbox, onStored: () => void): Server {
  const webhook = new Webhook(secret);

  /** The library also rejects messages that are more than five minutes old. */
  function isValid(body: string, request: IncomingMessage): boolean {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    try {
      webhook.verify(body, Object.fromEntries(names.map((name) => [name, headerOf(request, name)])));
      return true;
    } catch {
      return false;
    }
  }

  async function statusOf(request: IncomingMessage): Promise<{ status: number; isNew: boolean }> {
    if (request.method !== 'POST') return { status: 405, isNew: false };
    const body = await readBody(request);
    if (body === null) return { status: 413, isNew: false };
    if (!isValid(body, request)) return { status: 401, isNew: false };
    // stored before the response: otherwise a crash would lose an acknowledged message
    return { status: 204, isNew: inbox.add(headerOf(request, 'webhook-id'), body) };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, isNew } = await statusOf(request);
    response.writeHead(status).end();
    if (isNew) onStored();
  }

  return createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      // the sender retries
      console.error(error instanceof Error ? error.message : error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
}
