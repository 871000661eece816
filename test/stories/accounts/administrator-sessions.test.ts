/** Sessions of administrators: expiry, sign-out and cookies. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { cookieOf, sameOrigin, postSameOrigin, withCookie } from '../../administrator.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let database: pg.Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

type Administrator = Awaited<ReturnType<TestPlatform['administratorWithPassword']>>;

const status = async (client: Pick<Administrator, 'graphql'>, headers = {}): Promise<number> =>
  (await client.graphql('{ plans { nodes { code } } }', {}, headers)).status;
/** Moves a time of a session into the past. */
const age = (id: string, column: 'last_seen_at' | 'expires_at', by: string) =>
  database.query(`update accounts.administrator_session set ${column} = ${column} - $2::interval where administrator_id = $1`, [
    id,
    by,
  ]);
const seenAgo = async (id: string): Promise<number> => {
  const { rows } = await database.query<{ seconds: number }>(
    'select extract(epoch from now() - last_seen_at)::int as seconds from accounts.administrator_session where administrator_id = $1',
    [id],
  );
  return rows[0]?.seconds ?? NaN;
};
const signIn = (client: Pick<Administrator, 'email' | 'password'>, headers: Record<string, string> = {}) =>
  postSameOrigin(platform.graphqlUrl, '/admin/session', { email: client.email, password: client.password }, headers);

test('a session ends after 30 minutes without use; background requests do not count as use', async () => {
  const admin = await platform.administrator('VIEWER');
  await age(admin.id, 'last_seen_at', '29 minutes');
  expect(await status(admin, { 'x-background': 'true' })).toBe(200);
  expect(await seenAgo(admin.id)).toBeGreaterThan(1_700);
  const session = (await (await admin.fetch('/admin/session', { headers: { 'x-background': 'true' } })).json()) as {
    idleExpiresAt: string;
  };
  expect(Date.parse(session.idleExpiresAt) - Date.now()).toBeLessThan(65_000);

  expect(await status(admin)).toBe(200);
  expect(await seenAgo(admin.id)).toBeLessThan(5);
  await age(admin.id, 'last_seen_at', '20 seconds');
  expect(await status(admin)).toBe(200);
  // updated at most twice a minute
  expect(await seenAgo(admin.id)).toBeGreaterThanOrEqual(20);

  await age(admin.id, 'last_seen_at', '30 minutes');
  expect(await status(admin)).toBe(401);
  const over = await admin.fetch('/admin/session');
  expect(await over.json()).toMatchObject({ state: 'SIGNED_OUT' });
  expect(over.headers.getSetCookie()[0]).toMatch(/^__Host-session=; .*Expires=Thu, 01 Jan 1970/);
});

test('a session ends after twelve hours despite continuous use', async () => {
  const admin = await platform.administrator('VIEWER');
  const { expiresAt } = (await (await admin.fetch('/admin/session')).json()) as { expiresAt: string };
  expect((Date.parse(expiresAt) - Date.now()) / 3_600_000).toBeCloseTo(12, 1);
  await age(admin.id, 'expires_at', '12 hours');
  expect(await status(admin)).toBe(401);
});

test('a sign-in creates a new token and ends the previous session of the browser', async () => {
  const admin = await platform.administratorWithPassword('VIEWER');
  const repeated = await signIn(admin, { cookie: admin.cookie });
  const [fresh = ''] = repeated.headers.getSetCookie();
  expect(fresh.split(';', 1)[0]).not.toBe(admin.cookie);
  expect(await status(admin)).toBe(401);
  expect(await status(withCookie(platform.graphqlUrl, fresh.split(';', 1)[0] ?? ''))).toBe(200);
});

test('sign-out everywhere ends all sessions and clears the cookie', async () => {
  const admin = await platform.administratorWithPassword('VIEWER');
  const other = withCookie(platform.graphqlUrl, cookieOf(await signIn(admin)));
  expect(await status(other)).toBe(200);
  const response = await other.fetch('/admin/sessions', { method: 'DELETE', headers: { 'sec-fetch-site': 'same-origin' } });
  expect([response.status, response.headers.getSetCookie()[0]]).toEqual([204, expect.stringContaining('__Host-session=;')]);
  expect([await status(admin), await status(other)]).toEqual([401, 401]);
  expect((await other.fetch('/admin/session', { method: 'DELETE' })).status).toBe(204);
});

