/** The query that a subscription runs: the client's selection, variables and fragments below another root field. */
import { expect, test } from '@jest/globals';
import { getOperationAST, parse, stripIgnoredCharacters, validate } from 'graphql';
import { executableSchema } from '../../schema/executable.ts';
import { limitDocument } from '../../router/operations/limits.ts';
import { compileSubscriptionQuery } from '../../router/operations/subscription-query.ts';
import { loadSupergraph } from '../../router/supergraph.ts';

const { schemas } = loadSupergraph();
const [publicSchema, internalSchema] = [executableSchema(schemas.public), executableSchema(schemas.internal)];

function compile(text: string, operationName: string | null = null) {
  const document = parse(text);
  expect(validate(publicSchema, document)).toEqual([]);
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new Error('no operation');
  const query = compileSubscriptionQuery(document, operation);
  const schema = query.operation.audience === 'public' ? publicSchema : internalSchema;
  expect(validate(schema, parse(query.operation.text))).toEqual([]);
  return { ...query, text: stripIgnoredCharacters(query.operation.text) };
}

test('the response key, the selection and its variables are those of the client; unused variables are left out', () => {
  const { text, responseKey, variablesOf } = compile(
    'subscription s($id: ID!, $n: Int!, $x: Boolean!) { m: matchUpdated(id: $id) { replays(first: $n) { nodes { id @skip(if: $x) } } } }',
  );
  expect(responseKey).toBe('m');
  expect(text).toBe(
    'query($n:Int!$x:Boolean!$subscription_id:ID!){m:match(id:$subscription_id){replays(first:$n){nodes{id@skip(if:$x)}}}}',
  );
  expect(variablesOf({ id: '1', n: 2, x: true }, { id: '1' })).toEqual({ n: 2, x: true, subscription_id: '1' });
});

test('fragments on the root type are merged, and other fragments are kept', () => {
  const { text } = compile(
    `
    subscription s { ...root ... on Subscription { matchUpdated(id: "1") { status } } }
    fragment root on Subscription { matchUpdated(id: "1") { ...card } }
    fragment card on Match { id }
    subscription other { events { id } }`.replace('subscription other { events { id } }', ''),
  );
  expect(text).toBe(
    'query($subscription_id:ID!){matchUpdated:match(id:$subscription_id){...card}matchUpdated:match(id:$subscription_id){status}}fragment card on Match{id}',
  );
});

test('one of several operations is selected by its name', () => {
  const text =
    'subscription a { events { id } } subscription b { matchUpdated(id: "1") { id } } query c { organizations { nodes { id } } }';
  expect(compile(text, 'a').field).toBe('events');
  expect(compile(text, 'b').field).toBe('matchUpdated');
});

test('the variables of the client never collide with those of the router', () => {
  const { text } = compile(
    'subscription ($subscription_id: Int!) { matchUpdated(id: "1") { replays(first: $subscription_id) { nodes { id } } } }',
  );
  expect(text).toContain('match(id:$subscription__id)');
});

test.each([
  [
    'opportunityPublished',
    'subscription { opportunityPublished { title } }',
    'opportunities(first:$subscription_first filter:$subscription_filter){nodes{title}}',
  ],
  [
    'standingsUpdated',
    'subscription { standingsUpdated(seasonId: "1") { nodes { position } } }',
    'rankings(first:$subscription_first filter:$subscription_filter){nodes{position}}',
  ],
  ['events', 'subscription { events { id } }', 'eventsByIds(ids:$subscription_ids){id}'],
])('%s runs its query', (field, text, expected) => {
  expect(compile(text).text).toContain(`${field}:${expected}`);
});

test.each(['events @skip(if: $x) { id }', '... @include(if: $x) { events { id } }', '...root @skip(if: true)'])(
  'the root field must not have conditions: %s',
  (root) => {
    const document = parse(`subscription ($x: Boolean!) { ${root} } fragment root on Subscription { ...root events { id } }`);
    expect(() => limitDocument(document)).toThrow('must not use @skip or @include');
  },
);
