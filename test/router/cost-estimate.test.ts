/** The estimated cost of an operation, independent of its notation. */
import { describe, expect, test } from '@jest/globals';
import { buildSchema, getOperationAST, parse } from 'graphql';
import { compileEstimate, unitsOf } from '../../router/operations/cost-estimate.ts';
import { limits } from '../../router/operations/limits.ts';
import { loadSupergraph } from '../../router/supergraph.ts';
import { Problem } from '../../schema/errors.ts';
import { executableSchema } from '../../schema/executable.ts';

const schema = buildSchema(/* GraphQL */ `
  type Query {
    clubs(first: Int = 20): ClubPage!
    club(id: ID!): Club
    plans: [String!]!
  }
  type Mutation {
    createClub(input: ClubInput!): Club!
    upsertClubs(items: [ClubInput!]!, tags: [String!]): Summary!
  }
  input ClubInput {
    name: String!
  }
  type Summary {
    created: Int!
  }
  type ClubPage {
    nodes: [Club!]!
    hasMore: Boolean!
  }
  type Club {
    id: ID!
    teams(first: Int = 20): ClubPage!
    founders: [Club!]!
    matches: [Side!]!
    derbies: [Derby!]!
  }
  type Derby {
    clubs: [Club!]!
  }
  "A part of a club, without an ID."
  type Side {
    club: Club
  }
`);

function cost(text: string, variables: Record<string, unknown> = {}, of = schema): number {
  const document = parse(text);
  const operation = getOperationAST(document, null);
  if (!operation) throw new Error('no operation');
  return compileEstimate(of, document, operation)(variables);
}

describe('a list', () => {
  test.each([
    ['{ clubs { nodes { id } } }', {}, 20],
    ['query ($n: Int) { clubs(first: $n) { nodes { founders { id } } } }', { n: 50 }, 550],
    ['query ($n: Int = 7) { clubs(first: $n) { nodes { id } } }', {}, 7],
    ['{ club(id: "1") { id } }', {}, 1],
    ['{ plans }', {}, 1],
    ['{ club(id: "1") { matches { __typename } } }', {}, 1],
    ['{ club(id: "1") { matches { club { id } } } }', {}, 3],
    ['{ clubs { nodes { matches { club { id } } } } }', {}, 60],
    ['{ club(id: "1") { derbies { clubs { matches { club { id } } } } } }', {}, 61],
    ['{ club(id: "1") { matches { club { teams(first: 5) { nodes { id } } } } } }', {}, 61],
    [
      '{ club(id: "1") { matches { club { teams(first: 5) { nodes { matches { club { teams(first: 5) { hasMore } } } } } } } } }',
      {},
      3_061,
    ],
  ])('%s costs its size times the cost of an item', (text, variables, points) => expect(cost(text, variables)).toBe(points));

  test.each([
    ['its end', '{ clubs(first: 100) { hasMore } }', 100],
    ['its type', '{ clubs(first: 100) { __typename } }', 100],
    ['excluded parts', '{ clubs(first: 100) { nodes @include(if: false) { id } } }', 100],
    ['the page info of nested lists', '{ clubs(first: 100) { nodes { teams(first: 5) { hasMore } } } }', 600],
  ])('with only %s still costs its size', (_, text, points) => expect(cost(text)).toBe(points));

  test.each([
    [90, 100],
    [450, 500],
    [900, 1_000],
  ])('of 100 items costs more for %d aliases per item', (count, points) => {
    const names = Array.from({ length: count }, (_, index) => `a${index}: id`).join(' ');
    expect(cost(`{ clubs(first: 100) { nodes { ${names} } } }`)).toBe(points);
  });

  test('that is excluded costs nothing', () => {
    expect(cost('{ clubs @skip(if: true) { nodes { id } } club(id: "1") { id } }')).toBe(1);
  });
});

describe('a write', () => {
  const one = '{ name: "x" }';
  const items = Array.from({ length: 25 }, () => ({ name: 'x' }));
  test.each([
    ['as a literal', `mutation { upsertClubs(items: [${`${one} `.repeat(25)}]) { created } }`, {}],
    ['in a variable', 'mutation ($i: [ClubInput!]!) { upsertClubs(items: $i) { created } }', { i: items }],
    ['by default', `mutation ($i: [ClubInput!]! = [${`${one} `.repeat(25)}]) { upsertClubs(items: $i) { created } }`, {}],
    [
      'partly variables',
      `mutation ($a: ClubInput!) { upsertClubs(items: [$a ${`${one} $a `.repeat(12)}]) { created } }`,
      { a: items[0] },
    ],
    [
      'within a fragment',
      `mutation { ...f } fragment f on Mutation { upsertClubs(items: [${`${one} `.repeat(25)}]) { created } }`,
      {},
    ],
  ])('of 25 items %s counts as 3 requests', (_, text, variables) => expect(unitsOf(cost(text, variables))).toBe(3));

  test('counts as one request at least, and several writes count separately', () => {
    expect(cost(`mutation { createClub(input: ${one}) { id founders { id } } }`)).toBe(100);
    expect(cost(`mutation { a: createClub(input: ${one}) { id } b: upsertClubs(items: ${one}, tags: ["x"]) { created } }`)).toBe(
      200,
    );
  });
});

