/** The graph over a small federation: joins, access rules and limits. */
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { roles } from '../../schema/roles.ts';
import { ANONYMOUS, SYSTEM } from '../../schema/viewer.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Scope } from '../../schema/scopes.ts';
import { Problem } from '../../schema/errors.ts';
import type { WriteAccess } from '../../router/admission/rejection.ts';
import type { Execution } from '../../router/executor/executor.ts';
import { createSmallFederation } from './small-federation.ts';

const platform = createSmallFederation();
afterAll(() => platform.graph.close());
beforeEach(() => {
  platform.fetches.length = 0;
  platform.broken.clear();
});

const holder = (...scopes: Scope[]): Viewer => ({ kind: 'KEY', accountId: 'x', keyId: 'k', plan: 'pro', scopes, sport: null });

function run(
  text: string,
  viewer: Viewer = ANONYMOUS,
  variables: Record<string, unknown> = {},
  writes: WriteAccess = 'ALLOWED',
): Promise<Execution> {
  const operation = { text, operationName: null, audience: 'public' } as const;
  return platform.graph.execute(operation, { variables, viewer, writes, requestId: 'r' });
}

async function rejectionOf(response: Promise<unknown>): Promise<Problem> {
  try {
    await response;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('expected a rejection');
}

describe('joining areas', () => {
  test('sends one fetch per area and step, and merges the response notes of all areas', async () => {
    const response = await run('{ organizations { nodes { name athletes { displayName organization { name } } } } }');
    expect(response.errors).toEqual([]);
    expect(response.notes).toEqual({ person: true });
    expect(response.data).toEqual({
      organizations: {
        nodes: [
          {
            name: 'Alpha',
            athletes: [
              { displayName: 'Athlete a', organization: { name: 'Alpha' } },
              { displayName: 'Athlete b', organization: { name: 'Alpha' } },
            ],
          },
          { name: 'Beta', athletes: [{ displayName: 'Athlete a', organization: { name: 'Alpha' } }] },
        ],
      },
    });
    expect(platform.fetches.map(({ area }) => area)).toEqual(['organizations', 'athletes', 'organizations']);
  });

  test('an unavailable area leaves the rest of the response, with a platform error', async () => {
    platform.broken.set('athletes', new Problem('upstream_unavailable', 'athletes is unavailable.'));
    const response = await run('{ organization(id: "1") { name } athlete(id: "a") { displayName } }');
    expect(response.data).toEqual({ organization: { name: 'Alpha' }, athlete: null });
    expect(response.errors).toEqual([
      { message: 'athletes is unavailable.', path: ['athlete'], extensions: { code: 'upstream_unavailable' } },
    ]);
  });

  test('an unknown error of an area is reported without its message', async () => {
    platform.broken.set('athletes', new Error('password=hunter2'));
    const response = await run('{ athlete(id: "a") { displayName } }');
    expect(response.errors).toEqual([{ message: 'Internal error.', path: ['athlete'], extensions: { code: 'internal' } }]);
  });

  test('introspection returns only the public schema', async () => {
    const { data } = await run('{ __type(name: "Overview") { name } __schema { queryType { fields { name } } } }');
    expect(data?.['__type']).toBeNull();
    expect(JSON.stringify(data)).not.toContain('overview');
    expect(JSON.stringify(data)).not.toContain('facts');
  });

  test('a registered operation is planned in advance, and its optional parts depend on a variable', async () => {
    const text =
      'query one($id: ID!, $with: Boolean! = false) { organization(id: $id) { name athletes @include(if: $with) { displayName } } }';
    platform.graph.register(new Map([['one', () => text]]));
    await platform.graph.planRegistered();
    const run = (variables: Record<string, unknown>) =>
      platform.graph.execute({ id: 'one' }, { variables, viewer: ANONYMOUS, requestId: 'r' });
    expect((await run({ id: '2' })).data).toEqual({ organization: { name: 'Beta' } });
    expect(platform.fetches).toHaveLength(1);
    expect((await run({ id: '2', with: true })).data).toEqual({
      organization: { name: 'Beta', athletes: [{ displayName: 'Athlete a' }] },
    });
    expect(
      (await rejectionOf(platform.graph.execute({ id: 'two' }, { variables: {}, viewer: ANONYMOUS, requestId: 'r' }))).code,
    ).toBe('operation_unknown');
  });

  test('areas can use internal fields', async () => {
    const graph = platform.graph.internal(SYSTEM, 'r');
    expect(await graph('query ($id: ID!) { facts(id: $id) { name } }', { id: '2' })).toEqual({ facts: { name: 'Beta' } });
    expect((await rejectionOf(run('{ facts(id: "2") { name } }'))).code).toBe('operation_unknown');
    platform.broken.set('organizations', new Problem('upstream_unavailable', 'away'));
    expect((await rejectionOf(graph('{ facts(id: "2") { name } }'))).code).toBe('upstream_unavailable');
  });
});

describe('access rules', () => {
  const create = 'mutation { createOrganization(input: { name: "New" }) { name } }';

  test('a denied root field rejects the operation before any fetch', async () => {
    expect((await rejectionOf(run(create))).code).toBe('api_key_missing');
    expect((await rejectionOf(run(create, holder('athletes:write')))).code).toBe('insufficient_scope');
    expect((await rejectionOf(run(create, holder(), {}, 'NOT_IN_PLAN'))).code).toBe('write_not_in_plan');
    expect((await rejectionOf(run(create, holder('organizations:write'), {}, 'UNAVAILABLE'))).code).toBe('upstream_unavailable');
    expect((await rejectionOf(run('{ ...m } fragment m on Query { x: mine { id } }'))).code).toBe('api_key_missing');
    expect(platform.fetches).toEqual([]);
  });

  test('a key with the scope, an administrator and the system may run it', async () => {
    expect((await run(create, holder('organizations:write'))).data).toEqual({ createOrganization: { name: 'New' } });
    expect((await run('{ mine { secret } }', SYSTEM)).data).toEqual({ mine: [{ secret: 's1' }, { secret: 's2' }] });
    const administrator = { ...SYSTEM, kind: 'ADMINISTRATOR' as const };
    expect((await run('{ mine { id } }', { ...administrator, scopes: roles.VIEWER.scopes })).errors).toEqual([]);
    expect((await run(create, { ...administrator, scopes: roles.ADMIN.scopes })).errors).toEqual([]);
    expect((await rejectionOf(run(create, { ...administrator, scopes: roles.MODERATOR.scopes }))).code).toBe(
      'insufficient_scope',
    );
    expect((await run('{ athlete(id: "a") { notes } }', holder('scouting:read'))).data).toEqual({
      athlete: { notes: 'notes a' },
    });
  });

  test.each([
    [
      'plainly',
      '{ organization(id: "1") { name secret } }',
      { organization: { name: 'Alpha', secret: null } },
      ['organization', 'secret'],
    ],
    ['alone', '{ organization(id: "1") { secret } }', { organization: { secret: null } }, ['organization', 'secret']],
    ['by an alias', '{ o: organization(id: "1") { name: secret } }', { o: { name: null } }, ['o', 'name']],
    [
      'through fragments',
      '{ organization(id: "1") { ...a } } fragment a on Organization { ...b name } fragment b on Organization { x: secret }',
      { organization: { x: null, name: 'Alpha' } },
      ['organization', 'x'],
    ],
    [
      'through an interface',
      '{ named { name secret } }',
      {
        named: [
          { name: 'Alpha', secret: null },
          { name: 'Beta', secret: null },
          { name: 'Pia', secret: null },
        ],
      },
      ['named', 'secret'],
    ],
    [
      'through a type condition on an interface',
      '{ named { ... on Organization { secret } ... on Person { secret } } }',
      { named: [{ secret: null }, { secret: null }, { secret: 'open' }] },
      ['named', 'secret'],
    ],
    [
      'through a union',
      '{ either { ... on Named { s: secret } ... on Organization { name } } }',
      { either: [{ s: null, name: 'Alpha' }, { s: null, name: 'Beta' }, { s: null }] },
      ['either', 's'],
    ],
    [
      'in another area',
      '{ organization(id: "2") { athletes { displayName notes } } }',
      { organization: { athletes: [{ displayName: 'Athlete a', notes: null }] } },
      ['organization', 'athletes', 'notes'],
    ],
  ])('a denied nested field is null, reported and never fetched: %s', async (_, text, data, path) => {
    const response = await run(text, holder('athletes:write'));
    expect(response.data).toEqual(data);
    expect(response.errors).toHaveLength(1);
    expect(response.errors[0]).toMatchObject({ path, extensions: { code: 'insufficient_scope' } });
    for (const { query } of platform.fetches) expect(query).not.toMatch(/Organization\s*{[^}]*secret|notes/);
  });

  test('the same text returns the field to a viewer with access', async () => {
    const text = '{ organization(id: "1") { secret athletes { notes } } }';
    expect((await run(text)).errors).toHaveLength(2);
    expect((await run(text, holder('scouting:read'))).errors).toHaveLength(1);
    expect((await run(text, holder('moderation:write'))).errors).toHaveLength(0);
    expect((await run(text)).errors).toHaveLength(2);
  });
});

describe('constraints and variables', () => {
  test('every violated constraint is reported, in literals and in variables', async () => {
    const problem = await rejectionOf(
      run('query ($n: Int) { organizations(first: $n, tags: ["a", "b", "c"]) { nodes { id } } }', ANONYMOUS, { n: 101 }),
    );
    expect(problem.code).toBe('parameter_invalid');
    expect(problem.extensions.errors?.map(({ parameter }) => parameter)).toEqual(['organizations.first', 'organizations.tags']);
    const mutation = await rejectionOf(
      run('mutation { createOrganization(input: { name: "lower case and long" }) { id } }', holder('organizations:write')),
    );
    expect(mutation.code).toBe('validation_failed');
    expect(mutation.extensions.errors).toHaveLength(2);
    expect(platform.fetches).toEqual([]);
  });

  test('a variable of the wrong type is rejected by name', async () => {
    const problem = await rejectionOf(
      run('query ($n: Int) { organizations(first: $n) { nodes { id } } }', ANONYMOUS, { n: 'many' }),
    );
    expect(problem.code).toBe('parameter_invalid');
    expect(problem.extensions.errors?.[0]?.parameter).toBe('n');
  });

  test('the cost is one request per hundred entities, by the sizes of lists', () => {
    const cost = (text: string, variables = {}) =>
      platform.graph.cost({ text, operationName: null, audience: 'public' }, variables);
    expect(cost('{ organizations { nodes { id } } }')).toBe(1);
    expect(cost('query ($n: Int) { organizations(first: $n) { nodes { athletes { id } } } }', { n: 50 })).toBe(6);
    expect(cost('{ organization(id: "1") { id } }')).toBe(1);
  });
});
