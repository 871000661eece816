/** The generated schemas are current and contain no internal elements. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, Kind, parse, validateSchema } from 'graphql';
import type { DefinitionNode, FieldDefinitionNode } from 'graphql';
import { schemaFiles } from '../../schema/build.ts';
import { commonTypeDefs } from '../../schema/build/common.ts';
import { composeAreas } from '../../schema/build/compose.ts';
import { printForAudience } from '../../schema/build/print.ts';

const compose = (...areas: string[]) =>
  composeAreas(areas.map((own, index) => ({ name: `area${index}`, own, typeDefs: `${commonTypeDefs()}\n${own}` })));

const small = (fields: string, rest = ''): string => `
  type Query { "Things." things: [Thing!] ${fields} }
  "A thing." type Thing @key(fields: "id") { "Id." id: ID! "Name." name: String }
  ${rest}`;

describe('the printed schemas', () => {
  test('the public schema contains nothing of administration and areas', () => {
    const own = small(
      `"Overview." overview: Overview @tag(name: "admin")
       "Facts." facts: Facts @tag(name: "internal")
       "Search." search("Text." q: String "Deleted too." deleted: Boolean @tag(name: "admin")): [Thing!]
       "By." by("How." by: By!): Thing`,
      `"Overview." type Overview @tag(name: "admin") { "Part." part: OverviewPart! "State." state: OverviewState! }
       "Part." type OverviewPart { "Keys." keys: Int! }
       "State." enum OverviewState { "Good." WELL }
       "Facts." type Facts @tag(name: "internal") { "Owner." owner: ID! }
       "By." input By @oneOf { "Id." id: ID "Secret." secretly: String @tag(name: "admin") }
       type Mutation { "Audit." audit: Boolean @tag(name: "admin") }`,
    );
    const supergraphSdl = compose(own);
    const visible = printForAudience(supergraphSdl, 'api');
    expect(visible).not.toMatch(/overview|facts|deleted: Boolean\)|secretly|audit|WELL|Mutation|tag|inaccessible|join__|link/i);
    expect(visible).toContain('input By @oneOf');
    const admin = printForAudience(supergraphSdl, 'admin');
    expect(admin).toMatch(/OverviewPart[\s\S]*WELL/);
    expect(admin).not.toMatch(/facts/i);
    expect(printForAudience(supergraphSdl, 'internal')).toContain('facts: Facts');
    for (const text of [visible, admin]) expect(validateSchema(buildSchema(text))).toEqual([]);
  });

  test('a visible field of a hidden type is rejected by name', () => {
    const supergraphSdl = compose(small('"Open." open: Hidden', '"Hidden." type Hidden @tag(name: "admin") { "A." a: Int }'));
    expect(() => printForAudience(supergraphSdl, 'api')).toThrow('Query refers to Hidden');
  });

  test('the public schema contains scopes and ranges', () => {
    const own = small(
      '"Some." some("How many." first: Int = 20 @range(min: 1, max: 100)): Int @requiresScopes(scopes: [["athletes:write"]])',
    );
    const supergraphSdl = compose(own);
    const visible = printForAudience(supergraphSdl, 'api');
    expect(visible).toContain('first: Int = 20 @range(min: 1, max: 100)');
    expect(visible).toContain('@requiresScopes(scopes: [["athletes:write"]])');
    expect(visible).toContain('directive @requiresScopes(scopes: [[String!]!]!)');
  });
});

describe('schema rules', () => {
  test.each([
    [
      'a field without description',
      small('bare("N." n: Int bad: Int): Int'),
      'Query.bare has no description\n- Query.bare(bad:) has no description',
    ],
    [
      'a scope on a non-nullable field',
      small('', 'extend type Thing { "S." secret: String! @authenticated }'),
      'Thing.secret requires rights',
    ],
    ['a root field of Query that cannot be null', small('"All." all: [Thing!]!'), 'Query.all is non-null'],
    ['a right on a type', small('"A." a: A', '"A." type A @authenticated { "B." b: Int }'), 'A has a rights directive'],
    [
      '@requires',
      small(
        '',
        '"O." type Other @key(fields: "id") { "Id." id: ID! @external "N." n: Int @external "M." m("A." a: Int): Int @requires(fields: "n") }',
      ),
      '@requires is not supported by the query planner below an entity of the same type',
    ],
    [
      '@requires that names a field with arguments',
      small(
        '',
        '"O." type Other @key(fields: "id") { "Id." id: ID! @external "M." m("A." a: Int): Int @external "N." n: Int @requires(fields: "m(a: 1)") }',
      ),
      'Other.n: @requires names m, which has arguments',
    ],
    [
      'a context',
      small('', '"O." type Other @context(name: "o") { "N." n("A." a: Int @fromContext(field: "$o { n }")): Int }'),
      '@context is not supported by the router: use an argument, or a field that the area can read by its key',
    ],
    [
      'a directive with its namespaced name, which other rules do not match',
      small('', '"O." type Other { "S." s: String! @federation__authenticated }'),
      '@federation__authenticated must be imported as @authenticated',
    ],
    [
      'an override by a label',
      small('', '"O." type Other @key(fields: "id") { "N." n: Int @override(from: "area1", label: "percent(5)") }'),
      '@override has a label',
    ],
    ['a subscription', small('', 'type Subscription { "T." things: [Thing!] }'), 'Subscription: the router serves none'],
    ['a scalar of an area', small('"T." t: Time', 'scalar Time'), 'scalar Time: declare scalars in schema/scalars.ts'],
    [
      'a protected field in a key',
      small('"O." o: O', '"O." type O @key(fields: "hidden") { "H." hidden: ID @authenticated }'),
      'O: @key names hidden',
    ],
  ])('%s is rejected', (_, own, message) => {
    expect(() => compose(own)).toThrow(message);
  });

  test('the public schema declares @defer and @stream, which no area knows', () => {
    const supergraphSdl = compose(small(''));
    expect(supergraphSdl).not.toMatch(/directive @(defer|stream)/);
    const declared = (audience: 'api' | 'admin' | 'internal') =>
      printForAudience(supergraphSdl, audience).match(/(?<=directive )@(defer|stream)/g);
    expect([declared('api'), declared('admin'), declared('internal')]).toEqual([['@defer', '@stream'], null, null]);
  });
});

describe('the committed schemas', () => {
  const files = schemaFiles();

  test('equal the composition of the areas', () => {
    const stale = [...files].filter(([file, text]) => readFileSync(file, 'utf8') !== text).map(([file]) => file);
    expect(stale).toEqual([]);
  });

  test('the public schema contains nothing that is tagged as internal', () => {
    const text = (name: string): string => [...files].find(([file]) => file.endsWith(`/${name}.graphql`))?.[1] ?? '';
    const isTagged = (node: DefinitionNode | FieldDefinitionNode): boolean =>
      'directives' in node && node.directives.some(({ name }) => name.value === 'tag');
    const coordinates = (sdl: string, keep: (node: DefinitionNode | FieldDefinitionNode) => boolean): string[] =>
      parse(sdl).definitions.flatMap((definition) => {
        if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return [];
        const { value: type } = definition.name;
        const fields = (definition.fields ?? []).filter(keep).map(({ name }) => `${type}.${name.value}`);
        return keep(definition) ? [type, ...fields] : fields;
      });
    const hidden = coordinates(text('supergraph'), isTagged);
    const visible = new Set(coordinates(text('api'), () => true));
    expect(hidden.length).toBeGreaterThan(0);
    expect(hidden.filter((coordinate) => visible.has(coordinate))).toEqual([]);
    expect(validateSchema(buildSchema(text('api')))).toEqual([]);
  });
});
