/** The one HTTP door of all gateways of the shop, and of its areas: node:http alone, so that none is measured by a web framework. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildASTSchema, parse, validate, type DocumentNode } from 'graphql';
import type { OpenPart } from '../part.ts';

export interface DoorRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
}

export interface Answering {
  /** What it throws is answered as 500. */
  answer(request: DoorRequest): Promise<object>;
  /** Queries answered by an area, or sent to areas in one process; absent where they are counted elsewhere. */
  fetches?(): number;
  close?(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export async function openDoor({ answer, fetches = () => 0, close = () => Promise.resolve() }: Answering): Promise<OpenPart> {
  const server = createServer((request, response) => {
    const send = (status: number, body: string): void => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      response.writeHead(status, headers).end(body);
    };
    bodyOf(request)
      .then((body) => {
        const { query = '', variables = {}, operationName = null } = JSON.parse(body) as Partial<DoorRequest>;
        return answer({ query, variables, operationName });
      })
      .then(
        (value) => send(200, JSON.stringify(value)),
        (fault: unknown) => send(500, JSON.stringify({ fault: fault instanceof Error ? fault.stack : String(fault) })),
      );
  });
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

/** For gateways that take a document: each text is parsed and validated once, as ours does it. */
export function createReader(apiSdl: string): (text: string) => DocumentNode {
  const schema = buildASTSchema(parse(apiSdl));
  const known = new Map<string, DocumentNode>();
  return (text) => {
    const document = known.get(text) ?? parse(text);
    if (known.has(text)) return document;
    const [fault] = validate(schema, document);
    if (fault !== undefined) throw fault;
    known.set(text, document);
    return document;
  };
}
