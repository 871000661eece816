/** Attacks on the sign-in by anonymous callers and new users, which must not lock out administrators. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { labelOf, postSameOrigin } from '../../administrator.ts';
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

const guess = (email: string, address: string, password = 'a wrong password') =>
  postSameOrigin(platform.graphqlUrl, '/admin/session', { email, password }, { 'x-forwarded-for': address });

/** Signs in like the router for an identity without an invitation. */
async function signInByIdentity(subject: string, newcomerRole: string): Promise<string> {
  const input = { issuer: 'https://id.example', subject, email: `${subject}@example.com`, name: subject, newcomerRole };
  const data = await platform.administer(
    `mutation ($input: IdentityInput!, $client: SignInClient!) { signInByIdentity(input: $input, client: $client) { token } }`,
    { input, client: { address: '203.0.113.1' } },
  );
  return (data['signInByIdentity'] as { token: string }).token;
}
const firstLink = async (): Promise<string | null> => {
  const { createSetupLink } = await platform.administer('mutation { createSetupLink { setupPath } }');
  return (createSetupLink as { setupPath: string } | null)?.setupPath.split('#')[1] ?? null;
};
const isSetUp = async (): Promise<unknown> =>
  ((await (await fetch(`${platform.graphqlUrl}/admin/session`)).json()) as { setUp: unknown }).setUp;

// runs first in this file: there is no administrator yet
test('a new user who signs in before the first owner does not prevent the setup of the owner', async () => {
  const before = (await firstLink()) ?? '';
  await signInByIdentity('early', 'VIEWER');
  expect((await postSameOrigin(platform.graphqlUrl, '/admin/setup/look', { token: before })).status).toBe(200);
  const token = await firstLink();
  expect(token).not.toBeNull();
  const owner = { token, name: 'Grace', email: 'grace@example.com', password: 'correct horse battery' };
  expect((await postSameOrigin(platform.graphqlUrl, '/admin/setup', owner)).body.administrator).toMatchObject({ role: 'OWNER' });
  expect(await firstLink()).toBeNull();
  expect(await isSetUp()).toBe(true);
});

test('an email address with a NUL character is rejected', async () => {
  const response = await guess('ada\u0000@example.com', '203.0.113.1');
  expect(response.body).toMatchObject({ status: 422, errors: [{ pointer: '/email', code: 'invalid' }] });
});

test('distributed failures for an address do not lock it out of known networks', async () => {
  const admin = await platform.administratorWithPassword('ADMIN');
  expect((await guess(admin.email, '198.51.100.7', admin.password)).status).toBe(200);
  await database.query(
    `insert into accounts.sign_in_attempt (email_hash, network, at)
      select sha256(convert_to($1, 'utf8')), '203.0.113.' || n, now() - interval '1 minute' from generate_series(1, 50) n`,
    [admin.email],
  );
  expect((await guess(admin.email, '198.51.100.8', admin.password)).status).toBe(429);
  expect((await guess(admin.email, '198.51.100.7', admin.password)).status).toBe(200);
  // failures from the known network are still limited
  for (let guesses = 0; guesses < 5; guesses += 1) await guess(admin.email, '198.51.100.7');
  expect((await guess(admin.email, '198.51.100.7', admin.password)).status).toBe(429);
});

test('an attempt over the limit does not wait for other attempts', async () => {
  const network = labelOf(platform.database, '203.0.113.3');
  await database.query(
    `insert into accounts.sign_in_attempt (email_hash, network) select sha256('x'), $1 from generate_series(1, 20)`,
    [network],
  );
  // the lock of an attempt that is being counted
  await database.query('begin');
  await database.query(`select pg_advisory_xact_lock(hashtextextended('sign-in network ' || $1, 0))`, [network]);
  try {
    const responses = await Promise.all(Array.from({ length: 30 }, () => guess('ada@example.com', '203.0.113.3')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([429]));
  } finally {
    await database.query('rollback');
  }
});

test('an Idempotency-Key is scoped to its administrator', async () => {
  const [ada, grace] = [await platform.administrator('OWNER'), await platform.administrator('OWNER')];
  const create = `mutation ($input: CreateAccountInput!, $key: String) { createAccount(input: $input, idempotencyKey: $key) { id } }`;
  const issueKey = async (administrator: typeof ada, name: string) =>
    (await administrator.run(create, { input: { name }, key: 'the same' })) as { data: { createAccount: { id: string } } | null };
  const [one, other] = [await issueKey(ada, 'Of Ada'), await issueKey(grace, 'Of Grace')];
  expect(other.data?.createAccount.id).toBeDefined();
  expect(other.data?.createAccount.id).not.toBe(one.data?.createAccount.id);
  expect((await issueKey(ada, 'Of Ada')).data?.createAccount.id).toBe(one.data?.createAccount.id);
});
