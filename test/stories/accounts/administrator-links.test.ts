/** Setup links: for the first owner, invitations, and password resets. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { cookieOf, invite, postSameOrigin, withCookie } from '../../administrator.ts';
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

const post = (path: string, body: unknown) => postSameOrigin(platform.graphqlUrl, path, body);
const setUp = (token: string, more: object = {}) => post('/admin/setup', { token, password: 'correct horse battery', ...more });
const firstLink = async (): Promise<string | null> => {
  const { createSetupLink } = await platform.administer('mutation { createSetupLink { setupPath } }');
  const link = createSetupLink as { setupPath: string } | null;
  return link && (link.setupPath.split('#')[1] ?? null);
};
const grace = { name: 'Grace', email: 'grace@example.com' };

describe('the link of the first owner', () => {
  test('is void after a new one is created, and after 30 minutes', async () => {
    const first = (await firstLink()) ?? '';
    const second = (await firstLink()) ?? '';
    expect((await post('/admin/setup/look', { token: first })).body).toMatchObject({ status: 410, code: 'gone' });
    const setupDetails = await post('/admin/setup/look', { token: second });
    expect(setupDetails.body).toMatchObject({ purpose: 'FIRST_OWNER', email: null, name: null, role: 'OWNER' });
    const minutes = (Date.parse(setupDetails.body.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(29);
    expect(minutes).toBeLessThanOrEqual(30.1);

    await database.query(`update accounts.setup_link set expires_at = now() - interval '1 second'`);
    expect((await setUp(second, grace)).status).toBe(410);
    expect(await (await fetch(`${platform.graphqlUrl}/admin/session`)).json()).toMatchObject({ setUp: false });
  });

  test('rejects an invalid name, email address or password and stays valid', async () => {
    const token = (await firstLink()) ?? '';
    const { body } = await setUp(token, { name: ' ', email: 'nobody', password: 'short' });
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/name', '/email', '/password']);
    // full-width letters normalize to the same name
    const long = { name: 'Ｇrace Hopper the First', email: 'g@example.com' };
    for (const password of ['x'.repeat(201), 'abababababababab', 'grace hopper the first', 'G@EXAMPLE.COM'.padStart(13)]) {
      const rejected = await setUp(token, { ...long, password });
      expect({ password, status: rejected.status }).toEqual({ password, status: 422 });
    }
    expect((await post('/admin/setup/look', { token })).status).toBe(200);
  });

  test('creates one owner for twenty concurrent requests, and no further link', async () => {
    const token = (await firstLink()) ?? '';
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => setUp(token, { name: 'Grace', email: `grace-${index}@example.com` })),
    );
    const codes = responses.map(({ status }) => status).sort();
    expect(codes).toEqual([200, ...Array.from({ length: 19 }, () => 410)]);
    const winner = responses.find(({ status }) => status === 200);
    expect(winner?.body).toMatchObject({ state: 'SIGNED_IN', administrator: { role: 'OWNER', name: 'Grace' } });
    expect((await database.query('select from accounts.administrator')).rowCount).toBe(1);
    expect(await firstLink()).toBeNull();
    expect((await setUp(token, grace)).body.code).toBe('gone');
  });
});

test('an invitation has a fixed name and email address and expires after 24 hours', async () => {
  const { token } = await invite(platform.administer, 'MODERATOR', 'Mary@Example.com', 'Mary');
  const setupDetails = await post('/admin/setup/look', { token });
  expect(setupDetails.body).toMatchObject({ purpose: 'INVITATION', email: 'Mary@Example.com', name: 'Mary', role: 'MODERATOR' });
  expect((Date.parse(setupDetails.body.expiresAt) - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
  const entered = await setUp(token, { name: 'Mallory', email: 'mallory@example.com' });
  expect(entered.body.administrator).toMatchObject({ name: 'Mary', email: 'Mary@Example.com', role: 'MODERATOR' });
  expect((await setUp(token)).body.code).toBe('gone');
});

test('a reset by an owner changes the password once and ends all sessions', async () => {
  const owner = await platform.administrator('OWNER');
  const lost = await platform.administratorWithPassword('ADMIN');
  const reset = `mutation ($id: ID!) { resetAdministrator(id: $id) { setupPath expiresAt administrator { id } } }`;
  const { body } = await owner.graphql(reset, { id: lost.id });
  const { setupPath } = body.data.resetAdministrator;
  expect(setupPath).toMatch(/^\/admin\/setup#[\w-]{43}$/);
  const token = setupPath.split('#')[1];
  expect((await post('/admin/setup/look', { token })).body).toMatchObject({ purpose: 'RESET', email: lost.email });
  expect((await lost.graphql('{ plans { nodes { code } } }')).status).toBe(200);

  const done = await fetch(`${platform.graphqlUrl}/admin/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, password: 'another long password' }),
  });
  expect(done.status).toBe(200);
  expect((await lost.graphql('{ plans { nodes { code } } }')).status).toBe(401);
  expect((await withCookie(platform.graphqlUrl, cookieOf(done)).graphql('{ plans { nodes { code } } }')).status).toBe(200);
  expect((await post('/admin/session', { email: lost.email, password: lost.password })).body.code).toBe('sign_in_failed');
  expect((await post('/admin/session', { email: lost.email, password: 'another long password' })).status).toBe(200);
});

test('the links of a disabled administrator are void, and no new link is created', async () => {
  const { id, token } = await invite(platform.administer, 'VIEWER', 'gone@example.com');
  const owner = await platform.administrator('OWNER');
  await owner.graphql('mutation ($id: ID!) { disableAdministrator(id: $id) { status } }', { id });
  expect((await setUp(token)).body.code).toBe('gone');
  const { body } = await owner.graphql('mutation ($id: ID!) { resetAdministrator(id: $id) { setupPath } }', { id });
  expect(body.errors[0].extensions.code).toBe('conflict');
  await owner.graphql('mutation ($id: ID!) { enableAdministrator(id: $id) { status } }', { id });
  const repeated = await owner.graphql('mutation ($id: ID!) { resetAdministrator(id: $id) { setupPath } }', { id });
  expect((await setUp(repeated.body.data.resetAdministrator.setupPath.split('#')[1])).status).toBe(200);
});
