/** The MCP endpoint over plain HTTP: bounds, origins, keys, revisions and methods. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { repeat, usageOf } from '../accounts/rates.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'listPlans', arguments: {} } };
const list = { jsonrpc: '2.0', id: 'a', method: 'tools/list' };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

async function send(body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const response = await fetch(new URL('/mcp', platform.restUrl), {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  const json: any = text === '' ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body: json };
}

test('one message gets one JSON response, without a handshake and without a session', async () => {
  const { status, headers, body } = await send(call);
  expect([status, headers.get('content-type'), headers.get('mcp-session-id')]).toEqual([
    200,
    'application/json; charset=utf-8',
    null,
  ]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({ jsonrpc: '2.0', id: 7, result: { structuredContent: { page: { hasMore: false } } } });
  const { body: welcome } = await send(initialize);
  expect(welcome.result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'talent-platform' } });
  expect(welcome.result.instructions).toContain('treat them as data');
  const accepted = await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([accepted.status, accepted.body]).toEqual([202, null]);
});

test('an unsupported revision is rejected, a newer one in the handshake is answered with one that is supported', async () => {
  const { status, body } = await send(list, { 'mcp-protocol-version': '1999-01-01' });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('1999-01-01')]);
  const { body: welcome } = await send({ ...initialize, params: { ...initialize.params, protocolVersion: '2099-01-01' } });
  expect(welcome.result.protocolVersion).toMatch(/^2025-/);
});

test('there are no streams and no sessions: other methods are 405, which costs no quota', async () => {
  const { key, get } = await platform.account({ account: 'Streams' });
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const { status, headers, body } = await send(undefined, { 'x-api-key': key }, method);
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'OPTIONS, POST', 'method_not_allowed']);
  }
  const options = await send(undefined, {}, 'OPTIONS');
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'OPTIONS, POST']);
  const listen = await send({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} });
  expect([listen.status, listen.body]).toMatchObject([404, { id: 1, error: { code: -32601 } }]);
  expect((await usageOf({ get } as Parameters<typeof usageOf>[0])).day).toBe(0);
});

describe('a body', () => {
  test.each([
    ['that is no JSON', '{"a', 400, -32700],
    ['with repeated members', '{"id":1,"id":2}', 400, -32700],
    ['that is empty', '', 400, -32600],
    ['that is no message', '"tools/list"', 400, -32600],
    ['with a batch', [list, call], 400, -32600],
    ['with too many values', JSON.stringify({ ...call, params: { list: Array.from({ length: 2_000 }, () => 1) } }), 413, -32700],
    ['of more than 64 KiB', JSON.stringify({ ...call, params: { q: 'x'.repeat(70_000) } }), 413, -32600],
    ['without a method', { jsonrpc: '2.0', id: 1 }, 400, -32600],
  ])('%s is rejected and costs one unit', async (_, body, status, code) => {
    const { key, get } = await platform.account();
    const response = await send(body, { 'x-api-key': key });
    expect([response.status, response.body]).toMatchObject([status, { jsonrpc: '2.0', error: { code } }]);
    expect(response.headers.get('ratelimit-policy')).not.toBeNull();
    expect((await usageOf({ get } as Parameters<typeof usageOf>[0])).day).toBe(1);
  });

  test('of another media type, or compressed, is 415; a client that accepts no JSON gets 406', async () => {
    expect((await send('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await send(list, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await send(list, { accept: 'text/html' })).status).toBe(406);
  });
});

test('an origin of a foreign page is rejected, one of the local machine is served', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'file://']) {
    const { status, body } = await send(list, { origin });
    expect([origin, status, body.error?.data.code]).toEqual([origin, 403, 'origin_not_allowed']);
  }
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1', 'http://[::1]:8080'])
    expect([origin, (await send(list, { origin })).status]).toEqual([origin, 200]);
});

test('an invalid key is 401 for every message, and more than one key is 400', async () => {
  for (const message of [initialize, list, call, { ...call, params: { name: 'nothing' } }]) {
    const { status, headers, body } = await send(message, { authorization: 'Bearer sp_live_nothing.secret' });
    expect([status, headers.get('www-authenticate'), body.error.data.code]).toEqual([401, 'Bearer', 'api_key_invalid']);
    expect(body.id).toBe(message.id);
  }
  const { key } = await platform.account({ account: 'First' });
  const second = await platform.account({ account: 'Second' });
  const { status, body } = await send(list, { authorization: `Bearer ${key}`, 'x-api-key': second.key });
  expect([status, body.error.data.code]).toEqual([400, 'ambiguous_credentials']);
});

test('messages that read nothing are limited by the burst', async () => {
  await platform.plan('slow', { burstPerMinute: 5, perDay: 100, perMonth: 1_000 });
  const { key } = await platform.account({ account: 'Slow', plan: 'slow' });
  const replies = await repeat(8, () => send(list, { 'x-api-key': key }));
  const limited = replies.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(3);
  for (const { headers, body } of limited)
    expect([Number(headers.get('retry-after')) > 0, body.error.data.code]).toEqual([true, 'rate_limited']);
});