test('a password change requires the current password and ends the other sessions', async () => {
  const admin = await platform.administratorWithPassword('ADMIN');
  const other = withCookie(platform.graphqlUrl, cookieOf(await signIn(admin)));
  const change = async (body: unknown): Promise<{ status: number; code?: string; errors?: { pointer: string }[] }> => {
    const response = await admin.fetch('/admin/password', { method: 'POST', headers: sameOrigin, body: JSON.stringify(body) });
    const text = await response.text();
    return { ...(text === '' ? {} : (JSON.parse(text) as object)), status: response.status };
  };
  expect(await change({ current: 'wrong, and long', next: 'the next long password' })).toMatchObject({ code: 'sign_in_failed' });
  expect(await change({ current: admin.password, next: 'short' })).toMatchObject({ status: 422, errors: [{ pointer: '/next' }] });
  expect(await change({ current: admin.password })).toMatchObject({ status: 422, errors: [{ pointer: '/next' }] });
  expect(await change({ current: admin.password, next: 'the next long password' })).toEqual({ status: 204 });
  expect([await status(admin), await status(other)]).toEqual([200, 401]);
  expect((await signIn(admin)).body.code).toBe('sign_in_failed');
  expect((await signIn({ email: admin.email, password: 'the next long password' })).status).toBe(200);
  const signedOut = await postSameOrigin(platform.graphqlUrl, '/admin/password', { current: 'a', next: 'b' });
  expect(signedOut.body).toMatchObject({ status: 401, code: 'sign_in_required' });
});

test('a disabled status or a new role applies to the next request', async () => {
  const owner = await platform.administrator('OWNER');
  const admin = await platform.administratorWithPassword('ADMIN');
  const create = 'mutation ($name: String!) { createAccount(input: { name: $name }) { id } }';
  expect((await admin.graphql(create, { name: 'One' })).body.errors).toBeUndefined();
  await owner.graphql('mutation ($id: ID!) { updateAdministrator(id: $id, ifMatch: "*", input: { role: VIEWER }) { role } }', {
    id: admin.id,
  });
  expect((await admin.graphql(create, { name: 'Two' })).body.errors[0].extensions.code).toBe('insufficient_scope');
  await owner.graphql('mutation ($id: ID!) { disableAdministrator(id: $id, reason: "left") { status } }', { id: admin.id });
  expect(await status(admin)).toBe(401);
  expect((await signIn(admin)).body.code).toBe('sign_in_failed');
});

test('administrators read their own sessions; owners read and end all sessions', async () => {
  const owner = await platform.administrator('OWNER');
  const admin = await platform.administrator('ADMIN');
  const see = 'query ($id: ID!) { administrator(id: $id) { email sessions { id current address userAgent signedInBy } } }';
  const own = await admin.graphql(see, { id: admin.id });
  expect(own.body.data.administrator.sessions).toEqual([
    expect.objectContaining({ current: true, address: 'unknown', signedInBy: 'OIDC' }),
  ]);
  expect((await admin.graphql(see, { id: owner.id })).body.data.administrator).toEqual({ email: owner.email, sessions: null });
  const [session] = (await owner.graphql(see, { id: admin.id })).body.data.administrator.sessions;
  expect(session.current).toBe(false);
  const end = 'mutation ($id: ID!) { endAdministratorSession(id: $id) { sessions { id } } }';
  expect((await owner.graphql(end, { id: session.id })).body.data.endAdministratorSession.sessions).toEqual([]);
  expect(await status(admin)).toBe(401);
});

test.each([
  '',
  'x',
  '__Host-session=',
  '__Host-session=x',
  `__Host-session=${'A'.repeat(43)}`,
  `__Host-session="${'A'.repeat(43)}"`,
])('the cookie %j is rejected', async (cookie) => expect(await status(withCookie(platform.graphqlUrl, cookie))).toBe(401));
