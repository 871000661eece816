/** Annotated operations become routes, and invalid ones are reported. */
import { expect, test } from '@jest/globals';
import { getNamedType, isLeafType, isObjectType, parse, specifiedRules, validate } from 'graphql';
import { documentsOf, loadOperations, readOperations } from '../../rest-bridge/operations/load-operations.ts';
import { collectionsOf } from '../../rest-bridge/responses/response.ts';
import { loadSupergraph } from '../../router/supergraph.ts';
import { executableSchema } from '../../schema/executable.ts';
import { operations, schema, source } from './club-api.ts';

test('a created resource can be read at its Location', () => {
  const served = loadOperations(executableSchema(loadSupergraph().schemas.public));
  const collectionOf = collectionsOf(served);
  const created = served.filter(({ status }) => status === 201);
  expect(created.filter((operation) => collectionOf(operation, operation.path) === null)).toEqual([]);
  expect(created.length).toBeGreaterThan(5);
});

test('documents are plain GraphQL: valid against the schema, without REST directives', () => {
  for (const [id, write] of documentsOf(operations)) {
    const text = write();
    expect([id, validate(schema, parse(text), specifiedRules)]).toEqual([id, []]);
    expect(text).not.toMatch(/@rest|@optional|@scalars/);
  }
});

test('one operation serves all combinations of members: each depends on a variable', () => {
  const documents = documentsOf(operations);
  expect(documents.get('getClub')?.()).toContain('players @include(if: $include_players)');
  const some = documents.get('getClub.fields')?.() ?? '';
  expect(some).toContain('name @include(if: $field_name)');
  expect(some).toContain('$field_players: Boolean! = false');
  expect(some).toMatch(/\bid\n\s*version\n/);
  expect(documents.get('listClubs.fields')?.()).toContain('id @include(if: $field_id)');
  expect([...documents.keys()]).toEqual([
    'listClubs',
    'listClubs.fields',
    'getClub',
    'getClub.fields',
    'createClub',
    'updateClub',
    'closeClub',
    'upsertClubs',
  ]);
});

test('a fragment with @scalars selects the scalar and enum fields of its type, in the order of the type', () => {
  const text = `
    fragment Whole on Club @scalars { ...Name players { id } }
    fragment Name on Club { name }
    query getWhole($id: ID!) @rest(path: "/whole/{id}") { club(id: $id) { ...Whole } }`;
  const [operation] = readOperations(schema, 1, new Map([['a.graphql', text]]));
  const club = schema.getType('Club');
  const scalars = isObjectType(club) ? Object.values(club.getFields()).filter(({ type }) => isLeafType(getNamedType(type))) : [];
  const selected = operation?.members.map(({ name }) => name) ?? [];
  expect(selected.toSorted()).toEqual([...scalars.map(({ name }) => name), 'players'].toSorted());
  expect(selected.length).toBeGreaterThan(4);
});

test('variables have a place in the request, and the constraints and description of their target', () => {
  const places = Object.fromEntries(
    operations.map(({ name, variables }) => [name, variables.map(({ wireName, place }) => `${place} ${wireName}`)]),
  );
  expect(places).toMatchObject({
    getClub: ['path id'],
    createClub: ['body input', 'header Idempotency-Key'],
    updateClub: ['path id', 'body input', 'header If-Match'],
    closeClub: ['path id', 'body reason'],
    upsertClubs: ['body items'],
  });
  const limit = operations[0]?.variables.find(({ name }) => name === 'limit');
  expect(limit).toMatchObject({ place: 'query', required: false, defaultValue: 20, description: 'How many on a page.' });
});

test.each([
  ['query a @rest(path: "/a") { clubs { nodes { id } } club(id: "1") { id } }', 'must select exactly one root field'],
  ['query a { clubs { nodes { id } } }', 'must declare its route'],
  ['query a @rest(path: "/a") { clubs { nodes { nam } } }', 'Cannot query field "nam"'],
  ['query a @rest(method: POST, path: "/a") { clubs { nodes { id } } }', 'must be a query for GET'],
  ['query a @rest(path: "/a/{id}") { clubs { nodes { id } } }', 'must declare the path parameter $id'],
  ['query a @rest(path: "/a") { clubs { data: nodes { players { name @optional } } } }', 'possible only for top-level members'],
  ['query a @rest(path: "/clubs") { clubs { data: nodes { id } } }', 'the same route as listClubs: GET /clubs'],
  ['query listClubs @rest(path: "/a") { clubs { data: nodes { id } } }', 'only one operation named "listClubs"'],
])('%s violates a rule, which the error describes', (text, rule) => {
  expect(() =>
    readOperations(
      schema,
      1,
      new Map([
        ['a.graphql', source],
        ['b.graphql', text],
      ]),
    ),
  ).toThrow(rule);
});
