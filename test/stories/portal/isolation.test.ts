/** What a session of the portal does not reach: the admin schema, the internal schema, other accounts, and mutations beyond the role. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, isEnumType, isObjectType } from 'graphql';
import { accessRulesOf, satisfies } from '../../../router/operations/access-rules.ts';
import { loadSupergraph } from '../../../router/supergraph.ts';
import { memberRoleNames, memberRoles, memberScopes, type MemberRole } from '../../../schema/member-roles.ts';
import { memberViewer } from '../../../schema/viewer.ts';
import { postSameOrigin } from '../../administrator.ts';
import { createMember, type MemberClient } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const { schemas } = loadSupergraph();
const [portal, admin, internal, published] = [schemas.portal, schemas.admin, schemas.internal, schemas.public].map((text) =>
  buildSchema(text, { assumeValid: true }),
);
if (!portal || !admin || !internal || !published) throw new Error('A schema is missing.');

/** The fields of a schema, as `Type.field`. */
const fieldsOf = (schema: typeof portal): Set<string> =>
  new Set(
    Object.values(schema.getTypeMap()).flatMap((type) =>
      'getFields' in type ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`) : [],
    ),
  );

describe('the schema of the portal', () => {
  test('has the public schema, and no field of administrators without the tag of the portal', () => {
    const own = fieldsOf(portal);
    expect([...fieldsOf(published)].filter((field) => !own.has(field) && !field.startsWith('Subscription.'))).toEqual([]);
    const added = [...own].filter((field) => !fieldsOf(published).has(field));
    const ofPortal = new Set(['Mutation.endOwnSession', 'PortalUser.sessions']);
    const forbidden =
      /Administrator|audit|issueApiKey|\.move[A-Z]|suspend|signIn[A-Z]?\b|Session$|platformUsage|\.accounts$|deadLetter|allAnnouncements|grant[A-Z]|decline[A-Z]/;
    expect(added.filter((field) => forbidden.test(field) && !ofPortal.has(field))).toEqual([]);
    expect(added).toContain('Query.ownKeys');
  });

  test('has the roles of the table with their descriptions', () => {
    const type = portal.getType('MemberRole');
    if (!isEnumType(type)) throw new Error('MemberRole is not an enum.');
    const described = type.getValues().map(({ name, description }) => [name, description]);
    expect(described).toEqual(Object.entries(memberRoles).map(([name, { allows }]) => [name, `${allows}.`]));
  });

  test('is the only one with the fields of members', () => {
    for (const name of ['createOwnKey', 'inviteMember', 'createPlanRequest']) {
      expect([name, admin.getMutationType()?.getFields()[name], published.getMutationType()?.getFields()[name]]).toEqual([
        name,
        undefined,
        undefined,
      ]);
    }
  });
});

test('a session of the portal reads nothing of the admin or internal schema', async () => {
  const member = await createMember(platform);
  const documents = [
    '{ accounts { nodes { id } } }',
    '{ apiKeys { nodes { id } } }',
    '{ auditEntries { nodes { id } } }',
    '{ administrators { nodes { email } } }',
    '{ portalUsers { nodes { email } } }',
    '{ hasAdministrators }',
    '{ accountsHistory(first: 1) { id } }',
    '{ openRequestCounts { planRequests } }',
    '{ member { account { contracts { id } members { id } keys { nodes { id } } history { nodes { id } } } } }',
    '{ accountMembers { user { email } } }',
    'mutation { issueApiKey(input: { accountName: "x", plan: "free" }) { key } }',
    'mutation { createSetupLink { setupPath } }',
    '{ __type(name: "Administrator") { name } }',
  ];
  for (const document of documents) {
    const { body } = await member.graphql(document);
    const code = body.errors?.[0]?.extensions.code ?? (body.data.__type === null ? 'GRAPHQL_VALIDATION_FAILED' : 'visible');
    expect([document, code]).toEqual([document, 'GRAPHQL_VALIDATION_FAILED']);
  }
  const names = (await member.run('{ __schema { types { name } } }')).__schema.types.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => /Administrator|OpenSession|AuditEntry|DeadLetter/.test(name))).toEqual([]);
  for (const path of ['/admin/graphql', '/internal/graph/worker', '/internal/graph/accounts']) {
    const response = await postSameOrigin(
      platform.graphqlUrl,
      path,
      { query: '{ accounts { nodes { id } } }' },
      {
        cookie: member.cookie,
        'x-account-id': member.accountId,
      },
    ).catch(() => ({ status: 404 }));
    expect([path, [401, 403, 404].includes(response.status)]).toEqual([path, true]);
  }
});

test('the public API ignores the cookie of the portal', async () => {
  const member = await createMember(platform);
  const response = await fetch(`${platform.restUrl}/api/v1/me`, {
    headers: { cookie: member.cookie, 'x-account-id': member.accountId },
  });
  expect(response.status).toBe(401);
});

describe('of all mutations of the portal', () => {
  const mutations = portal.getMutationType();
  if (!isObjectType(mutations)) throw new Error('The portal has no mutations.');
  const rights = (name: string) => accessRulesOf(portal).of(mutations, name);
  const all = Object.keys(mutations.getFields());
  const added = all.filter((name) => published.getMutationType()?.getFields()[name] === undefined);
  const allowed = (role: MemberRole, writes = true): string[] => {
    const member = { userId: '', role, address: '' };
    const viewer = memberViewer(member, { accountId: '', plan: '', writes });
    return all.filter((name) => rights(name).every((rule) => satisfies(viewer, rule)));
  };

  /** Mutations of a role, in addition to those of the roles below. */
  const table = {
    VIEWER: ['endOwnSession', 'leaveAccount', 'updateOwnProfile'],
    DEVELOPER: ['createOwnKey', 'disableOwnKey', 'enableOwnKey', 'revokeOwnKey', 'rotateOwnKey', 'updateOwnKey'],
    OWNER: [
      'changeMemberRole',
      'createPlanRequest',
      'createVerificationRequest',
      'inviteMember',
      'removeMember',
      'updateBillingData',
      'withdrawInvitation',
      'withdrawPlanRequest',
      'withdrawVerificationRequest',
    ],
  } as const;
  const expected = {
    VIEWER: [...table.VIEWER],
    DEVELOPER: [...table.VIEWER, ...table.DEVELOPER],
    OWNER: [...table.VIEWER, ...table.DEVELOPER, ...table.OWNER],
  };

  test.each(memberRoleNames)('the role %s runs those of the table', (role) => {
    expect(
      allowed(role)
        .filter((name) => added.includes(name))
        .sort(),
    ).toEqual([...expected[role]].sort());
  });

  test('each has a rule', () => {
    expect([...expected.OWNER].sort()).toEqual([...added].sort());
    expect(added.filter((name) => rights(name).length === 0)).toEqual([]);
  });

  test('a viewer writes no data, no role moderates, and writes require a plan with write access', () => {
    const open = ['createReport'];
    expect(allowed('VIEWER').filter((name) => !added.includes(name))).toEqual(open);
    expect(allowed('OWNER')).not.toContain('verifyOrganization');
    expect(allowed('OWNER', false).filter((name) => !added.includes(name))).toEqual(open);
    expect(memberScopes('OWNER', true)).not.toContain('minors:read');
  });

  test('the rules apply over HTTP', async () => {
    const owner = await createMember(platform);
    expect(await owner.codeOf('mutation { deleteTestData { deleted } }')).toBe('write_not_in_plan');
    const viewer = await createMember(platform, { role: 'VIEWER', accountId: owner.accountId });
    const developer = await createMember(platform, { role: 'DEVELOPER', accountId: owner.accountId });
    const createKey = 'mutation { createOwnKey(input: { name: "k" }) { key } }';
    const invite = 'mutation { inviteMember(email: "x@example.com", role: OWNER) { setupPath } }';
    const codes = (member: MemberClient) => Promise.all([member.codeOf(createKey), member.codeOf(invite)]);
    expect(await codes(viewer)).toEqual(['insufficient_scope', 'insufficient_scope']);
    expect(await codes(developer)).toEqual([null, 'insufficient_scope']);
    expect(await codes(owner)).toEqual([null, null]);
    const { body } = await viewer.graphql(createKey);
    expect(body.errors[0].message).toBe('The role VIEWER lacks the scope keys:write. Required role: OWNER or DEVELOPER.');
    const write = 'mutation { createShortlist(input: { name: "x" }) { id } }';
    expect([await viewer.codeOf(write), await owner.codeOf(write)]).toEqual(['insufficient_scope', 'write_not_in_plan']);
  });
});
