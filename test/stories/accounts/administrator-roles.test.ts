/** The rights of each role: all mutations of the admin schema, and the management of administrators. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, isEnumType } from 'graphql';
import { accessRulesOf, satisfies } from '../../../router/operations/access-rules.ts';
import { loadSupergraph } from '../../../router/supergraph.ts';
import { administratorViewer } from '../../../schema/viewer.ts';
import { roleNames, roles, type Role } from '../../../schema/roles.ts';
import { invite } from '../../administrator.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const schema = buildSchema(loadSupergraph().schemas.admin, { assumeValid: true });

const mutations = schema.getMutationType();
if (!mutations) throw new Error('The admin schema has no mutations.');
/** The access rules of a mutation. */
const mutationRights = (name: string) => accessRulesOf(schema).of(mutations, name);

/** Mutations for all keys; administrators have no account, so the area denies them. */
const ofKeys = Object.keys(mutations.getFields()).filter((name) => mutationRights(name).every(({ anyOf }) => anyOf.length === 0));
const all = Object.keys(mutations.getFields()).filter((name) => !ofKeys.includes(name));

/** The mutations that a role can run. */
function mutationsOf(role: Role): string[] {
  const viewer = administratorViewer({ id: '', role, address: '' });
  return all.filter((name) => mutationRights(name).every((right) => satisfies(viewer, right)));
}

test('the schema has the roles of the table with their descriptions', () => {
  const type = schema.getType('AdministratorRole');
  if (!isEnumType(type)) throw new Error('AdministratorRole is not an enum.');
  const described = type.getValues().map(({ name, description }) => [name, description]);
  expect(described).toEqual(Object.entries(roles).map(([name, { allows }]) => [name, `${allows}.`]));
});

describe('of all mutations of the admin schema', () => {
  test('a viewer can run none, an owner all', () => {
    expect(all.length).toBeGreaterThan(50);
    expect(mutationsOf('VIEWER')).toEqual([]);
    expect(mutationsOf('OWNER')).toEqual(all);
  });

  test('a moderator can run those that require only moderation:write', () => {
    const opens = (name: string): boolean =>
      mutationRights(name).every(({ anyOf }) => anyOf.some((scopes) => scopes.every((scope) => scope === 'moderation:write')));
    expect(mutationsOf('MODERATOR')).toEqual(all.filter(opens));
    expect(mutationsOf('MODERATOR')).toContain('verifyOrganization');
  });

  test('those for all keys require an account, which administrators do not have', async () => {
    expect(ofKeys).toEqual(['createReport']);
    const owner = await platform.administrator('OWNER');
    const input = { subjectType: 'ATHLETE', subjectId: owner.id, category: 'OTHER', text: 'Not for administrators.' };
    const response = await owner.graphql('mutation ($input: CreateReportInput!) { createReport(input: $input) { id } }', {
      input,
    });
    expect(response.body.errors[0].extensions.code).toBe('api_key_missing');
    const deletion = await owner.graphql('mutation { deleteTestData { deleted } }');
    expect(deletion.body.errors[0].extensions.code).toBe('conflict');
  });

  test('the role ADMIN can run all except those for administrators and the erasure of portal users', () => {
    const others = all.filter((name) => !/Administrator|^erasePortalUser$/.test(name));
    expect(mutationsOf('ADMIN')).toEqual(others);
  });
});

