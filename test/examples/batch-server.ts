/** A small server that implements the batch contract (docs/api-conventions.md) and finishes seasons, to test the importer without the platform. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';

export interface BatchCall {
  readonly path: string;
  readonly key: string | undefined;
  readonly idempotencyKey: string;
  readonly items: readonly StoredItem[];
}

export interface StoredItem {
  readonly externalIds: readonly { readonly scheme: string; readonly value: string }[];
  readonly [member: string]: unknown;
}

/** A response that a test returns instead of the contract; undefined lets the request through. `lose` processes the request and drops the response. */
export type Interception =
  { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> } | 'lose' | 'drop' | undefined;

export interface BatchServer extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly BatchCall[];
  /** Resources by path and external ID. */
  readonly stored: ReadonlyMap<string, { readonly id: string; readonly item: StoredItem }>;
  /** IDs of the finished seasons. */
  readonly finished: ReadonlySet<string>;
  /** Ends every connection and stops listening, like a killed process. */
  readonly kill: () => Promise<void>;
  /** Listens again at the same address. */
  readonly restart: () => Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const scopes = ['organizations:write', 'athletes:write', 'competitions:write'];

const fails = (item: StoredItem): boolean => item.city === 'Nowhere';

/** Starts the server on a free port; items of the city Nowhere fail. */
export async function startBatchServer(
  intercept: (call: BatchCall, count: number) => Interception = () => undefined,
): Promise<BatchServer> {
  const stored = new Map<string, { id: string; version: number; item: StoredItem }>();
  const replays = new Map<string, unknown>();
  const calls: BatchCall[] = [];
  const finished = new Set<string>();

  const upsert = (path: string, item: StoredItem, index: number): Record<string, unknown> => {
    if (fails(item))
      return {
        index,
        outcome: 'FAILED',
        id: null,
        version: null,
        error: { code: 'conflict', detail: 'No such city', errors: null },
      };
    const key = `${path} ${item.externalIds[0]?.value ?? ''}`;
    const before = stored.get(key);
    // absent members stay unchanged
    const merged = { ...before?.item, ...item };
    const same = before !== undefined && isDeepStrictEqual(before.item, merged);
    const after = { id: before?.id ?? randomUUID(), version: (before?.version ?? 0) + (same ? 0 : 1), item: merged };
    stored.set(key, after);
    const outcome = before === undefined ? 'CREATED' : same ? 'UNCHANGED' : 'UPDATED';
    return { index, outcome, id: after.id, version: after.version, error: null };
  };

  const seasons = '/api/v1/competitions/seasons';
  const statusOf = (id: string): unknown => (finished.has(id) ? 'FINISHED' : 'IN_PROGRESS');
  const send = (response: ServerResponse, body: unknown): unknown =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const answerOther = (request: IncomingMessage, response: ServerResponse): unknown => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://host');
    if (pathname.endsWith('/me')) return send(response, { key: { scopes } });
    const externalId = searchParams.get('externalId')?.replace(/^[A-Z]+:/, '');
    if (externalId !== undefined) {
      const row = stored.get(`${pathname}/batch ${externalId}`);
      return send(response, { data: row === undefined ? [] : [{ id: row.id }] });
    }
    const [, id] = new RegExp(`^${seasons}/(.+)/finish$`).exec(request.url ?? '') ?? [];
    if (id !== undefined) finished.add(id);
    const open = [...stored].flatMap(([key, row]) =>
      key.startsWith(`${seasons}/batch `) ? [{ id: row.id, status: statusOf(row.id) }] : [],
    );
    return send(response, {
      data: open.filter(({ status }) => status === 'IN_PROGRESS'),
      page: { nextCursor: null, hasMore: false },
    });
  };

  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.endsWith('/batch') !== true) return void answerOther(request, response);
    const { items } = JSON.parse(await bodyOf(request)) as { items: StoredItem[] };
    const header = (name: string): string | undefined => request.headers[name]?.toString();
    const call: BatchCall = {
      path: request.url ?? '',
      key: header('x-api-key'),
      idempotencyKey: header('idempotency-key') ?? '',
      items,
    };
    calls.push(call);
    const interception = intercept(call, calls.length);
    if (interception === 'drop') return void request.socket.destroy();
    if (interception !== undefined && interception !== 'lose') {
      const problem = interception.body ?? { code: 'rejected', detail: 'Rejected' };
      response
        .writeHead(interception.status, { 'content-type': 'application/problem+json', ...interception.headers })
        .end(JSON.stringify(problem));
      return;
    }
    const body = replays.get(call.idempotencyKey) ?? { data: items.map((item, index) => upsert(call.path, item, index)) };
    replays.set(call.idempotencyKey, body);
    if (interception === 'lose') return void request.socket.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

  const server = createServer((request, response) => void reply(request, response));
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const kill = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const end = async (): Promise<void> => (server.listening ? kill() : undefined);
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    stored,
    finished,
    kill,
    restart: () => listen(port),
    [Symbol.asyncDispose]: end,
  };
}
