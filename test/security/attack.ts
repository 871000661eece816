/** The corpus of attacks: requests in tables, and what every response to one must and must not contain. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { isRecord } from '../../schema/records.ts';
import type { TestPlatform } from '../test-platform.ts';

/** One attack: a name, the request, and the expected status and error code (null: no error). */
export type Attack = readonly [name: string, request: AttackRequest, status: number, code: string | null];

export interface AttackRequest {
  /** Sent unchanged, without the normalization of a URL parser. */
  readonly path: string;
  /** Default: GET, or POST with a body. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** An object is sent as JSON. */
  readonly body?: object | string | Uint8Array;
}

export interface AttackResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What an error response must not contain: stacks, SQL, and names of files, roles, tables and libraries. */
const internals =
  /\bat [\w.<>]+ \(|node_modules|file:\/\/|(?:^|[\s("])\/(?:subgraphs|platform|router|wiring|rest-bridge)\/|\bselect\b[^"]*\bfrom\b|insert into|\bpg_|relation \\?"|syntax error at|violates \w+ constraint|ECONN|ENOENT|talent_(?:router|relay|sandbox|accounts|athletes|competitions|opportunities|organizations|scouting)|password_hash|SQLSTATE|GraphQLError|TypeError|RangeError|Cannot read prop|FST_ERR|\.ts:\d+/i;

/** Statements of areas that one rejected request may cause: the bound of its work. */
const statementsMax = 12;

const isBytes = (body: AttackRequest['body']): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;

/** Sends a request and reads the whole response. */
export async function send(
  url: string,
  { path, body, headers = {}, method = body === undefined ? 'GET' : 'POST' }: AttackRequest,
): Promise<AttackResponse> {
  const { hostname, port } = new URL(url);
  const bytes = body === undefined || isBytes(body) ? body : JSON.stringify(body);
  const json = body === undefined || isBytes(body) ? {} : { 'content-type': 'application/json' };
  const length = bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) };
  const named: Readonly<Record<string, string | readonly string[]>> = { ...json, ...length, ...headers };
  const all = Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
  const outgoing = httpRequest({ hostname, port, path, method, headers: all });
  // a server that rejects a large body may close the connection before it is sent
  outgoing.on('error', () => undefined);
  outgoing.end(bytes);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const text = (await buffer(incoming)).toString('utf8');
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text };
}

/** Sends bytes on a new connection and reads all responses until it is closed. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<AttackResponse[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return responsesIn(Buffer.concat(chunks).toString('latin1'));
}

function responsesIn(text: string): AttackResponse[] {
  return text
    .split(/^(?=HTTP\/1\.1 \d{3})/m)
    .filter((each) => each !== '')
    .map((each) => {
      const [head = '', ...rest] = each.split('\r\n\r\n');
      const lines = head.split('\r\n').slice(1);
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      );
      return { status: Number(head.slice(9, 12)), headers, text: rest.join('\r\n\r\n') };
    });
}

/** The error code of a response of any API; null without an error. */
export function codeOf({ headers, text }: AttackResponse): string | null {
  if (!/[/+]json\b/.test(headers['content-type'] ?? '') || text === '') return null;
  // bodies read from a socket have the framing of chunks around them
  const body: unknown = JSON.parse(text.slice(text.search(/[{[]/), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1));
  if (!isRecord(body)) return null;
  if (typeof body['code'] === 'string') return body['code'];
  const [error] = Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : [];
  if (!isRecord(error)) return null;
  const { extensions } = error;
  return isRecord(extensions) && typeof extensions['code'] === 'string' ? extensions['code'] : 'unknown error';
}

/** Checks what holds for every response, and that errors reveal nothing about the implementation. */
export function expectHarmless(response: AttackResponse): void {
  const { status, headers, text } = response;
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'strict-transport-security': expect.stringContaining('max-age='),
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._:-]{1,100}$/),
  });
  expect(headers).not.toHaveProperty('server');
  expect(headers).not.toHaveProperty('x-powered-by');
  if (status < 400) return;
  // the path of the request is repeated
  expect(text.replace(/"instance":"[^"]*"/, '')).not.toMatch(internals);
  // responses to POST without a lifetime are not cached (RFC 9111 section 3)
  if (/problem\+json/.test(headers['content-type'] ?? '')) expect(headers['cache-control']).toBe('no-store');
  if (text !== '') expect(headers['content-type']).toMatch(/json|text\/html/);
}

/** Sends an attack and checks its response: status, code, no internals, bounded work. Returns the response. */
export async function attack(platform: TestPlatform, request: AttackRequest, status: number, code: string | null) {
  platform.statements();
  const response = await send(platform.restUrl, request);
  expect({ status: response.status, code: codeOf(response) }).toEqual({ status, code });
  expectHarmless(response);
  expect(platform.statements().length).toBeLessThanOrEqual(statementsMax);
  return response;
}