describe('the management of administrators', () => {
  const codeOf = ({ body }: { body: { errors?: { extensions: { code: string } }[] } }) => body.errors?.[0]?.extensions.code;
  const inviting = `mutation ($input: InviteAdministratorInput!) {
    inviteAdministrator(input: $input) { setupPath expiresAt administrator { id email role status signsInBy lastSignedInAt } }
  }`;
  const disable = 'mutation ($id: ID!) { disableAdministrator(id: $id, reason: "left") { status } }';
  const update = `mutation ($id: ID!, $input: UpdateAdministratorInput!, $ifMatch: String!) {
    updateAdministrator(id: $id, input: $input, ifMatch: $ifMatch) { name role version }
  }`;

  test('requires the role OWNER', async () => {
    for (const role of roleNames) {
      const administrator = await platform.administrator(role);
      const input = { email: `by-${role}@example.com`, name: 'New', role: 'VIEWER' };
      const response = await administrator.graphql(inviting, { input });
      expect([role, codeOf(response)]).toEqual([role, role === 'OWNER' ? undefined : 'insufficient_scope']);
    }
    const { administrators } = await platform.administer(
      '{ administrators(first: 100, filter: { q: "by-" }) { nodes { email status } } }',
    );
    expect(administrators).toEqual({ nodes: [{ email: 'by-OWNER@example.com', status: 'INVITED' }] });
  });

  test('accepts an email address once in any spelling and rejects invalid input', async () => {
    const owner = await platform.administrator('OWNER');
    const input = { email: 'twice@example.com', name: 'Twice', role: 'VIEWER' };
    expect((await owner.graphql(inviting, { input })).body.data.inviteAdministrator.administrator).toMatchObject({
      status: 'INVITED',
      signsInBy: null,
      lastSignedInAt: null,
    });
    expect(codeOf(await owner.graphql(inviting, { input: { ...input, email: 'Twice@Example.com' } }))).toBe('conflict');
    for (const invalid of [
      { email: 'nobody' },
      { name: ' ' },
      { name: 'a\u0000b' },
      { name: 'x'.repeat(201) },
      { role: 'ROOT' },
    ]) {
      const response = await owner.graphql(inviting, { input: { ...input, email: 'new@example.com', ...invalid } });
      expect([invalid, response.body.data ?? null]).toEqual([invalid, null]);
    }
  });

  test('checks the version of a change', async () => {
    const owner = await platform.administrator('OWNER');
    const { id } = await platform.administrator('VIEWER');
    const changed = await owner.graphql(update, { id, ifMatch: '*', input: { name: 'Renamed', role: 'MODERATOR' } });
    const { version } = changed.body.data.updateAdministrator;
    expect(changed.body.data.updateAdministrator).toMatchObject({ name: 'Renamed', role: 'MODERATOR' });
    expect(codeOf(await owner.graphql(update, { id, ifMatch: String(version - 1), input: { name: 'Late' } }))).toBe(
      'precondition_failed',
    );
    expect((await owner.graphql(update, { id, ifMatch: String(version), input: {} })).body.data.updateAdministrator.version).toBe(
      version,
    );
  });

  test('keeps one of two last owners who disable each other concurrently', async () => {
    const ids = async (): Promise<string[]> => {
      const { administrators } = await platform.administer(
        '{ administrators(first: 100, filter: { role: [OWNER], status: [ACTIVE] }) { nodes { id } } }',
      );
      return (administrators as { nodes: { id: string }[] }).nodes.map(({ id }) => id);
    };
    const [ada, grace] = [await platform.administrator('OWNER'), await platform.administrator('OWNER')];
    for (const id of await ids()) if (id !== ada.id && id !== grace.id) await ada.graphql(disable, { id });
    await invite(platform.administer, 'OWNER', 'not-yet@example.com');
    const input = { role: 'ADMIN' };
    const responses = await Promise.all([
      ada.graphql(disable, { id: grace.id }),
      grace.graphql(update, { id: ada.id, ifMatch: '*', input }),
    ]);
    const left = await ids();
    expect(left).toHaveLength(1);
    const last = left[0] === ada.id ? ada : grace;
    expect(responses.filter(({ body }) => body.errors === undefined)).toHaveLength(1);
    expect(codeOf(await last.graphql(disable, { id: last.id }))).toBe('conflict');
    expect(codeOf(await last.graphql(update, { id: last.id, ifMatch: '*', input }))).toBe('conflict');
    await expect(platform.administer(disable, { id: last.id })).rejects.toThrow('last active owner');
  });

  test('no schema for administrators or keys contains the session fields of the router', async () => {
    const owner = await platform.administrator('OWNER');
    for (const document of ['{ hasAdministrators }', 'mutation { createSetupLink { setupPath } }']) {
      expect(codeOf(await owner.graphql(document))).toBe('GRAPHQL_VALIDATION_FAILED');
      expect(codeOf(await platform.anonymous.graphql(document))).toBe('GRAPHQL_VALIDATION_FAILED');
    }
  });
});
