/** Erasure of administrators and portal users: no table has their data afterwards, and the audit log keeps what they did. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { postSameOrigin, type AdministratorClient } from '../../administrator.ts';
import { createMember, createMemberWithPassword, inviteUser, type MemberClient } from '../../member.ts';
import { queryRows } from '../../rows.ts';
import { setUpSecondFactor } from '../../second-factor.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createPasskeySteps } from '../portal/passkey-steps.ts';

let platform: TestPlatform;
let owner: AdministratorClient;
let steps: ReturnType<typeof createPasskeySteps>;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.administrator('OWNER');
  steps = createPasskeySteps(platform.graphqlUrl.replace('127.0.0.1', 'localhost'));
});
afterAll(() => platform.close());

/** The tables of all areas that have a text. */
async function tablesWith(text: string): Promise<unknown[]> {
  const tables = await queryRows(
    platform.database,
    `select table_schema || '.' || table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
        and (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I.%I t where t::text ilike %L', table_schema,
          table_name, '%' || $1::text || '%'), false, true, '')))[1]::text::int > 0`,
    [text],
  );
  return tables.map(({ name }) => name);
}

/** The credentials of a person, by table. */
const credentialsOf = async (id: string): Promise<unknown> =>
  (
    await queryRows(
      platform.database,
      `select (select count(*)::int from accounts.second_factor where person_id = $1) as factors,
        (select count(*)::int from accounts.recovery_code where person_id = $1) as codes,
        (select count(*)::int from accounts.passkey where person_id = $1) as passkeys,
        (select count(*)::int from accounts.administrator_session where administrator_id = $1)
          + (select count(*)::int from accounts.portal_session where user_id = $1) as sessions`,
      [id],
    )
  )[0];
const none = { factors: 0, codes: 0, passkeys: 0, sessions: 0 };

const codeOf = async (person: AdministratorClient, mutation: string, id: string): Promise<unknown> =>
  (await person.run(`mutation ($id: ID!) { ${mutation}(id: $id) { __typename } }`, { id })).errors[0]?.extensions.code ?? null;

const entriesOf = async (filter: object) =>
  (
    await owner.run(
      'query ($filter: AuditFilter) { auditEntries(first: 100, filter: $filter) { nodes { action reason changes { field } } } }',
      { filter },
    )
  ).data.auditEntries.nodes;

const signIn = (base: string, { email, password }: { email: string; password: string }) =>
  postSameOrigin(platform.graphqlUrl, `${base}/session`, { email, password }, { 'x-forwarded-for': '192.0.2.1' });

const erased = (mutation: string) => `mutation ($id: ID!) { ${mutation}(id: $id) {
  name email status erasedAt lastSignedInAt signsInBy hasSecondFactor hasPasskeys sessions { id }
} }`;
const withoutData = (id: string, name: string) => ({
  name,
  email: `${id}@erased.invalid`,
  status: 'DISABLED',
  erasedAt: expect.any(String),
  lastSignedInAt: null,
  signsInBy: null,
  hasSecondFactor: false,
  hasPasskeys: false,
  sessions: [],
});

test('an owner erases a disabled administrator, and the audit log keeps the actions without values', async () => {
  const person = await platform.administratorWithPassword('MODERATOR');
  const { id, email } = person;
  const rename = 'mutation ($id: ID!) { updateAdministrator(id: $id, ifMatch: "*", input: { name: "Wilhelmina Gone" }) { id } }';
  await owner.run(rename, { id });
  await steps.stepsAt('/admin').register(person);
  await setUpSecondFactor(platform.graphqlUrl, '/admin', person);
  expect(await credentialsOf(id)).not.toEqual(none);
  expect(await codeOf(owner, 'eraseAdministrator', id)).toBe('invalid_transition');
  await owner.run('mutation ($id: ID!) { disableAdministrator(id: $id, reason: "Wilhelmina left") { id } }', { id });
  expect(await tablesWith('Wilhelmina')).toEqual(expect.arrayContaining(['accounts.administrator', 'accounts.history']));
  expect(await codeOf(await platform.administrator('ADMIN'), 'eraseAdministrator', id)).toBe('insufficient_scope');

  const { data } = await owner.run(erased('eraseAdministrator'), { id });
  expect(data.eraseAdministrator).toEqual(withoutData(id, 'Erased administrator'));
  expect([await tablesWith('Wilhelmina'), await tablesWith(email)]).toEqual([[], []]);
  expect(await credentialsOf(id)).toEqual(none);
  expect((await signIn('/admin', person)).body.code).toBe('sign_in_failed');

  const [latest, ...earlier] = await entriesOf({ resourceType: 'administrator', resourceId: id });
  expect(latest).toEqual({ action: 'erased', reason: null, changes: [] });
  expect(earlier.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['disabled', 'updated', 'signed_in', 'invited']),
  );
  expect(
    earlier.filter(({ changes, reason }: { changes: unknown[]; reason: string | null }) => changes.length > 0 || reason !== null),
  ).toEqual([]);
  expect((await entriesOf({ administratorId: id })).length).toBeGreaterThan(0);
});

