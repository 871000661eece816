/** The compiled executor: one test per way in which a response could be silently wrong. */
import { describe, expect, test } from '@jest/globals';
import { execute } from './scripted-areas.ts';

const shop = {
  products: `type Query { product: Product products: [Product] any: [Any!]! }
    union Any = Product | Note
    type Note @key(fields: "id") { id: ID! text: String }
    type Product @key(fields: "id") { id: ID! name: String }`,
  reviews: `type Product @key(fields: "id") { id: ID! stars: Int! reviews: [Review!] }
    type Note @key(fields: "id") { id: ID! stars: Int }
    type Review { body: String at: String }`,
};
const product = (id: string, more: object = {}) => ({ __typename: 'Product', id, ...more });

describe('a response', () => {
  test('an alias with the name of a prototype member is null without a fetched value', async () => {
    const { data, errors } = await execute({
      areas: shop,
      operation: '{ product { toString: reviews { body } name } }',
      responses: {
        products: [{ data: { product: product('7', { name: 'Ball' }) } }],
        reviews: [{ data: { _entities: [null] } }],
      },
    });
    expect({ data: JSON.stringify(data), errors }).toEqual({
      data: '{"product":{"toString":null,"name":"Ball"}}',
      errors: [],
    });
  });
});

describe('conditions', () => {
  const operation = `query ($first: Boolean = false) {
    product { stars @include(if: $first) name stars reviews { body @include(if: $first) } }
  }`;
  const responses = {
    products: [{ data: { product: product('7', { name: 'Ball' }) } }],
    reviews: [{ data: { _entities: [{ stars: 4, reviews: [{}, {}] }] } }],
  };

  test('a field is at the position of its first included selection', async () => {
    const { data } = await execute({ areas: shop, operation, responses });
    expect(JSON.stringify(data)).toBe('{"product":{"name":"Ball","stars":4,"reviews":[{},{}]}}');
  });

  test('an object is fetched even when all its fields are excluded: whether it exists is part of the response', async () => {
    const { data } = await execute({
      areas: shop,
      operation: 'query ($body: Boolean!) { product { reviews { body @include(if: $body) } } }',
      variables: { body: false },
      responses: { ...responses, reviews: [{ data: { _entities: [{ reviews: [{}, {}] }] } }] },
    });
    expect(data).toEqual({ product: { reviews: [{}, {}] } });
  });

  test('a fetch with only excluded fields is not sent', async () => {
    const { data, requested } = await execute({
      areas: shop,
      operation:
        'query ($stars: Boolean!) { product { name ... @include(if: $stars) { stars } reviews @include(if: $stars) { body } } }',
      variables: { stars: false },
      responses: { products: [{ data: { product: { name: 'Ball' } } }] },
    });
    expect(data).toEqual({ product: { name: 'Ball' } });
    expect(requested).toHaveLength(1);
  });
});

describe('errors', () => {
  test('an unavailable area is an error of each requested root field, also in fragments, and not of excluded ones', async () => {
    const { data, errors } = await execute({
      areas: shop,
      operation:
        'query ($no: Boolean!) { ...Roots ... @include(if: $no) { any { __typename } } } fragment Roots on Query { product { name } }',
      variables: { no: false },
      responses: {},
    });
    expect(data).toEqual({ product: null });
    expect(errors.map(({ path }) => path)).toEqual([['product']]);
  });

  test('an error of an entity is reported at each of its places only, also in a list of several types', async () => {
    const fault = { message: 'No stars.', path: ['_entities', 0, 'stars'], extensions: { code: 'gone' } };
    const { data, errors, requested } = await execute({
      areas: shop,
      operation: '{ any { ... on Product { stars } } }',
      responses: {
        products: [{ data: { any: [{ __typename: 'Note' }, product('7'), { __typename: 'Note' }, product('7')] } }],
        reviews: [{ data: { _entities: [null] }, errors: [fault] }],
      },
    });
    expect(requested[1]?.variables['representations']).toEqual([{ __typename: 'Product', id: '7' }]);
    expect(errors.map(({ path }) => path)).toEqual([
      ['any', 1, 'stars'],
      ['any', 3, 'stars'],
    ]);
    expect(data).toBeNull();
  });
});

describe('shared entities', () => {
  test('different selections of one entity in two places do not affect each other', async () => {
    const { data } = await execute({
      areas: shop,
      operation: '{ product { reviews { body } } products { stars again: reviews { at } } }',
      responses: {
        products: [{ data: { product: product('7'), products: [product('7'), null, product('7')] } }],
        reviews: [
          {
            data: {
              part0: [{ stars: 4, again: [{ at: 'noon' }] }],
              part1: [{ reviews: [{ body: 'good' }] }],
            },
          },
        ],
      },
    });
    const there = { stars: 4, again: [{ at: 'noon' }] };
    expect(data).toEqual({ product: { reviews: [{ body: 'good' }] }, products: [there, null, there] });
  });

  test('an area that knows only the interface does not change the type of an entity', async () => {
    const { data } = await execute({
      areas: {
        media: `type Query { book: Book work: Work } interface Media @key(fields: "id") { id: ID! }
          type Book implements Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }
          union Work = Book | Film`,
        shops: 'type Media @key(fields: "id") @interfaceObject { id: ID! price: Int }',
      },
      operation: '{ book { ... on Media { price } ... on Work { __typename } } }',
      responses: {
        media: [{ data: { book: { __typename: 'Book', id: '7' } } }],
        shops: [{ data: { _entities: [{ __typename: 'Media', price: 3 }] } }],
      },
    });
    expect(data).toEqual({ book: { price: 3, __typename: 'Book' } });
  });
});

describe('fields that a viewer may not read', () => {
  const areas = {
    people: `type Query { person: Person named: [Named!] team: Team }
      interface Named { name: String secret: String } type Person implements Named { name: String secret: String }
      type Team implements Named @key(fields: "id") { id: ID! name: String secret: String }`,
    teams: 'type Team @key(fields: "id") { id: ID! plan: String budget: String }',
  };

  test('are null in fragments, under aliases and interfaces, and in entities', async () => {
    const { data, errors } = await execute({
      areas,
      operation: `{ person { ...Fields } named { name other: secret ... on Named { secret } } team { plan budget other: secret } }
        fragment Fields on Person { name secret }`,
      planned: '{ person { name } named { name } team { plan } }',
      responses: {
        people: [
          {
            data: {
              person: { name: 'Pia' },
              named: [{ __typename: 'Person', name: 'Pia' }],
              team: { __typename: 'Team', id: '1' },
            },
          },
        ],
        teams: [{ data: { _entities: [{ plan: 'P' }] } }],
      },
    });
    expect(errors).toEqual([]);
    expect(data).toEqual({
      person: { name: 'Pia', secret: null },
      named: [{ name: 'Pia', other: null, secret: null }],
      team: { plan: 'P', budget: null, other: null },
    });
  });

  test('disable the pass-through of a response', async () => {
    const { data } = await execute({
      areas,
      operation: '{ person { name secret } }',
      planned: '{ person { name } }',
      responses: { people: [{ data: { person: { name: 'Pia' } } }] },
    });
    expect(JSON.stringify(data)).toBe('{"person":{"name":"Pia","secret":null}}');
  });
});
