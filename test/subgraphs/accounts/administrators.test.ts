/** The accounts area checks access to administration itself, independently of the router. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { getNamedType, isEnumType, isInputObjectType, isListType, isNonNullType, isObjectType, parse } from 'graphql';
import type { GraphQLInputType, GraphQLObjectType } from 'graphql';
import { areaFolder, areaTypeDefs } from '../../../schema/type-defs.ts';
import { administratorViewer, ANONYMOUS, SYSTEM, type Viewer } from '../../../schema/viewer.ts';
import type { Role } from '../../../schema/roles.ts';
import { openTestArea, type TestArea } from './test-area.ts';

let area: TestArea;
beforeAll(async () => {
  area = await openTestArea();
});
afterAll(() => area.close());

const schema = buildSubgraphSchema({ typeDefs: parse(areaTypeDefs('accounts')) });

const scalars: Readonly<Record<string, unknown>> = {
  ID: '01980000-0000-7000-8000-000000000000',
  Int: 1,
  SafeInt: 1,
  Boolean: false,
  DateTime: '2030-01-01T00:00:00Z',
};

/** The minimal valid value of a type. */
function minimalValue(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return minimalValue(type.ofType);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (!isInputObjectType(type)) return scalars[type.name] ?? 'x';
  const required = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
  return Object.fromEntries(required.map((field) => [field.name, minimalValue(field.type)]));
}

/** Selects a root field with minimal arguments. Returns the error codes. */
async function codesOf(root: GraphQLObjectType, name: string, viewer: Viewer): Promise<readonly unknown[]> {
  const field = root.getFields()[name];
  if (!field) throw new Error(`Unknown field ${name}`);
  const required = field.args.filter((each) => isNonNullType(each.type) && each.defaultValue === undefined);
  const declared = required.map((each) => `$${each.name}: ${String(each.type)}`).join(', ');
  const given = required.map((each) => `${each.name}: $${each.name}`).join(', ');
  const text = `${root.name.toLowerCase()} ${declared && `(${declared})`} { ${name} ${given && `(${given})`} ${isObjectType(getNamedType(field.type)) ? '{ __typename }' : ''} }`;
  const variables = Object.fromEntries(required.map((each) => [each.name, minimalValue(each.type)]));
  return (await area.run(text, variables, viewer)).codes;
}

const as = (role: Role): Viewer => administratorViewer({ id: scalars['ID'] as string, role, address: '203.0.113.1' });
const key: Viewer = {
  ...ANONYMOUS,
  kind: 'KEY',
  accountId: scalars['ID'] as string,
  keyId: 'sp_live_000000000000',
  scopes: ['moderation:write'],
};

/** A root type of the area. */
function rootOf(type: GraphQLObjectType | null | undefined): GraphQLObjectType {
  if (!type) throw new Error('The area does not define this root type.');
  return type;
}
const query = rootOf(schema.getQueryType());
const mutation = rootOf(schema.getMutationType());

/** The root fields that an SDL file defines. */
function fieldsOf(file: string): (readonly [GraphQLObjectType, string])[] {
  const text = readFileSync(join(areaFolder('accounts'), file), 'utf8');
  return parse(text).definitions.flatMap((definition) => {
    if (!('fields' in definition)) return [];
    const root = [query, mutation].find(({ name }) => name === definition.name.value);
    return root ? (definition.fields ?? []).map(({ name }) => [root, name.value] as const) : [];
  });
}

describe('root fields for the router', () => {
  const internal = fieldsOf('sign-in/schema.graphql');
  test.each([
    ['anonymous', ANONYMOUS],
    ['a key', key],
    ['an owner', as('OWNER')],
  ])('are denied to %s', async (_, viewer) => {
    expect(internal.length).toBeGreaterThan(9);
    for (const [root, name] of internal)
      expect([name, await codesOf(root, name, viewer)]).toEqual([name, ['insufficient_scope']]);
  });

  test('are available to the platform', async () => {
    for (const name of ['hasAdministrators', 'openSession']) expect(await codesOf(query, name, SYSTEM)).toEqual([]);
  });
});

describe('every mutation of accounts, keys, plans and administrators', () => {
  const admin = ['accounts', 'plans', 'api-keys', 'administrators']
    .flatMap((folder) => fieldsOf(`${folder}/schema.graphql`))
    .filter(([root]) => root === mutation);
  test.each([
    ['anonymous', ANONYMOUS, 'api_key_missing'],
    ['a key', key, 'insufficient_scope'],
    ['a viewer', as('VIEWER'), 'insufficient_scope'],
    ['a moderator', as('MODERATOR'), 'insufficient_scope'],
  ])('are denied to %s', async (_, viewer, code) => {
    expect(admin.length).toBeGreaterThan(20);
    for (const [root, name] of admin) expect([name, await codesOf(root, name, viewer)]).toEqual([name, [code]]);
  });

  test('is denied to an admin if it manages administrators, and allowed otherwise', async () => {
    for (const [root, name] of admin) {
      const denied = (await codesOf(root, name, as('ADMIN'))).includes('insufficient_scope');
      expect([name, denied]).toEqual([name, name.includes('Administrator')]);
    }
  });
});
