/** Bodies are cheap: they are read only for authorized callers, and violations are reported briefly. */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

describe('a body that is not sent', () => {
  beforeAll(async () => {
    await platform.plan('small', { burstPerMinute: 100, perDay: 20, perMonth: 100 });
  });

  /** Sends the head of a request whose body never follows. Returns the status line, or nothing when the server disconnects first. */
  function promise(headers: Record<string, string>, disconnectAfterMs: number): Promise<string> {
    const { hostname, port } = new URL(platform.restUrl);
    const lines = Object.entries({ host: 'x', 'content-type': 'application/json', 'content-length': '100000', ...headers });
    const { promise: reported, resolve } = Promise.withResolvers<string>();
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST /api/v1/athletes HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{"a"`);
    });
    const disconnect = (text: string): void => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (bytes) => disconnect(bytes.toString().split('\r\n', 1)[0] ?? ''));
    setTimeout(() => disconnect(''), disconnectAfterMs);
    return reported;
  }

  const remaining = async (client: Client): Promise<number> =>
    Number((await client.get('/usage')).headers.get('x-ratelimit-remaining'));

  describe('before its body arrives, a write', () => {
    test('of a caller without a key is 401', async () => {
      expect(await promise({}, 5_000)).toContain(' 401 ');
    });

    test('of a key without the scope is 403', async () => {
      const { key } = await platform.account({ scopes: ['events:read'] });
      expect(await promise({ 'x-api-key': key }, 5_000)).toContain(' 403 ');
    });

    test('of a key with an exhausted quota is 429', async () => {
      const exhausted = await platform.account({ plan: 'small' });
      for (let left = 20; left > 0; left -= 1) await exhausted.get('/organizations?limit=1');
      expect(await promise({ 'x-api-key': exhausted.key }, 5_000)).toContain(' 429 ');
    });

    test('that is aborted is counted', async () => {
      const aborted = await platform.account({ plan: 'small' });
      const before = await remaining(aborted);
      for (let count = 0; count < 3; count += 1) await promise({ 'x-api-key': aborted.key }, 300);
      expect(await remaining(aborted)).toBe(before - 3);
    });
  });

  test('a write counts once, whether it succeeds, is rejected for its body, or is a batch', async () => {
    const writer = await platform.account({ plan: 'small' });
    const club = { type: 'CLUB', name: 'Once FC', country: 'DE', sports: ['FOOTBALL'] };
    const left = async (path: string, body: unknown): Promise<number> =>
      Number((await writer.post(path, body)).headers.get('x-ratelimit-remaining'));
    expect(await left('/organizations', club)).toBe(19);
    expect(await left('/organizations', { ...club, colour: 'red' })).toBe(18);
    expect(await left('/organizations/batch', { items: [{ colour: 'red' }] })).toBe(17);
    expect(await left('/organizations/batch', { items: [club] })).toBe(16);
    expect(await remaining(writer)).toBe(16);
  });
});

describe('a request with many violations', () => {
  let owner: Client;
  beforeAll(async () => {
    owner = await platform.account();
    // validators are compiled on first use
    await owner.post('/athletes', { colour: 'red' });
    await owner.post('/athletes/batch', { items: [{ colour: 'red' }] });
  });

  const athlete = { displayName: 'Long', sex: 'MALE', nationalities: ['DE'], birthYear: 1995, sports: [{ sport: 'FOOTBALL' }] };
  const unknown = (count: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index.toString(36)}xxxx`, 1]));
  const sizeOf = ({ body }: ApiResponse): number => JSON.stringify(body).length;

  /** Unbounded, these took 19 s to 76 s; bounded, tenths of a second, or seconds when the garbage collector of the test runs. */
  const stalledMs = 10_000;

  /** The blocking time of the event loop, in milliseconds. */
  async function timed(send: () => Promise<ApiResponse>): Promise<{ response: ApiResponse; spentMs: number }> {
    const before = process.cpuUsage();
    const response = await send();
    const { user, system } = process.cpuUsage(before);
    return { response, spentMs: (user + system) / 1_000 };
  }

  describe('a body', () => {
    test.each([
      ['70,000 unknown members', 413, unknown(70_000)],
      ['200,000 wrong countries', 413, { ...athlete, nationalities: Array(200_000).fill('x') }],
      ['100,000 empty sports', 413, { ...athlete, sports: Array(100_000).fill({}) }],
      ['a name of 900,000 letters', 413, { ...athlete, ['x'.repeat(900_000)]: 1 }],
      ['400 unknown members', 422, unknown(400)],
    ])('of %s is rejected with %i, quickly and briefly', async (_, status, body) => {
      const { response, spentMs } = await timed(() => owner.post('/athletes', body));
      expect(response).toMatchObject({ status, body: { code: status === 413 ? 'payload_too_large' : 'validation_failed' } });
      expect(sizeOf(response)).toBeLessThan(64 * 1024);
      expect(spentMs).toBeLessThan(stalledMs);
    });

    test('with 400 violations lists fifty, and states that there are more', async () => {
      const { body } = await owner.post('/athletes', unknown(400));
      expect(body.errors).toHaveLength(51);
      expect(body.errors[50]).toMatchObject({ pointer: '', code: 'more_faults' });
    });
  });

  test('a batch of 500 items with 90 unknown members each details the violations of the first items', async () => {
    const items = Array.from({ length: 500 }, () => unknown(90));
    const { response, spentMs } = await timed(() => owner.post('/athletes/batch', { items }));
    expect(response).toMatchObject({ status: 200, body: { summary: { failed: 500 } } });
    const { data } = response.body;
    expect(data[0].error.errors).toHaveLength(51);
    expect(data[499].error.errors).toEqual([
      { pointer: expect.any(String), code: expect.any(String), detail: expect.any(String) },
    ]);
    expect(sizeOf(response)).toBeLessThan(192 * 1024);
    expect(spentMs).toBeLessThan(stalledMs);
  });

  test('a query with 2,500 unknown parameters is rejected briefly', async () => {
    const { response, spentMs } = await timed(() =>
      owner.get(`/athletes?${Array.from({ length: 2_500 }, (_, index) => `p${index}`).join('&')}`),
    );
    expect(response.status).toBe(400);
    expect(sizeOf(response)).toBeLessThan(64 * 1024);
    expect(spentMs).toBeLessThan(stalledMs);
  });

  test.each(['gzip', 'br', 'deflate', 'zstd', 'foo', 'gzip, gzip'])(
    'a body in %s is 415, whatever it contains',
    async (encoding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      for (const body of ['{}', gzipSync(JSON.stringify(athlete))]) {
        const response = await owner.send('/athletes', { method: 'POST', headers, body });
        expect(response).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
        expect(response.body.detail).toContain('without Content-Encoding');
        expect(response.headers.get('accept-encoding')).toBe('identity');
      }
    },
  );

  test('the next page has the same query, whatever it contains', async () => {
    for (const name of ['Why? One', 'Why? Two'])
      expect((await owner.post('/athletes', { ...athlete, displayName: name })).status).toBe(201);
    const path = '/api/v1/athletes?q=Why?&sex=MALE&mine=true&limit=1';
    const { headers, status } = await owner.get(path);
    expect(status).toBe(200);
    expect(headers.get('link')).toContain(`<${path}&cursor=`);
  });
});
