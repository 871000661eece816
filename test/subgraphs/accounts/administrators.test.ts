/** The area decides by itself who may ask what of administrators: a router that erred would open nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { getNamedType, isEnumType, isInputObjectType, isListType, isNonNullType, isObjectType, parse } from 'graphql';
import type { GraphQLInputType, GraphQLObjectType } from 'graphql';
import { areaFolder, areaTypeDefs } from '../../../schema/type-defs.ts';
import { administratorViewer, ANONYMOUS, SYSTEM, type Viewer } from '../../../schema/viewer.ts';
import type { Role } from '../../../schema/roles.ts';
import { createWorld, type World } from './world.ts';

let platform: World;
beforeAll(async () => {
  platform = await createWorld();
});
afterAll(() => platform.close());

const schema = buildSubgraphSchema({ typeDefs: parse(areaTypeDefs('accounts')) });

const scalars: Readonly<Record<string, unknown>> = {
  ID: '01980000-0000-7000-8000-000000000000',
  Int: 1,
  SafeInt: 1,
  Boolean: false,
  DateTime: '2030-01-01T00:00:00Z',
};

/** The least value that a type accepts. */
function least(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return least(type.ofType);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (!isInputObjectType(type)) return scalars[type.name] ?? 'x';
  const required = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
  return Object.fromEntries(required.map((field) => [field.name, least(field.type)]));
}

/** Asks a root field with the least it needs. Returns the codes of the faults. */
async function codesOf(root: GraphQLObjectType, name: string, viewer: Viewer): Promise<readonly unknown[]> {
  const field = root.getFields()[name];
  if (!field) throw new Error(`no ${name}`);
  const required = field.args.filter((each) => isNonNullType(each.type) && each.defaultValue === undefined);
  const declared = required.map((each) => `$${each.name}: ${String(each.type)}`).join(', ');
  const given = required.map((each) => `${each.name}: $${each.name}`).join(', ');
  const text = `${root.name.toLowerCase()} ${declared && `(${declared})`} { ${name} ${given && `(${given})`} ${isObjectType(getNamedType(field.type)) ? '{ __typename }' : ''} }`;
  const variables = Object.fromEntries(required.map((each) => [each.name, least(each.type)]));
  return (await platform.ask(text, variables, viewer)).codes;
}

const as = (role: Role): Viewer => administratorViewer({ id: scalars['ID'] as string, role, address: '203.0.113.1' });
const key: Viewer = {
  ...ANONYMOUS,
  kind: 'KEY',
  accountId: scalars['ID'] as string,
  keyId: 'sp_live_000000000000',
  scopes: ['moderation:write'],
};

/** A root of the area. */
function rootOf(type: GraphQLObjectType | null | undefined): GraphQLObjectType {
  if (!type) throw new Error('The area has no such root.');
  return type;
}
const query = rootOf(schema.getQueryType());
const mutation = rootOf(schema.getMutationType());

/** The root fields that a file of the SDL adds. */
function fieldsOf(file: string): (readonly [GraphQLObjectType, string])[] {
  const text = readFileSync(join(areaFolder('accounts'), file), 'utf8');
  return parse(text).definitions.flatMap((definition) => {
    if (!('fields' in definition)) return [];
    const root = [query, mutation].find(({ name }) => name === definition.name.value);
    return root ? (definition.fields ?? []).map(({ name }) => [root, name.value] as const) : [];
  });
}

describe('what only the router asks', () => {
  const internal = fieldsOf('sign-in/schema.graphql');
  test.each([
    ['anonymous', ANONYMOUS],
    ['a key', key],
    ['an owner', as('OWNER')],
  ])('is refused to %s', async (_, viewer) => {
    expect(internal.length).toBeGreaterThan(9);
    for (const [root, name] of internal)
      expect([name, await codesOf(root, name, viewer)]).toEqual([name, ['insufficient_scope']]);
  });

  test('is answered to the platform', async () => {
    for (const name of ['hasAdministrators', 'openSession']) expect(await codesOf(query, name, SYSTEM)).toEqual([]);
  });
});

describe('every mutation of accounts, keys, plans and administrators', () => {
  const admin = ['accounts', 'plans', 'api-keys', 'administrators']
    .flatMap((resource) => fieldsOf(`${resource}/schema.graphql`))
    .filter(([root]) => root === mutation);
  test.each([
    ['anonymous', ANONYMOUS, 'api_key_missing'],
    ['a key', key, 'insufficient_scope'],
    ['a viewer', as('VIEWER'), 'insufficient_scope'],
    ['a moderator', as('MODERATOR'), 'insufficient_scope'],
  ])('is refused to %s', async (_, viewer, code) => {
    expect(admin.length).toBeGreaterThan(20);
    for (const [root, name] of admin) expect([name, await codesOf(root, name, viewer)]).toEqual([name, [code]]);
  });

  test('about administrators is refused to an admin, and the others are not', async () => {
    for (const [root, name] of admin) {
      const refused = (await codesOf(root, name, as('ADMIN'))).includes('insufficient_scope');
      expect([name, refused]).toEqual([name, name.includes('Administrator')]);
    }
  });
});
