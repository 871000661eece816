/** The history of administrators: action, actor and address, without secrets. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { labelOf, sameOrigin, postSameOrigin } from '../../administrator.ts';
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

interface Entry {
  readonly action: string;
  readonly kind: string;
  readonly by: string | null;
  readonly address: string | null;
  readonly changes: Readonly<Record<string, unknown>>;
}

async function historyOf(id: string): Promise<Entry[]> {
  const { rows } = await database.query<Entry>(
    `select action, actor->>'kind' as kind, actor->>'administratorId' as by, actor->>'address' as address, changes
      from accounts.history where resource_id = $1 order by id`,
    [id],
  );
  return rows;
}

/** All rows of the accounts area, as text. */
async function everything(): Promise<string> {
  const { rows } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'accounts' and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const { rows: dumped } = await database.query<{ text: string }>(
      `select coalesce(json_agg(t), '[]')::text as text from accounts.${name} t`,
    );
    texts.push(dumped[0]?.text ?? '');
  }
  return texts.join('\n');
}

test('every action is in the history with its actor and address, and no table contains a secret', async () => {
  const owner = await platform.administrator('OWNER');
  const email = 'katherine@example.com';
  const input = { email, name: 'Katherine', role: 'ADMIN' };
  const invited = await owner.graphql(
    'mutation ($input: InviteAdministratorInput!) { inviteAdministrator(input: $input) { setupPath administrator { id } } }',
    { input },
  );
  const { setupPath, administrator } = invited.body.data.inviteAdministrator;
  const { id } = administrator;
  const link = setupPath.split('#')[1];
  const from = { 'x-forwarded-for': '203.0.113.50', 'user-agent': 'A browser' };
  const passwords = ['the first long password', 'the second long password', 'a wrong password guess'];
  const entered = await postSameOrigin(platform.graphqlUrl, '/admin/setup', { token: link, password: passwords[0] }, from);
  const cookie = entered.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const headers = { ...sameOrigin, ...from, cookie };
  await postSameOrigin(platform.graphqlUrl, '/admin/session', { email, password: passwords[2] }, from);
  await postSameOrigin(platform.graphqlUrl, '/admin/password', { current: passwords[0], next: passwords[1] }, headers);
  await owner.graphql('mutation ($id: ID!) { updateAdministrator(id: $id, ifMatch: "*", input: { role: VIEWER }) { id } }', {
    id,
  });
  await fetch(`${platform.graphqlUrl}/admin/session`, { method: 'DELETE', headers: { ...from, cookie } });
  const repeated = await postSameOrigin(platform.graphqlUrl, '/admin/session', { email, password: passwords[1] }, from);
  expect(repeated.status).toBe(200);
  await owner.graphql('mutation ($id: ID!) { endAdministratorSessions(id: $id) { id } }', { id });
  await owner.graphql('mutation ($id: ID!) { disableAdministrator(id: $id, reason: "left") { id } }', { id });

  const self = { kind: 'ADMINISTRATOR', by: id, address: labelOf(platform.database, '203.0.113.50') };
  const other = { kind: 'ADMINISTRATOR', by: owner.id, address: labelOf(platform.database) };
  expect((await historyOf(id)).map(({ changes: _, ...entry }) => entry)).toEqual([
    { action: 'invited', ...other },
    { action: 'set_up', ...self },
    { action: 'signed_in', ...self },
    { action: 'sign_in_failed', ...self },
    { action: 'password_changed', ...self },
    { action: 'updated', ...other },
    { action: 'signed_out', ...self },
    { action: 'signed_in', ...self },
    { action: 'sessions_ended', ...other },
    { action: 'disabled', ...other },
  ]);
  const changed = (await historyOf(id)).find(({ action }) => action === 'updated');
  expect(changed?.changes).toEqual({ role: ['ADMIN', 'VIEWER'] });

  const tokens = [entered, repeated].map(
    ({ headers: given }) => /__Host-session=([\w-]+)/.exec(given.getSetCookie()[0] ?? '')?.[1] ?? '',
  );
  const text = await everything();
  expect(text).toContain('signed_in');
  for (const secret of [link, ...tokens, ...passwords]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(text).not.toContain(secret);
  }
  const { rows: leaked } = await database.query(
    `select from accounts.history where (changes::text || actor::text) ~ 'scrypt|passwordHash' union all
      select from accounts.outbox where resource_type = 'administrator'`,
  );
  expect(leaked).toEqual([]);
});

test('keys contain the names of the administrators who issued, rotated and revoked them', async () => {
  const ada = await platform.administrator('ADMIN');
  const issued = await ada.graphql(
    `mutation { issueApiKey(input: { accountName: "FC Named", plan: "starter", scopes: [] }) { apiKey { id createdBy } } }`,
  );
  const { id, createdBy } = issued.body.data.issueApiKey.apiKey;
  expect(createdBy).toBe('Ada Example');
  const rotated = await ada.graphql('mutation ($id: ID!) { rotateApiKey(id: $id, graceSeconds: 0) { apiKey { createdBy } } }', {
    id,
  });
  expect(rotated.body.data.rotateApiKey.apiKey.createdBy).toBe('Ada Example');
  const { apiKey } = (await ada.graphql('query ($id: ID!) { apiKey(id: $id) { status revokedBy } }', { id })).body.data;
  expect(apiKey).toEqual({ status: 'REVOKED', revokedBy: 'Ada Example' });
  const [entry] = await historyOf(id);
  expect(entry).toMatchObject({ action: 'issued', kind: 'ADMINISTRATOR', by: ada.id, address: labelOf(platform.database) });
});

test('maintenance deletes expired sessions, links and sign-in attempts', async () => {
  const viewer = await platform.administrator('VIEWER');
  await database.query(
    `update accounts.administrator_session set expires_at = now() - interval '8 days' where administrator_id = $1`,
    [viewer.id],
  );
  await database.query(`update accounts.setup_link set expires_at = now() - interval '8 days' where administrator_id = $1`, [
    viewer.id,
  ]);
  await database.query(
    `insert into accounts.sign_in_attempt (email_hash, network, at) values (sha256('old'), '192.0.2.1', now() - interval '2 days'), (sha256('new'), '192.0.2.1', now())`,
  );
  await platform.maintain();
  const { rows } = await database.query(
    `select (select count(*)::int from accounts.administrator_session where administrator_id = $1) as sessions,
      (select count(*)::int from accounts.setup_link where administrator_id = $1) as links,
      (select count(*)::int from accounts.sign_in_attempt where network = '192.0.2.1') as attempts`,
    [viewer.id],
  );
  expect(rows).toEqual([{ sessions: 0, links: 0, attempts: 1 }]);
});
