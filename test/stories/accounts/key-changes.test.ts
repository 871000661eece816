/** Effects of rotation, plan changes and contracts on the owner of a key. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, type ApiResponse } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { remainingOf } from './rates.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

async function issue(accountName: string, plan: string) {
  const data = await platform.administer(
    'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id account { id } } } }',
    { input: { accountName, plan, scopes: ['organizations:write'] } },
  );
  const { key, apiKey } = data['issueApiKey'] as { key: string; apiKey: { id: string; account: { id: string } } };
  return { id: apiKey.id, accountId: apiKey.account.id, client: createClient({ ...platform, key }) };
}

const left = ({ headers }: ApiResponse) => remainingOf(headers.get('ratelimit'));

test('a rotated key and its successor share a quota until the old key is rejected', async () => {
  const { id, client } = await issue('Rotating', 'pro');
  const data = await platform.administer('mutation ($id: ID!) { rotateApiKey(id: $id) { key } }', { id });
  const successor = createClient({ ...platform, key: (data['rotateApiKey'] as { key: string }).key });
  expect(left(await client.get('/organizations'))).toMatchObject({ day: 99_999, month: 1_499_999 });
  expect(left(await successor.get('/organizations'))).toMatchObject({ day: 99_998, month: 1_499_998 });
  const ends = Date.parse((await client.get('/me')).body.key.expiresAt);
  expect(Math.abs(ends - Date.now() - 86_400_000)).toBeLessThan(60_000);
  expect((await successor.get('/me')).body.key).toMatchObject({ scopes: ['organizations:write'], expiresAt: null });
  await platform.administer('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id });
  await eventually(async () => expect((await client.get('/organizations')).body.code).toBe('api_key_revoked'));
  expect((await successor.get('/organizations')).status).toBe(200);
});

test('/me, /usage and the headers contain the limits after a plan change or contract, and the scheduled plan', async () => {
  const { id, accountId, client } = await issue('Moving', 'starter');
  expect(left(await client.get('/organizations'))).toMatchObject({ day: 9_999 });
  await platform.administer('mutation ($id: ID!) { moveApiKey(id: $id, plan: "pro") { id } }', { id });
  await eventually(async () => expect(left(await client.get('/organizations'))['day']).toBeGreaterThan(9_999));
  // the used quota is kept across the plan change
  const { day } = (await client.get('/usage')).body;
  expect(day).toMatchObject({ limit: 100_000, remaining: 100_000 - day.used });
  expect(day.used).toBeGreaterThan(1);
  const contract = 'mutation ($id: ID!) { setContract(accountId: $id, plan: "pro", input: { perMonth: 5000 }) { id } }';
  await platform.administer(contract, { id: accountId });
  await platform.administer('mutation ($id: ID!) { moveApiKey(id: $id, plan: "starter") { id } }', { id });
  await eventually(async () => expect(left(await client.get('/organizations'))['month']).toBeLessThan(5_000));
  const { body } = await client.get('/me');
  expect(body).toMatchObject({
    plan: { code: 'pro' },
    limits: { perDay: 100_000, perMonth: 5_000 },
    nextPlan: { code: 'starter', at: expect.stringMatching(/-01T00:00:00\.000Z$/) },
  });
});

test('the public schema contains no administration fields', async () => {
  const { client } = await issue('Curious', 'pro');
  for (const document of [
    '{ apiKeys { nodes { id } } }',
    '{ me { key { quotaSubjectId } } }',
    '{ me { key { rotatedTo { id } } } }',
    '{ me { account { contracts { id } } } }',
    '{ me { account { keys { nodes { id } } } } }',
    'mutation { moveAccount(id: "x", plan: "enterprise") { id } }',
  ]) {
    const { body } = await client.graphql(document);
    expect([document, body.errors[0].extensions.code]).toEqual([document, 'GRAPHQL_VALIDATION_FAILED']);
  }
});
