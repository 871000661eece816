/** Limits of password attempts across all routers, and rejection of cross-site requests. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { labelOf, sameOrigin, postSameOrigin } from '../../administrator.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let database: pg.Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
});
beforeEach(() => database.query('delete from accounts.sign_in_attempt'));
afterAll(async () => {
  await database.end();
  await platform.close();
});

/** The platform trusts the proxy at 127.0.0.1. */
const from = (address: string) => ({ 'x-forwarded-for': address });
const guess = (email: string, address = '203.0.113.1', password = 'a wrong password') =>
  postSameOrigin(platform.graphqlUrl, '/admin/session', { email, password }, from(address));
/** Inserts earlier failures. */
const fail = (email: string, network: string, count: number, ago = '1 minute') =>
  database.query(
    `insert into accounts.sign_in_attempt (email_hash, network, at)
      select sha256(convert_to($1, 'utf8')), $2, now() - $4::interval from generate_series(1, $3)`,
    [email, labelOf(platform.database, network.replace('/64', '')), count, ago],
  );

describe('failed attempts', () => {
  test('are limited to five in 15 minutes per email address and network, even if concurrent', async () => {
    const admin = await platform.administratorWithPassword('ADMIN');
    const responses = await Promise.all(Array.from({ length: 12 }, () => guess(admin.email)));
    const codes = responses.map(({ body }) => body.code).sort();
    expect(codes).toEqual([...Array<string>(7).fill('rate_limited'), ...Array<string>(5).fill('sign_in_failed')]);
    const limited = responses.find(({ status }) => status === 429);
    const wait = Number(limited?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(800);
    expect(wait).toBeLessThanOrEqual(900);
    // the correct password is not checked either, in any spelling of the address
    expect((await guess(` ${admin.email.toUpperCase()}`, '203.0.113.1', admin.password)).status).toBe(429);
    expect((await guess(admin.email, '203.0.113.2', admin.password)).status).toBe(200);
  });

  test('are cleared by the correct password', async () => {
    const admin = await platform.administratorWithPassword('ADMIN');
    await fail(admin.email, '203.0.113.1', 4);
    expect((await guess(admin.email, '203.0.113.1', admin.password)).status).toBe(200);
    expect((await guess(admin.email)).body.code).toBe('sign_in_failed');
  });

  test('expire after 15 minutes, and the response contains the waiting time', async () => {
    await fail('ada@example.com', '203.0.113.1', 1, '14 minutes 50 seconds');
    await fail('ada@example.com', '203.0.113.1', 4);
    const limited = await guess('ada@example.com');
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    await database.query(`update accounts.sign_in_attempt set at = at - interval '10 seconds'`);
    expect((await guess('ada@example.com')).status).toBe(401);
  });

  test('are limited to 20 per network for all addresses, with IPv6 by /64', async () => {
    await fail('somebody@example.com', '2001:db8:1:2::/64', 20);
    expect((await guess('ada@example.com', '2001:db8:1:2:3::4')).status).toBe(429);
    expect((await guess('ada@example.com', '2001:db8:1:3::4')).status).toBe(401);
  });

  test('are limited to 50 per hour and email address from all networks', async () => {
    await fail('ada@example.com', '198.51.100.1', 50, '50 minutes');
    expect((await guess('ada@example.com', '192.0.2.7')).status).toBe(429);
    expect((await guess('grace@example.com', '192.0.2.7')).status).toBe(401);
  });

  test('of unknown addresses have the same response and duration', async () => {
    const admin = await platform.administratorWithPassword('ADMIN');
    // CPU time, with that of the threads that hash
    const timed = async (email: string) => {
      const before = process.cpuUsage();
      const { status, body } = await guess(email);
      return { spentUs: process.cpuUsage(before).user, body: { status, ...body, requestId: '' } };
    };
    await timed('warm@example.com');
    const unknown = await timed('nobody@example.com');
    const known = await timed(admin.email);
    expect(unknown.body).toEqual(known.body);
    expect(unknown.spentUs).toBeGreaterThan(known.spentUs / 4);
  });

  test('are stored without address and password, and are in the history of their administrator', async () => {
    const admin = await platform.administrator('ADMIN');
    await guess(admin.email, '203.0.113.9', 'the guessed secret');
    await guess('the typed secret', '203.0.113.9', 'x');
    const { rows } = await database.query<{ text: string }>(
      `select (select coalesce(json_agg(a), '[]') from accounts.sign_in_attempt a)::text || (select json_agg(h) from accounts.history h)::text as text`,
    );
    expect(rows[0]?.text).not.toMatch(/guessed secret|typed secret|scrypt/);
    const { rows: failed } = await database.query(
      `select action, actor->>'address' as address from accounts.history where resource_id = $1 and action = 'sign_in_failed'`,
      [admin.id],
    );
    expect(failed).toEqual([{ action: 'sign_in_failed', address: labelOf(platform.database, '203.0.113.9') }]);
    expect(rows[0]?.text).not.toContain('203.0.113');
  });
});

describe('cross-site requests', () => {
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ query: '{ plans { nodes { code } } }' });
  const cases: readonly (readonly [string, Record<string, string>])[] = [
    ['from another site', { ...json, 'sec-fetch-site': 'cross-site' }],
    ['from another host of the same site', { ...json, 'sec-fetch-site': 'same-site' }],
    ['without an initiator, with a body', { ...json, 'sec-fetch-site': 'none' }],
    ['from another origin', { ...json, origin: 'https://evil.example' }],
    ['from an opaque origin', { ...json, origin: 'null' }],
    ['from another port', { ...json, origin: 'http://127.0.0.1:1' }],
    ['with a form body', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['with a text body', { 'content-type': 'text/plain' }],
  ];
  const paths = ['/admin/graphql', '/admin/session', '/admin/setup', '/admin/setup/look', '/admin/password'];

  test.each(cases)('%s are rejected on every POST path', async (_, headers) => {
    const admin = await platform.administrator('OWNER');
    for (const path of paths) {
      const response = await admin.fetch(path, { method: 'POST', headers, body });
      const parsed = (await response.json()) as { code?: string; errors?: { extensions: { code: string } }[] };
      const code = parsed.code ?? parsed.errors?.[0]?.extensions.code;
      expect({ path, status: response.status, code }).toEqual({ path, status: 400, code: 'csrf_refused' });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('cannot sign out and cannot read', async () => {
    const admin = await platform.administrator('OWNER');
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await admin.fetch('/admin/session', { method: 'DELETE', headers })).status).toBe(400);
    expect((await admin.fetch('/admin/sessions', { method: 'DELETE', headers: { origin: 'https://evil.example' } })).status).toBe(
      400,
    );
    expect((await admin.fetch('/admin/session', { headers })).status).toBe(400);
    const query = `/admin/graphql?query=${encodeURIComponent('{ plans { nodes { code } } }')}`;
    expect((await admin.fetch(query, { headers: { ...headers, 'apollo-require-preflight': 'true' } })).status).toBe(400);
    expect((await admin.fetch('/admin/session', { headers: sameOrigin })).status).toBe(200);
    const { origin } = new URL(platform.graphqlUrl);
    expect((await admin.graphql('{ plans { nodes { code } } }', {}, { origin })).status).toBe(200);
  });

  test('get no CORS headers for preflight requests below /admin', async () => {
    for (const path of paths) {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
      const response = await fetch(`${platform.graphqlUrl}${path}`, { method: 'OPTIONS', headers });
      expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });
});
