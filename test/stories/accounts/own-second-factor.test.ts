/** An administrator needs the password and a code to remove the second factor of this account. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setUpSecondFactor } from '../../second-factor.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

test('an administrator cannot remove the second factor of this account without password and code', async () => {
  const owner = await platform.administratorWithPassword('OWNER');
  await setUpSecondFactor(platform.graphqlUrl, '/admin', owner);
  const remove = 'mutation ($id: ID!) { removeAdministratorSecondFactor(id: $id) { id } }';
  const { errors } = await owner.run(remove, { id: owner.id });
  expect(errors[0]).toMatchObject({
    message: 'Remove your own second factor at "Your account", with your password and a code.',
    extensions: { code: 'conflict' },
  });
  const { data } = await owner.run('query ($id: ID!) { administrator(id: $id) { hasSecondFactor } }', { id: owner.id });
  expect(data.administrator.hasSecondFactor).toBe(true);
  const colleague = await platform.administrator('OWNER');
  expect((await colleague.run(remove, { id: owner.id })).data.removeAdministratorSecondFactor).toEqual({ id: owner.id });
});
