/** The second factor of portal users and administrators over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { codeOf, stepAt } from '../../../subgraphs/accounts/sign-in/totp.ts';
import { cookieOf, postSameOrigin, sameOrigin } from '../../administrator.ts';
import { createMember, createMemberWithPassword } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bytesOf } from './base32.ts';

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

let network = 0;
const fromNewNetwork = (): Record<string, string> => {
  network += 1;
  return { 'x-forwarded-for': `192.0.2.${network}` };
};

/** The code of the step after the last accepted one, so that tests do not wait for the clock. */
async function nextCode(secret: string): Promise<string> {
  await database.query('update accounts.second_factor set last_step = 0');
  return codeOf(bytesOf(secret), stepAt(Date.now()));
}

interface Person {
  readonly email: string;
  readonly password: string;
  readonly cookie: string;
}

/** The routes of a population. */
function routesOf(base: '/admin' | '/portal') {
  const post = (path: string, body: unknown, headers: Record<string, string> = fromNewNetwork()) =>
    postSameOrigin(platform.graphqlUrl, `${base}${path}`, body, headers);
  return {
    post,
    signIn: ({ email, password }: Person, code?: string, headers?: Record<string, string>) =>
      post('/session', { email, password, ...(code !== undefined && { code }) }, headers),
    /** Sets up the second factor. Returns the secret and the recovery codes. */
    async setUp({ cookie, password }: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
      const prepared = await post('/second-factor', { current: password }, { cookie, ...fromNewNetwork() });
      expect(prepared.status).toBe(200);
      const { secret, uri } = prepared.body;
      expect(uri).toMatch(/^otpauth:\/\/totp\//);
      const code = codeOf(bytesOf(secret), stepAt(Date.now()));
      const confirmed = await post('/second-factor/confirmation', { code }, { cookie, ...fromNewNetwork() });
      expect(confirmed.status).toBe(200);
      return { secret, recoveryCodes: confirmed.body.recoveryCodes };
    },
  };
}

const createPerson = {
  '/admin': () => platform.administratorWithPassword('ADMIN'),
  '/portal': () => createMemberWithPassword(platform),
} as const;

describe.each(['/admin', '/portal'] as const)('at %s', (base) => {
  const routes = routesOf(base);

  test('sign-in needs a code once the factor is confirmed, and accepts each code once', async () => {
    const person = await createPerson[base]();
    const prepared = await routes.post('/second-factor', { current: person.password }, { cookie: person.cookie });
    expect(prepared.status).toBe(200);
    expect((await routes.signIn(person)).status).toBe(200);
    const { secret, recoveryCodes } = await routes.setUp(person);
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    // 120 random bits
    for (const each of recoveryCodes) expect(each).toMatch(/^(?:[A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);

    expect((await routes.signIn(person)).body.code).toBe('second_factor_required');
    expect((await routes.signIn(person, '000000')).body.code).toBe('sign_in_failed');
    const code = await nextCode(secret);
    expect((await routes.signIn(person, code)).status).toBe(200);
    expect((await routes.signIn(person, code)).body.code).toBe('sign_in_failed');
    expect((await routes.signIn({ ...person, password: 'a wrong password' }, await nextCode(secret))).body.code).toBe(
      'sign_in_failed',
    );
  });

  test('a recovery code works once, in any spelling', async () => {
    const person = await createPerson[base]();
    const { recoveryCodes } = await routes.setUp(person);
    const [first = ''] = recoveryCodes;
    expect((await routes.signIn(person, first.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await routes.signIn(person, first)).body.code).toBe('sign_in_failed');
  });

  test('wrong codes are limited like passwords, also with requests without a code in between', async () => {
    const person = await createPerson[base]();
    const { secret } = await routes.setUp(person);
    const headers = fromNewNetwork();
    for (const code of ['000000', undefined, '000001', undefined, '000002']) await routes.signIn(person, code, headers);
    expect((await routes.signIn(person, await nextCode(secret), headers)).status).toBe(429);
    expect((await routes.signIn(person, await nextCode(secret))).status).toBe(200);
  });

  test('a password change without a code does not reset the limit of wrong codes', async () => {
    const person = await createPerson[base]();
    const { secret } = await routes.setUp(person);
    const headers = fromNewNetwork();
    const next = 'another long password';
    for (const code of ['000000', '000001', '000002']) await routes.signIn(person, code, headers);
    const changed = await routes.post('/password', { current: person.password, next }, { cookie: person.cookie, ...headers });
    expect(changed.status).toBe(204);
    const renewed = { ...person, password: next };
    await routes.signIn(renewed, '000003', headers);
    expect((await routes.signIn(renewed, await nextCode(secret), headers)).status).toBe(429);
  });

  test('setup needs the password, ends other sessions, and removal needs password and code', async () => {
    const person = await createPerson[base]();
    const other = await routes.signIn(person);
    const otherCookie = cookieOf({ headers: other.headers });
    const wrong = await routes.post(
      '/second-factor',
      { current: 'a wrong password' },
      { cookie: person.cookie, ...fromNewNetwork() },
    );
    expect(wrong.body.code).toBe('sign_in_failed');
    expect((await routes.post('/second-factor', { current: person.password })).body.code).toBe('sign_in_required');
    const { secret } = await routes.setUp(person);
    const state = async (cookie: string) =>
      ((await (await fetch(`${platform.graphqlUrl}${base}/session`, { headers: { cookie } })).json()) as { state: string }).state;
    expect([await state(person.cookie), await state(otherCookie)]).toEqual(['SIGNED_IN', 'SIGNED_OUT']);
    const again = await routes.post(
      '/second-factor',
      { current: person.password },
      { cookie: person.cookie, ...fromNewNetwork() },
    );
    expect(again.body.code).toBe('conflict');

    const remove = (code: string) =>
      routes.post('/second-factor/removal', { current: person.password, code }, { cookie: person.cookie, ...fromNewNetwork() });
    expect((await remove('000000')).body.code).toBe('sign_in_failed');
    expect((await remove(await nextCode(secret))).status).toBe(204);
    expect((await routes.signIn(person)).status).toBe(200);
  });
});

test('the database has neither the secret nor the recovery codes', async () => {
  const person = await createPerson['/portal']();
  const { secret, recoveryCodes } = await routesOf('/portal').setUp(person);
  const { rows } = await database.query(
    `select string_agg(f.encrypted::text, '') || (select string_agg(r.hash::text, '') from accounts.recovery_code r) as stored
      from accounts.second_factor f`,
  );
  const stored = String(rows[0].stored);
  expect(stored.length).toBeGreaterThan(100);
  for (const text of [bytesOf(secret), Buffer.from(secret), ...recoveryCodes.map((code) => Buffer.from(code))])
    expect(stored).not.toContain(text.toString('hex'));
});

test('a link for a new password does not replace the second factor, which an administrator can remove', async () => {
  const person = await createMemberWithPassword(platform);
  const portal = routesOf('/portal');
  const { secret } = await portal.setUp(person);
  const reset = async (): Promise<string> => {
    const data = await platform.administer('mutation ($id: ID!) { resetPortalUser(id: $id) { setupPath } }', {
      id: person.userId,
    });
    return (data['resetPortalUser'] as { setupPath: string }).setupPath.split('#')[1] ?? '';
  };
  const token = await reset();
  expect((await portal.post('/setup/look', { token })).body).toMatchObject({ purpose: 'RESET', requiresCode: true });
  const password = 'another long password';
  expect((await portal.post('/setup', { token, password })).body.code).toBe('second_factor_required');
  expect((await portal.post('/setup', { token, password, code: '000000' })).body.code).toBe('sign_in_failed');
  expect((await portal.post('/setup', { token, password, code: await nextCode(secret) })).status).toBe(200);
  expect((await portal.post('/setup', { token, password, code: await nextCode(secret) })).status).toBe(410);

  const administrator = await platform.administrator('ADMIN');
  const remove = 'mutation ($id: ID!) { removePortalUserSecondFactor(id: $id) { hasSecondFactor } }';
  expect((await administrator.run(remove, { id: person.userId })).data.removePortalUserSecondFactor).toEqual({
    hasSecondFactor: false,
  });
  expect((await portal.signIn({ ...person, password })).status).toBe(200);
});

describe('with registration', () => {
  let open: TestPlatform;
  beforeAll(async () => {
    open = await openTestPlatform({ registration: true });
  });
  afterAll(() => open.close());

  const register = (email: string, headers = fromNewNetwork()) =>
    postSameOrigin(
      open.graphqlUrl,
      '/portal/registration',
      { email, name: 'New', accountName: 'New account', password: 'correct horse battery' },
      headers,
    );
  const signInByIdentity = (email: string) =>
    open.administer(
      `mutation ($input: IdentityInput!) { signInByIdentity(input: $input, client: { address: "127.0.0.1" }, population: USERS) {
        session { user { email emailVerifiedAt } memberships { role account { name } } }
      } }`,
      { input: { issuer: 'https://id.example.com', subject: email, email, name: 'Owner of the address' } },
    );

  test('anyone gets a user with an account and the free plan, once per address', async () => {
    const registered = await register('new@example.com');
    expect(registered.body).toMatchObject({
      user: { email: 'new@example.com' },
      memberships: [{ role: 'OWNER', account: { name: 'New account' } }],
    });
    expect((await register('NEW@example.com')).body.code).toBe('conflict');
    expect((await register('no address')).body.code).toBe('validation_failed');
    const state = await fetch(`${open.graphqlUrl}/portal/session`, { headers: sameOrigin });
    expect(await state.json()).toMatchObject({ registration: true });
  });

  test('registrations of a network are limited', async () => {
    const headers = fromNewNetwork();
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await register(`many-${index}@example.com`, headers)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('the owner of an address who signs in with a provider takes it over from the person who registered it', async () => {
    const squatter = await register('victim@example.com');
    const cookie = cookieOf({ headers: squatter.headers });
    const { signInByIdentity: session } = await signInByIdentity('victim@example.com');
    expect(session).toMatchObject({ session: { user: { email: 'victim@example.com' } } });
    const state = await fetch(`${open.graphqlUrl}/portal/session`, { headers: { cookie } });
    expect(await state.json()).toMatchObject({ state: 'SIGNED_OUT' });
    const credentials = { email: 'victim@example.com', password: 'correct horse battery' };
    expect((await postSameOrigin(open.graphqlUrl, '/portal/session', credentials, fromNewNetwork())).status).toBe(401);
  });

  test('an identity without a user is rejected unless registration or an invitation admits it', async () => {
    await expect(signInByIdentity('nobody@example.com')).rejects.toThrow('There is no invitation');
    const member = await createMember(open);
    expect(await member.run('{ member { user { emailVerifiedAt } } }')).toMatchObject({
      member: { user: { emailVerifiedAt: expect.any(String) } },
    });
  });
});
