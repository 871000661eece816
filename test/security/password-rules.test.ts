/** Common passwords and passwords that are easy to guess are rejected wherever a person sets a password (ASVS 6.2.4, 6.2.11). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { invite, postSameOrigin, type AdministratorWithPassword } from '../administrator.ts';
import { createAccount, createMemberWithPassword, inviteUser, type MemberWithPassword } from '../member.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';

let platform: TestPlatform;
let administrator: AdministratorWithPassword;
let member: MemberWithPassword;
beforeAll(async () => {
  platform = await openTestPlatform({ registration: true });
  administrator = await platform.administratorWithPassword('ADMIN');
  member = await createMemberWithPassword(platform);
});
afterAll(() => platform.close());

let network = 0;
async function post(path: string, body: object, cookie?: string) {
  network += 1;
  const headers = { 'x-forwarded-for': `203.0.113.${network}`, ...(cookie === undefined ? {} : { cookie }) };
  const { status, body: problem } = await postSameOrigin(platform.graphqlUrl, path, body, headers);
  return { status, errors: problem.errors };
}

let addresses = 0;
const newAddress = (): string => {
  addresses += 1;
  return `a.person-${addresses}@club.example`;
};
const tokenOf = (setupPath: string): string => setupPath.split('#')[1] ?? '';

/** Each way to set a password: sends it, and names the member of the body that is the password. */
const ways: readonly (readonly [name: string, pointer: string, set: (password: string) => ReturnType<typeof post>])[] = [
  [
    'an invitation of an administrator',
    '/password',
    async (password) => {
      const { token } = await invite(platform.administer, 'VIEWER', newAddress());
      return post('/admin/setup', { token, password });
    },
  ],
  [
    'a link for a new password of an administrator',
    '/password',
    async (password) => {
      const owner = await platform.administrator('OWNER');
      const reset = 'mutation ($id: ID!) { resetAdministrator(id: $id) { setupPath } }';
      const { data } = await owner.run(reset, { id: administrator.id });
      return post('/admin/setup', { token: tokenOf(data.resetAdministrator.setupPath), password });
    },
  ],
  [
    'a password change of an administrator',
    '/next',
    (next) => post('/admin/password', { current: administrator.password, next }, administrator.cookie),
  ],
  [
    'an invitation of a portal user',
    '/password',
    async (password) => {
      const account = await createAccount(platform.administer, 'FC Example');
      const token = await inviteUser(platform.administer, account, newAddress(), 'OWNER');
      return post('/portal/setup', { token, name: 'A Person', password });
    },
  ],
  [
    'a link for a new password of a portal user',
    '/password',
    async (password) => {
      const admin = await platform.administrator('ADMIN');
      const reset = 'mutation ($id: ID!) { resetPortalUser(id: $id) { setupPath } }';
      const { data } = await admin.run(reset, { id: member.userId });
      return post('/portal/setup', { token: tokenOf(data.resetPortalUser.setupPath), password });
    },
  ],
  [
    'a password change of a portal user',
    '/next',
    (next) => post('/portal/password', { current: member.password, next }, member.cookie),
  ],
  [
    'registration',
    '/password',
    (password) => post('/portal/registration', { email: newAddress(), name: 'A Person', accountName: 'FC Example', password }),
  ],
];

test.each(ways)('%s rejects common passwords and those of known words', async (_name, pointer, set) => {
  expect(await set('1qaz2wsx3edc')).toEqual({
    status: 422,
    errors: [
      {
        pointer,
        code: 'too_common',
        detail: 'This is one of the most common passwords. Choose another one, such as four unrelated words.',
      },
    ],
  });
  expect(await set('Talent Platform 2026')).toMatchObject({ status: 422, errors: [{ pointer, code: 'too_easy' }] });
});

test('the rejected passwords do not start a session and do not use up a link', async () => {
  const { token } = await invite(platform.administer, 'VIEWER', newAddress());
  expect((await post('/admin/setup', { token, password: 'qwerty123456' })).status).toBe(422);
  expect((await post('/admin/setup', { token, password: 'correct horse battery' })).status).toBe(200);
});
