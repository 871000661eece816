/** The HTTP server of all gateways of the shop and of its areas: plain node:http, so that no web framework is measured. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildASTSchema, parse, validate, type DocumentNode } from 'graphql';
import { createAreaCallReader } from '../../platform/frames/area-call.ts';
import { acceptFrames } from '../../platform/frames/server.ts';
import { createLog } from '../../platform/log.ts';
import { createNonceMemory } from '../../platform/security/signature.ts';
import type { OpenPart } from '../part.ts';

export interface QueryRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
}

export interface QueryServer {
  /** An error thrown here becomes a 500 response. */
  respond(request: QueryRequest): Promise<object>;
  /** Queries served as an area, or sent to areas in this process; absent where another process counts them. */
  fetches?(): number;
  close?(): Promise<void>;
  /** Accepts framed connections with this key too, as the platform's areas do. */
  readonly frameKey?: Buffer;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export async function serveQueries({
  respond,
  fetches = () => 0,
  close = () => Promise.resolve(),
  frameKey,
}: QueryServer): Promise<OpenPart> {
  const server = createServer((request, response) => {
    const send = (status: number, body: string): void => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      response.writeHead(status, headers).end(body);
    };
    bodyOf(request)
      .then((body) => {
        const { query = '', variables = {}, operationName = null } = JSON.parse(body) as Partial<QueryRequest>;
        return respond({ query, variables, operationName });
      })
      .then(
        (value) => send(200, JSON.stringify(value)),
        (error: unknown) => send(500, JSON.stringify({ error: error instanceof Error ? error.stack : String(error) })),
      );
  });
  if (frameKey !== undefined) {
    const createHandler = () => {
      const read = createAreaCallReader();
      return async (body: string) => JSON.stringify(await respond(read(body)));
    };
    const log = createLog({ name: 'shop', level: 'error' });
    acceptFrames(server, { key: frameKey, nonces: createNonceMemory(), log, createHandler });
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetches,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await close();
    },
  };
}

/** For gateways that take a document: parses and validates each text once, as the platform's router does. */
export function createReader(apiSdl: string): (text: string) => DocumentNode {
  const schema = buildASTSchema(parse(apiSdl));
  const known = new Map<string, DocumentNode>();
  return (text) => {
    const document = known.get(text) ?? parse(text);
    if (known.has(text)) return document;
    const [error] = validate(schema, document);
    if (error !== undefined) throw error;
    known.set(text, document);
    return document;
  };
}
