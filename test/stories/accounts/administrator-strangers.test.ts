/** What strangers and newcomers try at the door of administrators, and whom they must not keep out by it. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { postOwn } from '../../administrator.ts';
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
  postOwn(platform.graphqlUrl, '/admin/session', { email, password }, { 'x-forwarded-for': address });

/** As the router asks when an OpenID provider vouches for somebody whom nobody invited. */
async function comesByIdentity(subject: string, newcomerRole: string): Promise<string> {
  const input = { issuer: 'https://id.example', subject, email: `${subject}@example.com`, name: subject, newcomerRole };
  const { signInByIdentity } = await platform.administer(
    `mutation ($input: IdentityInput!, $client: SignInClient!) { signInByIdentity(input: $input, client: $client) { token } }`,
    { input, client: { address: '203.0.113.1' } },
  );
  return (signInByIdentity as { token: string }).token;
}
const firstLink = async (): Promise<string | null> => {
  const { createSetupLink } = await platform.administer('mutation { createSetupLink { setupPath } }');
  return (createSetupLink as { setupPath: string } | null)?.setupPath.split('#')[1] ?? null;
};
const isSetUp = async (): Promise<unknown> =>
  ((await (await fetch(`${platform.graphqlUrl}/admin/session`)).json()) as { setUp: unknown }).setUp;

// first in this file: nobody administers yet
test('a newcomer who comes before the first owner keeps the owner out in no way', async () => {
  const before = (await firstLink()) ?? '';
  await comesByIdentity('early', 'VIEWER');
  expect((await postOwn(platform.graphqlUrl, '/admin/setup/look', { token: before })).status).toBe(200);
  const token = await firstLink();
  expect(token).not.toBeNull();
  const owner = { token, name: 'Grace', email: 'grace@example.com', password: 'correct horse battery' };
  expect((await postOwn(platform.graphqlUrl, '/admin/setup', owner)).body.administrator).toMatchObject({ role: 'OWNER' });
  expect(await firstLink()).toBeNull();
  expect(await isSetUp()).toBe(true);
});

test('an address that no database can hold is refused', async () => {
  const answer = await guess('ada\u0000@example.com', '203.0.113.1');
  expect(answer.body).toMatchObject({ status: 422, errors: [{ pointer: '/email', code: 'invalid' }] });
});

test('who fails for somebody from everywhere does not keep out who comes from where a session of theirs began', async () => {
  const admin = await platform.administratorWithPassword('ADMIN');
  expect((await guess(admin.email, '198.51.100.7', admin.password)).status).toBe(200);
  await database.query(
    `insert into accounts.sign_in_attempt (email_hash, network, at)
      select sha256(convert_to($1, 'utf8')), '203.0.113.' || n, now() - interval '1 minute' from generate_series(1, 50) n`,
    [admin.email],
  );
  expect((await guess(admin.email, '198.51.100.8', admin.password)).status).toBe(429);
  expect((await guess(admin.email, '198.51.100.7', admin.password)).status).toBe(200);
  // which opens no way to guess on from there
  for (let guesses = 0; guesses < 5; guesses += 1) await guess(admin.email, '198.51.100.7');
  expect((await guess(admin.email, '198.51.100.7', admin.password)).status).toBe(429);
});

test('a guess that is refused waits for no other guess', async () => {
  await database.query(
    `insert into accounts.sign_in_attempt (email_hash, network) select sha256('x'), '203.0.113.3' from generate_series(1, 20)`,
  );
  // as an attempt holds it while it is counted
  await database.query('begin');
  await database.query(`select pg_advisory_xact_lock(hashtextextended('sign-in network 203.0.113.3', 0))`);
  try {
    const answers = await Promise.all(Array.from({ length: 30 }, () => guess('ada@example.com', '203.0.113.3')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
  } finally {
    await database.query('rollback');
  }
});

test('an Idempotency-Key of one administrator says nothing to another', async () => {
  const [ada, grace] = [await platform.administrator('OWNER'), await platform.administrator('OWNER')];
  const create = `mutation ($input: CreateAccountInput!, $key: String) { createAccount(input: $input, idempotencyKey: $key) { id } }`;
  const made = async (who: typeof ada, name: string) =>
    (await who.ask(create, { input: { name }, key: 'the same' })) as { data: { createAccount: { id: string } } | null };
  const [one, other] = [await made(ada, 'Of Ada'), await made(grace, 'Of Grace')];
  expect(other.data?.createAccount.id).toBeDefined();
  expect(other.data?.createAccount.id).not.toBe(one.data?.createAccount.id);
  expect((await made(ada, 'Of Ada')).data?.createAccount.id).toBe(one.data?.createAccount.id);
});