describe('declared work', () => {
  const declared = buildSchema(/* GraphQL */ `
    directive @cost(weight: Int!) on FIELD_DEFINITION | OBJECT | ARGUMENT_DEFINITION
    type Query {
      clubs(first: Int = 20): ClubPage!
      ranking(first: Int = 10): Ranking @cost(weight: 500)
    }
    type Mutation {
      rank: Ranking @cost(weight: 500)
      rankAll(items: [RankInput!]! @cost(weight: 20)): Ranking
    }
    input RankInput {
      name: String!
    }
    type ClubPage {
      nodes: [Club!]!
    }
    type Ranking {
      nodes: [Ranked!]!
    }
    type Ranked @cost(weight: 10) {
      id: ID!
      club: Club
    }
    type Club {
      id: ID!
      size: Int! @cost(weight: 3)
      ranking(first: Int = 5): Ranking @cost(weight: 500)
      comparisons: [Comparison!]! @length(max: 20)
    }
    directive @length(max: Int) on FIELD_DEFINITION
    type Comparison @cost(weight: 2) {
      club: Club
    }
  `);
  test.each([
    ['of a field is added once, not per item of its list', '{ ranking(first: 2) { __typename } }', 502],
    ['of a type replaces the point of its objects', '{ ranking(first: 2) { nodes { id } } }', 520],
    ['is added to what is joined', '{ ranking(first: 2) { nodes { club { id } } } }', 522],
    ['counts for each alias', '{ a: ranking(first: 2) { nodes { id } } b: ranking(first: 2) { nodes { id } } }', 1_040],
    ['is multiplied by the lists around its field', '{ clubs(first: 3) { nodes { ranking { nodes { id } } } } }', 1_653],
    ['counts for fields without parts', '{ clubs(first: 3) { nodes { size } } }', 12],
    [
      'of a type counts for as many items as its list may hold',
      '{ clubs(first: 1) { nodes { comparisons { club { id } } } } }',
      61,
    ],
    ['is not counted when the field is excluded', '{ clubs(first: 3) { nodes { size @include(if: false) } } }', 3],
    [
      'of the items of a batch replaces their ten points',
      `mutation { rankAll(items: [${'{ name: "x" } '.repeat(25)}]) { __typename } }`,
      500,
    ],
    ['counts for writes', 'mutation { rank { __typename } }', 500],
  ])('%s', (_, text, points) => expect(cost(text, {}, declared)).toBe(points));
});

describe('too many lists and root fields', () => {
  const rejected = (text: string): string => {
    try {
      return String(cost(text));
    } catch (error) {
      return error instanceof Problem ? error.code : String(error);
    }
  };
  const roots = (count: number): string =>
    Array.from({ length: count }, (_, index) => `a${index}: clubs(first: 1) { hasMore }`).join(' ');
  const nested = (count: number): string =>
    `clubs(first: 1) { nodes { ${Array.from({ length: count }, (_, index) => `t${index}: teams(first: 1) { hasMore }`).join(' ')} } }`;

  test.each([
    ['20 roots', `{ ${roots(20)} }`, '20'],
    ['21 roots', `{ ${roots(21)} }`, 'query_too_complex'],
    ['21 roots in fragments', `{ ...f ... { ${roots(10)} } } fragment f on Query { ${roots(11)} }`, 'query_too_complex'],
    ['19 lists within one', `{ ${nested(19)} }`, '20'],
    ['20 lists within one', `{ ${nested(20)} }`, 'query_too_complex'],
    ['21 single entities', `{ ${'x: club(id: "1") { id } '.repeat(21)} }`, 'query_too_complex'],
    ['21 introspections', `{ ${'x: __schema { description } '.repeat(21)} }`, 'query_too_complex'],
  ])('%s', (_, text, outcome) => expect(rejected(text)).toBe(outcome));
});

test('the matches of all participants of a race exceed the limit, a page of matches does not', () => {
  const api = executableSchema(loadSupergraph().schemas.public);
  const race = (within: string): string => `{ match(id: "1") { participants { participant { id ${within} } } } }`;
  const matches = 'matches(first: 1) { nodes { id participants { participant { id athlete { displayName } } } } }';
  expect(cost(race(`season { ${matches} }`), {}, api)).toBeGreaterThan(limits.points);
  const deepMatches =
    'matches(first: 1) { nodes { participants { participant { season { matches(first: 1) { nodes { id } } } } } } }';
  expect(cost(race(`season { ${deepMatches} }`), {}, api)).toBeGreaterThan(limits.points);
  expect(unitsOf(cost(`{ ${matches} }`, {}, api))).toBe(1);
});
