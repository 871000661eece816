/** Compiled queries return what graphql-js returns, for all combinations of conditions, values and resolver errors. */
import { expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { buildSchema, execute, isObjectType, parse, type ExecutionResult, type GraphQLError } from 'graphql';
import { Problem } from '../../../schema/errors.ts';
import { createCompiledQueries } from '../../../subgraphs/runtime/compiled-queries.ts';

const schema = buildSchema(`
  input Filter { a: Int, b: [String!], c: Boolean, inner: Inner }
  input Inner { d: Int, inner: [Int] }
  type Query { recursive(of: Recursive): String, one(n: Int, list: [Int], filter: Filter): Thing, many(first: Int = 3): [Thing], all: [Thing!]!, echo(filter: Filter, n: Int = 7, first: Int! = 2): String }
  type Thing { id: ID!, inner: Thing, needed: Thing!, tags: [String!], grid: [[Int!]], maybe: Kind, name: String }
  input Recursive { of: [Recursive] }
  enum Kind { RED GREEN }
`);

const text = `
  query ($a: Boolean!, $b: Boolean! = true, $c: Boolean = false, $n: Int, $filter: Filter, $x: Boolean) {
    one(n: $n, filter: $filter) { ...Whole @include(if: $a) ...Whole @skip(if: $b) inner @include(if: $c) { id } __typename }
    two: one { ...Whole }
    many @skip(if: $c) { id inner { ... @include(if: $b) { id needed { name } } ... on Thing @skip(if: $a) { tags } } needed @include(if: $c) { grid } }
    all { maybe grid tags @include(if: true) name @skip(if: true) needed { id ... { id name @include(if: $a) @skip(if: $b) } } }
    echo(filter: { a: $n, c: $x, inner: { d: $n } }, n: $n)
  }
  fragment Whole on Thing { id inner { id needed @include(if: $c) { id } } maybe tags }
`;

/** Ways in which a resolver can fail. */
const ways = {
  throws: () => {
    throw new Problem('conflict', 'no');
  },
  rejects: () => Promise.reject(new Problem('not_found', 'gone')),
  'throws a value other than an error': () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- libraries do
    throw 'text';
  },
  'is an error': () => new Problem('internal', 'value'),
  'is null': () => null,
  'is null later': () => Promise.resolve(null),
  'is nothing': () => undefined,
  'is a value of another type': () => ({}),
} as const;
type Way = keyof typeof ways;

const places = [
  'Thing.id',
  'Thing.inner',
  'Thing.needed',
  'Thing.tags',
  'Thing.grid',
  'Thing.maybe',
  'Query.one',
  'Query.many',
  'Query.all',
];

/** Which resolvers fail, and how; each fails at every second call. */
let violations: Readonly<Record<string, Way>> = {};
let calls = new Map<string, number>();

const values: Readonly<Record<string, unknown>> = {
  id: '1',
  inner: {},
  needed: {},
  tags: ['a', 'b'],
  grid: [[1, 2], [3]],
  maybe: 'RED',
  one: {},
  many: [{}, null, {}],
  all: [{}, {}],
};
for (const type of [schema.getType('Query'), schema.getType('Thing')]) {
  if (!isObjectType(type)) throw new Error('no such type');
  for (const field of Object.values(type.getFields())) {
    if (field.name === 'name') continue;
    const place = `${type.name}.${field.name}`;
    field.resolve = (_, given) => {
      if (field.name === 'echo') return JSON.stringify(given, (__, value: unknown) => value ?? undefined);
      const call = (calls.get(place) ?? 0) + 1;
      calls.set(place, call);
      const way = violations[place];
      if (way !== undefined && call % 2 === 0) return ways[way]();
      return call % 3 === 0 ? Promise.resolve(values[field.name]) : values[field.name];
    };
  }
}

/** Each value that an error made null, once. */
function nulls({ data, errors = [] }: ExecutionResult): string[] {
  const found = errors.map(({ path = [] }) => {
    let value: unknown = data;
    const place = path.filter((key) => {
      const isThere = value !== null && value !== undefined;
      if (isThere) value = (value as Record<string | number, unknown>)[key];
      return isThere;
    });
    return place.join('.');
  });
  return [...new Set(found)].sort();
}

/** Errors with a code; graphql-jit omits empty extensions. */
const codes = ({ errors = [] }: ExecutionResult): string[] => {
  const summaries = (errors as readonly Partial<GraphQLError>[]).map(({ message, extensions: { code } = {} }) =>
    typeof code === 'string' ? `${code}: ${message}` : 'internal',
  );
  return [...new Set(summaries)];
};

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(fc.option(arbitrary, { nil: null }), { nil: undefined });
const filters = fc.record(
  { a: fc.integer({ min: 0, max: 9 }), b: fc.array(fc.string(), { maxLength: 2 }), c: fc.boolean() },
  { requiredKeys: [] },
);
const variables = fc
  .record(
    {
      a: fc.boolean(),
      b: fc.boolean(),
      c: fc.boolean(),
      n: optional(fc.integer({ min: 0, max: 9 })),
      x: optional(fc.boolean()),
      filter: optional(filters),
    },
    { requiredKeys: ['a'] },
  )
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
const violationsArbitrary = fc.dictionary(fc.constantFrom(...places), fc.constantFrom(...(Object.keys(ways) as Way[])), {
  maxKeys: 3,
});

test('conditions, absent values and resolver errors return the same', async () => {
  const document = parse(text, { noLocation: true });
  const queries = createCompiledQueries(schema);
  await queries.run({ query: text, variables: { a: true }, operationName: null }, {});
  await fc.assert(
    fc.asyncProperty(variables, violationsArbitrary, async (given, failing) => {
      violations = failing;
      calls = new Map();
      const compiled = await queries.run({ query: text, variables: given, operationName: null }, {});
      calls = new Map();
      const interpreted = await execute({ schema, document, variableValues: given });
      // such a rejection fails this test and no later one
      await setImmediate();
      if (compiled === null) {
        // the caller executes it with graphql-js
        expect(Object.values(failing)).toContain('is a value of another type');
        return;
      }
      expect(JSON.stringify(compiled.data)).toBe(JSON.stringify(interpreted.data));
      expect(nulls(compiled)).toEqual(nulls(interpreted));
      // of several errors for one null, the first is reported, and which one is first is random
      if (Object.keys(failing).length === 1) expect(codes(compiled)).toEqual(codes(interpreted));
    }),
    // graphql-js abandons the promises of a list when one item throws: a later rejection would end the process
    { seed: 2, numRuns: 500 },
  );
});

test('a recursive input type is not compiled and does not block the process', async () => {
  const queries = createCompiledQueries(schema);
  const send = () =>
    queries.run({ query: 'query ($of: Recursive) { recursive(of: $of) }', variables: { of: {} }, operationName: null }, {});
  expect([await send(), await send()]).toEqual([null, null]);
});

test('a text that does not match the schema runs on graphql-js, which reports the error', async () => {
  const queries = createCompiledQueries(schema);
  const send = () => queries.run({ query: '{ one { nothing } }', variables: {}, operationName: null }, {});
  expect([await send(), await send()]).toEqual([null, null]);
});
