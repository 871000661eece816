/** Registration and setup over HTTP: the texts that a person can choose, one form of an address in all places, and the limits. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { invite, postSameOrigin } from '../../administrator.ts';
import { createAccount, createMember, inviteUser } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform({ registration: true });
});
afterAll(() => platform.close());

let network = 0;
const fromNewNetwork = (): Record<string, string> => {
  network += 1;
  return { 'x-forwarded-for': `203.0.113.${network}` };
};
const post = (path: string, body: unknown, headers = fromNewNetwork()) =>
  postSameOrigin(platform.graphqlUrl, path, body, headers);

const password = 'correct horse battery';
const register = (input: Record<string, string>, headers?: Record<string, string>) =>
  post(
    '/portal/registration',
    { email: 'new@example.com', name: 'New', accountName: 'New account', password, ...input },
    headers,
  );

const names = [
  '\u200B',
  '\u3164',
  ' \u200B\u3164',
  '\u202EadA',
  '\u2066Ada',
  'Ada\nLovelace',
  'Ada\u2028Lovelace',
  'Ada\uFFFE',
  '',
];
const addresses = [
  'ada\u200B@example.com',
  'ada@exam\u00ADple.com',
  '\u202Eada@example.com',
  'ada\u3164@example.com',
  '<script>@example.com',
  'a@b',
  'ada@example..com',
  'ada@-example.com',
  'ada@example.com.',
  '.ada@example.com',
  'ada lovelace@example.com',
  'ada@example.com, eve@example.com',
  `${'a'.repeat(65)}@example.com`,
  'ada@example@example.com',
];

test.each(names)('the name %j is rejected, of users and of accounts', async (name) => {
  const { status, body } = await register({ name, accountName: name });
  expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([422, ['/name', '/accountName']]);
});

test.each(addresses)('the address %j is rejected, at the registration and in an invitation', async (email) => {
  const { status, body } = await register({ email });
  expect([status, body.errors]).toMatchObject([422, [{ pointer: '/email', code: 'invalid' }]]);
  const owner = await createMember(platform);
  const inviteMember = 'mutation ($email: String!) { inviteMember(email: $email, role: VIEWER) { setupPath } }';
  expect(await owner.codeOf(inviteMember, { email })).toBe('validation_failed');
});

test.each(['Ada.Lovelace+portal@sub.example.co.uk', "o'hara_1@example.com", 'josé@müller.example', '用户@例え.jp'])(
  'the address %j is accepted',
  async (email) => {
    expect((await register({ email })).body).toMatchObject({ user: { email } });
  },
  30_000,
);

test.each(['/portal', '/admin'])(
  '%s/setup has the same rules',
  async (base) => {
    const tokenOf = async (email: string): Promise<string> => {
      const account = await createAccount(platform.administer, 'FC Setup');
      return inviteUser(platform.administer, account, email, 'OWNER');
    };
    if (base === '/portal') {
      const token = await tokenOf('setup@example.com');
      for (const name of names) {
        const { status, body } = await post('/portal/setup', { token, name, password });
        expect([name, status, body.errors[0].pointer]).toEqual([name, 422, '/name']);
      }
      return;
    }
    const { createSetupLink } = await platform.administer('mutation { createSetupLink { setupPath } }');
    const token = (createSetupLink as { setupPath: string }).setupPath.split('#')[1];
    for (const name of names)
      expect((await post('/admin/setup', { token, name, email: 'grace@example.com', password })).body.errors[0].pointer).toBe(
        '/name',
      );
    for (const email of addresses)
      expect((await post('/admin/setup', { token, name: 'Grace', email, password })).body.errors[0].pointer).toBe('/email');
    await expect(invite(platform.administer, 'VIEWER', 'a@b')).rejects.toThrow('email');
  },
  60_000,
);

describe('an address with an accent', () => {
  const [nfc, nfd] = ['zo\u00E9@example.com', 'zoe\u0301@example.com'];

  test('is the same in both Unicode forms, at the registration, in an invitation and at the sign-in', async () => {
    expect((await register({ email: nfd })).body.user.email).toBe(nfc);
    expect((await register({ email: nfc })).body.code).toBe('conflict');
    for (const email of [nfc, nfd, ` ${nfd.toUpperCase()} `])
      expect([email, (await post('/portal/session', { email, password })).status]).toEqual([email, 200]);
    const owner = await createMember(platform);
    const inviteMember =
      'mutation ($email: String!) { inviteMember(email: $email, role: VIEWER) { setupPath invitation { email } } }';
    const invited = (await owner.run(inviteMember, { email: nfd })).inviteMember;
    expect(invited.invitation.email).toBe(nfc);
    const token = invited.setupPath.split('#')[1];
    expect((await post('/portal/setup', { token, name: 'Eve', password })).body.code).toBe('conflict');
  });

  test('signs in with a provider that spells it in the other form', async () => {
    const signIn = (subject: string, email: string, name = 'Zoé') =>
      platform.administer(
        `mutation ($input: IdentityInput!) { signInByIdentity(input: $input, client: { address: "127.0.0.1" }, population: USERS) {
          session { user { id email name } }
        } }`,
        { input: { issuer: 'https://id.example.com', subject, email, name, registers: true } },
      );
    const other = 'ren\u00E9e@example.com';
    await register({ email: other });
    const { signInByIdentity } = await signIn('renee', other.normalize('NFD'));
    expect(signInByIdentity).toMatchObject({ session: { user: { email: other, name: 'New' } } });
    // a name that is not accepted does not lock the person out
    const { signInByIdentity: unnamed } = await signIn('unnamed', 'unnamed@example.com', '\u202E');
    expect(unnamed).toMatchObject({ session: { user: { name: 'unnamed@example.com' } } });
  });
});

test('wrong passwords for both forms of an address count together', async () => {
  const headers = fromNewNetwork();
  const guess = (email: string) => post('/portal/session', { email, password: 'a wrong password' }, headers);
  for (const form of ['NFC', 'NFD', 'NFC', 'NFD', 'NFC'])
    expect((await guess('unknown-é@example.com'.normalize(form))).status).toBe(401);
  expect((await guess('unknown-é@example.com'.normalize('NFD'))).status).toBe(429);
});

test('registrations that are rejected do not count, and attempts have a larger limit', async () => {
  const headers = fromNewNetwork();
  const statuses: number[] = [];
  for (let index = 0; index < 7; index += 1) statuses.push((await register({ email: 'no address' }, headers)).status);
  expect(new Set(statuses)).toEqual(new Set([422]));
  for (let index = 0; index < 5; index += 1)
    expect((await register({ email: `completed-${index}@example.com` }, headers)).status).toBe(200);
  const limited = await register({ email: 'completed-5@example.com' }, headers);
  expect([limited.status, Number(limited.headers.get('retry-after')) > 60]).toEqual([429, true]);

  const others = fromNewNetwork();
  const attempts: number[] = [];
  for (let index = 0; index < 32; index += 1) attempts.push((await register({ email: 'no address' }, others)).status);
  expect(attempts).toEqual([...Array.from({ length: 30 }, () => 422), 429, 429]);
});

test('concurrent registrations of a network do not exceed the limit', async () => {
  const headers = fromNewNetwork();
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) => register({ email: `concurrent-${index}@example.com` }, headers)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
});
