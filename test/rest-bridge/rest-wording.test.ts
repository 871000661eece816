/** The texts of the OpenAPI document use the terms of REST, not those of the GraphQL schema that they are derived from. */
import { expect, test } from '@jest/globals';
import { inRestTerms } from '../../rest-bridge/documentation/rest-terms.ts';
import { isRecord } from '../../schema/records.ts';
import { readText } from '../architecture/source.ts';

interface Text {
  readonly place: string;
  readonly text: string;
}

function textsOf(value: unknown, place = ''): Text[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => textsOf(each, `${place}/${index}`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isText = (name === 'description' || name === 'summary') && typeof inner === 'string';
    return isText ? [{ place: `${place}/${name}`, text: inner }] : textsOf(inner, `${place}/${name}`);
  });
}

const document: unknown = JSON.parse(readText('schema/generated/openapi/v1.json'));
const texts = textsOf(document);

/** Words of GraphQL, and names that REST parameters and members do not have. */
const graphqlWords =
  /\b(connections?|edges?|nodes?|arguments?|mutations?|resolvers?|subscriptions?|scalars?|pageInfo|hasNextPage|endCursor|startCursor|ifMatch|ifNoneMatch|idempotencyKey|orderBy)\b|`(after|first|before|last|filter)`|\bthe filter input\b/i;

test('no text has a word of GraphQL', () => {
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.filter(({ text }) => graphqlWords.test(text))).toEqual([]);
});

test('only registered documents and the request log, which has requests of all APIs, mention GraphQL', () => {
  const ofLog = /\/requests|LoggedRequest|RequestAnalytics|RequestSummary/;
  const others = texts.filter(
    ({ place, text }) => text.includes('GraphQL') && !/registered|register up to/i.test(text) && !ofLog.test(place),
  );
  expect(others).toEqual([]);
});

test('no operation that responds with 404 says that it returns null', () => {
  const ofOperations = texts.filter(({ place }) =>
    /^\/paths\/.*\/(get|post|put|patch|delete)\/(summary|description)$/.test(place),
  );
  expect(ofOperations.filter(({ text }) => /\bnull\b/i.test(text.replace('null removes a value', '')))).toEqual([]);
});

test('a cursor parameter names the member that contains the next cursor', () => {
  const cursors = texts.filter(({ text }) => text.startsWith('Returns the items after this cursor'));
  expect(new Set(cursors.map(({ text }) => text))).toEqual(
    new Set(['Returns the items after this cursor, the `page.nextCursor` of the previous page.']),
  );
});

test('only descriptions and summaries are rewritten', () => {
  const schema = { description: 'Send it as `after`.', enum: ['`after`'], properties: { after: { summary: '`ifMatch`' } } };
  expect(inRestTerms(schema)).toEqual({
    description: 'Send it as `cursor`.',
    enum: ['`after`'],
    properties: { after: { summary: '`If-Match`' } },
  });
});
