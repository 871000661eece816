/** HTTP below the routes: every malformed, oversized or unacceptable request gets the right status as a problem. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub } from '../organizations/clubs.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'HTTP' });
});
afterAll(() => platform.close());

/** Sends bytes and reads the whole response. */
async function exchange(
  text: string,
): Promise<{ status: number; type: string | undefined; body: { code: string; status: number } }> {
  const { hostname, port } = new URL(platform.restUrl);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return {
    status: Number(head.slice(9, 12)),
    type: /^content-type: (.*)$/im.exec(head)?.[1]?.trim(),
    body: JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)),
  };
}
const head = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers, '', ''].join('\r\n');
const problem = 'application/problem+json; charset=utf-8';

test.each([
  ['a long URL', head(`/api/v1/athletes?q=${'x'.repeat(20_000)}`), 414, 'uri_too_long'],
  ['a long header', head('/api/v1/athletes', `x-long: ${'x'.repeat(20_000)}`), 431, 'headers_too_large'],
  ['two hosts', head('/api/v1/athletes', 'Host: other'), 400, 'parameter_invalid'],
  ['no host', 'GET /api/v1/athletes HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'parameter_invalid'],
  ['TRACE', head('/api/v1/athletes').replace('GET', 'TRACE'), 405, 'method_not_allowed'],
  ['QUERY', head('/api/v1/athletes').replace('GET', 'QUERY'), 405, 'method_not_allowed'],
  ['no HTTP', 'NONSENSE\r\n\r\n', 400, 'parameter_invalid'],
])('%s is a problem', async (_, text, status, code) => {
  expect(await exchange(text)).toMatchObject({ status, type: problem, body: { status, code } });
});

test('an unknown path is 404 for OPTIONS too, and a known one lists its methods', async () => {
  for (const path of ['/api/v1/nowhere', '/api/v9', '/nowhere', '/graphqlnot']) {
    const response = await fetch(`${platform.restUrl}${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://club.example' },
    });
    expect({ path, status: response.status, type: response.headers.get('content-type') }).toEqual({
      path,
      status: 404,
      type: problem,
    });
  }
  const known = await owner.send('/athletes', { method: 'OPTIONS' });
  expect([known.status, known.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  const preflight = await fetch(`${platform.graphqlUrl}/graphql`, {
    method: 'OPTIONS',
    headers: { origin: 'https://club.example', 'access-control-request-method': 'POST' },
  });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
});

describe('Accept', () => {
  test.each(['text/html', 'application/xml, image/*;q=0.5', 'application/json;q=0', '*/*;q=0, text/html'])(
    '%s is 406, and nothing is executed',
    async (accept) => {
      const rejected = await owner.get('/organizations', { accept });
      expect(rejected).toMatchObject({
        status: 406,
        body: { code: 'not_acceptable', available: expect.arrayContaining(['application/json']) },
      });
      expect(rejected.headers.get('content-type')).toBe(problem);
      const club = { type: 'CLUB', name: accept, country: 'DE', sports: ['FOOTBALL'] };
      expect((await owner.post('/organizations', club, { accept })).status).toBe(406);
      expect((await owner.get('/organizations?mine=true')).body.data).toEqual([]);
    },
  );

  test.each(['*/*', 'application/*', 'text/html, application/xhtml+xml, */*;q=0.8', 'application/json;q=0.1, */*;q=0', ''])(
    '"%s" is served as JSON',
    async (accept) => {
      const { status, headers } = await owner.get('/organizations', { accept });
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    },
  );
});

test('an Idempotency-Key that an operation does not honor is rejected with what to send instead', async () => {
  const { id } = await createClub(owner);
  const headers = { 'if-match': '*', 'idempotency-key': 'patch-1' };
  for (const send of [
    () => owner.patch(`/organizations/${id}`, { city: 'Bern' }, headers),
    () => owner.delete(`/organizations/${id}`, headers),
  ]) {
    const { status, body } = await send();
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'parameter_invalid', errors: [{ parameter: 'Idempotency-Key', code: 'unsupported' }] },
    });
    expect(body.errors[0].detail).toContain('If-Match');
  }
  expect((await owner.get(`/organizations/${id}`, { 'idempotency-key': 'read' })).body).toMatchObject({ version: 1 });
});