test('an erased administrator cannot be changed or enabled, and the address can be invited again', async () => {
  const { id, email } = await platform.administrator('VIEWER');
  for (const mutation of ['disableAdministrator', 'eraseAdministrator']) expect(await codeOf(owner, mutation, id)).toBeNull();
  for (const mutation of ['erase', 'enable', 'disable', 'reset'].map((verb) => `${verb}Administrator`))
    expect([mutation, await codeOf(owner, mutation, id)]).toEqual([mutation, 'gone']);
  const invite = 'mutation ($input: InviteAdministratorInput!) { inviteAdministrator(input: $input) { administrator { id } } }';
  const { data, errors } = await owner.run(invite, { input: { email, name: 'Ada Example', role: 'VIEWER' } });
  expect(errors).toEqual([]);
  expect(data.inviteAdministrator.administrator.id).not.toBe(id);
});

const inviteMember = (member: MemberClient, email: string) =>
  member.run('mutation ($email: String!) { inviteMember(email: $email, role: VIEWER) { invitation { id } } }', { email });

test('an owner erases a disabled portal user from all accounts and invitations', async () => {
  const person = await createMemberWithPassword(platform);
  const { userId: id, email, accountId } = person;
  const colleague = await createMember(platform, { accountId });
  const stranger = await createMember(platform);
  await person.run('mutation { updateOwnProfile(name: "Wilhelmina Away") { id } }');
  await steps.stepsAt('/portal').register(person);
  await setUpSecondFactor(platform.graphqlUrl, '/portal', person);
  await inviteMember(person, 'friend@example.com');
  await inviteMember(stranger, email);
  await inviteUser(platform.administer, (await createMember(platform)).accountId, email, 'VIEWER');
  expect(await codeOf(owner, 'erasePortalUser', id)).toBe('invalid_transition');
  await owner.run('mutation ($id: ID!) { disablePortalUser(id: $id, reason: "Wilhelmina left") { id } }', { id });
  expect(await codeOf(await platform.administrator('ADMIN'), 'erasePortalUser', id)).toBe('insufficient_scope');

  const { data } = await owner.run(erased('erasePortalUser'), { id });
  expect(data.erasePortalUser).toEqual(withoutData(id, 'Erased user'));
  expect([await tablesWith('Wilhelmina'), await tablesWith(email)]).toEqual([[], []]);
  expect(await credentialsOf(id)).toEqual(none);
  expect((await signIn('/portal', person)).body.code).toBe('sign_in_failed');
  for (const mutation of ['erasePortalUser', 'enablePortalUser', 'resetPortalUser', 'endPortalUserSessions'])
    expect([mutation, await codeOf(owner, mutation, id)]).toEqual([mutation, 'gone']);

  expect((await colleague.run('{ accountMembers { email } }')).accountMembers).toEqual([{ email: colleague.email }]);
  for (const member of [colleague, stranger])
    expect((await member.run('{ accountInvitations { id } }')).accountInvitations).toEqual([]);
  const [latest] = await entriesOf({ resourceType: 'portal_user', resourceId: id });
  expect(latest).toEqual({ action: 'erased', reason: null, changes: [] });
  expect((await entriesOf({ userId: id })).length).toBeGreaterThan(0);
});
