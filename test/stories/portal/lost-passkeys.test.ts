/** Passkeys that an administrator removes, and those of a person whose address another one takes over. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createMemberWithPassword } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createPasskeySteps, rejection } from './passkey-steps.ts';

let platform: TestPlatform;
let database: pg.Client;
let stepsAt: ReturnType<typeof createPasskeySteps>['stepsAt'];
beforeAll(async () => {
  platform = await openTestPlatform();
  ({ stepsAt } = createPasskeySteps(platform.graphqlUrl.replace('127.0.0.1', 'localhost')));
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

test('a disabled person cannot sign in, and an administrator removes lost passkeys with the second factor', async () => {
  const owner = await platform.administrator('OWNER');
  const person = await createMemberWithPassword(platform);
  const steps = stepsAt('/portal');
  const { passkey } = await steps.register(person);
  const run = (mutation: string) =>
    owner.run(`mutation ($id: ID!) { ${mutation}(id: $id) { hasPasskeys } }`, { id: person.userId });
  await run('disablePortalUser');
  expect(await steps.signIn(passkey)).toMatchObject(rejection);
  expect((await run('enablePortalUser')).data).toEqual({ enablePortalUser: { hasPasskeys: true } });
  expect((await steps.signIn(passkey)).status).toBe(200);
  expect((await run('removePortalUserSecondFactor')).data).toEqual({ removePortalUserSecondFactor: { hasPasskeys: false } });
  expect(await steps.signIn(passkey)).toMatchObject(rejection);
  expect((await run('removePortalUserSecondFactor')).errors[0]?.extensions.code).toBe('invalid_transition');

  const administrator = await platform.administratorWithPassword('ADMIN');
  const registered = await stepsAt('/admin').register(administrator);
  const remove = 'mutation ($id: ID!) { removeAdministratorSecondFactor(id: $id) { hasPasskeys } }';
  expect((await owner.run(remove, { id: administrator.id })).data.removeAdministratorSecondFactor).toEqual({
    hasPasskeys: false,
  });
  expect(await stepsAt('/admin').signIn(registered.passkey)).toMatchObject(rejection);
});

test('the owner of an address who signs in with a provider removes the passkeys of the person who registered it', async () => {
  const person = await createMemberWithPassword(platform);
  const { passkey } = await stepsAt('/portal').register(person);
  await database.query('update accounts.portal_user set email_verified_at = null where id = $1', [person.userId]);
  await platform.administer(
    `mutation ($input: IdentityInput!) {
      signInByIdentity(input: $input, client: { address: "127.0.0.1" }, population: USERS) { token }
    }`,
    { input: { issuer: 'https://id.example.com', subject: person.email, email: person.email, name: 'Owner' } },
  );
  expect(await stepsAt('/portal').signIn(passkey)).toMatchObject(rejection);
});
