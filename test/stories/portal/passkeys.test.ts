/** Passkeys of portal users and administrators over HTTP, with an authenticator in software. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import pg from 'pg';
import { cookieOf } from '../../administrator.ts';
import { createMemberWithPassword } from '../../member.ts';
import { setUpSecondFactor } from '../../second-factor.ts';
import { assertPasskey, createPasskey, type Deviation, type Passkey } from '../../software-authenticator.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createPasskeySteps, fromNewNetwork, rejection } from './passkey-steps.ts';

let platform: TestPlatform;
let database: pg.Client;
let origin: string;
let send: ReturnType<typeof createPasskeySteps>['send'];
let stepsAt: ReturnType<typeof createPasskeySteps>['stepsAt'];
beforeAll(async () => {
  platform = await openTestPlatform();
  origin = platform.graphqlUrl.replace('127.0.0.1', 'localhost');
  ({ send, stepsAt } = createPasskeySteps(origin));
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

const createPerson = {
  '/admin': () => platform.administratorWithPassword('ADMIN'),
  '/portal': () => createMemberWithPassword(platform),
} as const;

async function actionsOf(email: string): Promise<string[]> {
  const { rows } = await database.query(
    `select h.action from accounts.history h join (select id, email from accounts.administrator union all
      select id, email from accounts.portal_user) p on p.id = h.resource_id where p.email = $1 order by h.id`,
    [email],
  );
  return rows.map(({ action }) => action);
}

describe.each(['/admin', '/portal'] as const)('at %s', (base) => {
  let steps: ReturnType<typeof stepsAt>;
  let other: ReturnType<typeof stepsAt>;
  beforeAll(() => {
    steps = stepsAt(base);
    other = stepsAt(base === '/admin' ? '/portal' : '/admin');
  });

  test('a person registers a passkey, signs in with it, and removes it', async () => {
    const person = await createPerson[base]();
    const { passkey, registered } = await steps.register(person);
    expect(registered).toMatchObject({ status: 201, body: { name: 'Laptop', lastUsedAt: null, createdAt: expect.any(String) } });
    const signedIn = await steps.signIn(passkey);
    expect(signedIn).toMatchObject({ status: 200, body: { state: 'SIGNED_IN', signedInBy: 'PASSKEY' } });
    const session = signedIn.headers.getSetCookie().find((each) => each.includes('session=')) ?? '';
    expect(session).toMatch(/^__Host-(portal-)?session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const { passkeys } = await steps.list(person);
    expect(passkeys).toEqual([expect.objectContaining({ name: 'Laptop', lastUsedAt: expect.any(String) })]);

    expect((await steps.remove(person, passkeys[0].id)).status).toBe(204);
    expect((await steps.remove(person, passkeys[0].id)).status).toBe(404);
    expect(await steps.signIn(passkey)).toMatchObject(rejection);
    expect(await actionsOf(person.email)).toEqual(expect.arrayContaining(['passkey_registered', 'signed_in', 'passkey_removed']));
    // the session of the passkey has ended, that of the removal has not
    const stateOf = async (cookie: string) => (await send(`${base}/session`, { headers: { cookie } })).body.state;
    expect([await stateOf(session.split(';')[0] ?? ''), await stateOf(person.cookie)]).toEqual(['SIGNED_OUT', 'SIGNED_IN']);
  });

  test('a passkey counts as password and second factor; registration needs both', async () => {
    const person = await createPerson[base]();
    const { passkey } = await steps.register(person);
    await setUpSecondFactor(platform.graphqlUrl, base, person);
    expect((await steps.signIn(passkey)).status).toBe(200);
    const attempt = (body: object) => send(`${base}/passkeys/options`, { body, headers: { cookie: person.cookie } });
    expect((await attempt({ current: person.password })).body.code).toBe('second_factor_required');
    expect((await attempt({ current: person.password, code: '000000' })).body.code).toBe('sign_in_failed');
    expect((await attempt({ current: 'a wrong password' })).body.code).toBe('sign_in_failed');
    expect((await send(`${base}/passkeys/options`, { body: { current: person.password } })).body.code).toBe('sign_in_required');
  });

  test('a captured response cannot be used again, also with the cookie of its challenge or of a new one', async () => {
    const { passkey } = await steps.register(await createPerson[base]());
    const { options, cookie } = await steps.challenge();
    const captured = assertPasskey(passkey, options, origin);
    expect((await send(`${base}/session/passkey`, { body: captured })).status).toBe(401);
    const signIn = (held: string) => send(`${base}/session/passkey`, { body: captured, headers: { cookie: held } });
    expect((await signIn(cookie)).status).toBe(200);
    expect(await signIn(cookie)).toMatchObject(rejection);
    expect(await signIn((await steps.challenge()).cookie)).toMatchObject(rejection);
    expect((await steps.signIn(passkey)).status).toBe(200);
  });

  test('of two concurrent requests with the same response, one starts a session', async () => {
    const { passkey } = await steps.register(await createPerson[base]());
    const { options, cookie } = await steps.challenge();
    const request = { body: assertPasskey(passkey, options, origin), headers: { cookie } };
    const all = await Promise.all([1, 2, 3].map(() => send(`${base}/session/passkey`, request)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test.each<[string, Deviation]>([
    ['from another origin', { origin: 'https://example.com' }],
    ['for another relying party', { rpId: 'example.com' }],
    ['to another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['of another person', { userHandle: 'AAAA' }],
    ['without user verification', { isVerified: false }],
    ['with another key', { privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ])('a response %s is rejected and recorded', async (_, deviation) => {
    const person = await createPerson[base]();
    const { passkey } = await steps.register(person);
    expect(await steps.signIn(passkey, deviation)).toMatchObject(rejection);
    expect(await actionsOf(person.email)).toContain('sign_in_failed');
    expect((await steps.signIn(passkey)).status).toBe(200);
  });

  test('a counter that does not increase is rejected: the authenticator was cloned', async () => {
    const { passkey } = await steps.register(await createPerson[base](), { counter: 5 });
    expect((await steps.signIn(passkey, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0]) expect(await steps.signIn(passkey, { counter })).toMatchObject(rejection);
    expect((await steps.signIn(passkey, { counter: 8 })).status).toBe(200);
  });

  test('the other population rejects the passkey and the challenge', async () => {
    const { passkey } = await steps.register(await createPerson[base]());
    expect(await other.signIn(passkey)).toMatchObject(rejection);
    const { options, cookie } = await other.challenge();
    const name = base === '/admin' ? '__Host-passkey' : '__Host-portal-passkey';
    const moved = `${name}=${cookie.split('=', 2)[1] ?? ''}`;
    const body = assertPasskey(passkey, options, origin);
    expect(await send(`${base}/session/passkey`, { body, headers: { cookie: moved } })).toMatchObject(rejection);
  });

  test('a challenge whose time was changed is rejected', async () => {
    const { passkey } = await steps.register(await createPerson[base]());
    const { headers } = await send(`${base}/session/passkey/options`, { body: {} });
    expect(headers.getSetCookie()[0]).toMatch(/; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const { options, cookie } = await steps.challenge();
    const old = Buffer.from(options.challenge, 'base64url');
    old.writeBigUInt64BE(BigInt(Date.now() - 301_000));
    const challenge = old.toString('base64url');
    const forged = cookie.replace(options.challenge, challenge);
    const body = assertPasskey(passkey, { ...options, challenge }, origin);
    expect(await send(`${base}/session/passkey`, { body, headers: { cookie: forged } })).toMatchObject(rejection);
  });

  test('failed attempts are limited like passwords', async () => {
    const person = await createPerson[base]();
    const { passkey } = await steps.register(person);
    const from = fromNewNetwork();
    for (let count = 0; count < 5; count += 1) await steps.signIn(passkey, { isVerified: false }, from);
    expect(await steps.signIn(passkey, {}, from)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect((await steps.signIn(passkey)).status).toBe(200);
    const unknown: Passkey = { ...passkey, id: Buffer.alloc(32, 1) };
    for (let count = 0; count < 15; count += 1) {
      const id = Buffer.alloc(32, count);
      expect(await steps.signIn({ ...passkey, id }, {}, from)).toMatchObject(rejection);
    }
    expect((await steps.signIn(unknown, {}, from)).status).toBe(429);
  });

  test('requests for challenges store nothing', async () => {
    const rowsOf = async () => {
      const { rows } = await database.query(
        'select (select count(*) from accounts.passkey_registration) + (select count(*) from accounts.sign_in_attempt) as count',
      );
      return rows[0].count;
    };
    const before = await rowsOf();
    for (let count = 0; count < 20; count += 1) await steps.challenge();
    expect(await rowsOf()).toBe(before);
  });

  test.each<[string, Deviation]>([
    ['from another origin', { origin: 'https://example.com' }],
    ['for another relying party', { rpId: 'example.com' }],
    ['to another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['without user verification', { isVerified: false }],
    ['with a certificate, whose URLs the platform would fetch', { format: 'apple' }],
  ])('a registration %s is rejected', async (_, deviation) => {
    const { registered } = await steps.register(await createPerson[base](), deviation);
    expect(registered).toMatchObject({ status: 401, body: { code: 'sign_in_failed' } });
  });

  test('a registration is completed once, by the session that started it, with a valid name', async () => {
    const person = await createPerson[base]();
    const { response, registered } = await steps.register(person);
    const again = { body: { name: 'Again', ...response }, headers: { cookie: person.cookie } };
    expect((await send(`${base}/passkeys`, again)).body.code).toBe('sign_in_failed');
    for (const name of [' ', '\u200B', '\u202Ename'])
      expect((await steps.register(person, {}, name)).registered).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/name' }] },
      });
    const prepared = await send(`${base}/passkeys/options`, {
      body: { current: person.password },
      headers: { cookie: person.cookie },
    });
    expect(prepared.body.excludeCredentials).toHaveLength(1);
    const body = { email: person.email, password: person.password };
    const cookie = cookieOf({ headers: (await send(`${base}/session`, { body })).headers });
    const inOther = { body: { name: 'Other', ...createPasskey(prepared.body, origin).response }, headers: { cookie } };
    expect((await send(`${base}/passkeys`, inOther)).body.code).toBe('sign_in_failed');
    const stranger = await createPerson[base]();
    expect((await steps.remove(stranger, registered.body.id)).status).toBe(404);
    expect((await steps.list(person)).passkeys).toHaveLength(1);
  });

  test('at an IP address the routes name the address that works', async () => {
    const url = platform.graphqlUrl;
    expect((await send(`${base}/session`, { url })).body.providers.passkey).toEqual({ origin });
    expect((await send(`${base}/session`, { url: origin })).body.providers.passkey).toEqual({ origin });
    expect(await send(`${base}/session/passkey/options`, { url, body: {} })).toMatchObject({
      status: 404,
      body: { detail: `Passkeys do not work at this address. Use ${origin}${base}.` },
    });
  });
});
