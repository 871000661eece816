/** JSON Schema of GraphQL inputs. */
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createJsonSchemas } from '../../schema/json-schema.ts';
import { executableSchema } from '../../schema/executable.ts';

const schema = executableSchema(`
  directive @range(min: Float, max: Float) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
  directive @pattern(regex: String!) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
  directive @length(min: Int, max: Int) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
  scalar Date
  type Query { list(first: Int! = 20 @range(min: 1, max: 100), tags: [String!] @length(max: 2) @pattern(regex: "^a")): Int }
  enum Color { RED GREEN }
  input Tree { name: String! @length(min: 1, max: 5), color: Color, born: Date, rank: Int! = 1, children: [Tree!] }
  input One @oneOf { id: ID, name: String, note: String }
`);

function validator(name: string): (value: unknown) => boolean {
  const schemas = createJsonSchemas(schema, { prefix: '#/$defs/' });
  const root = schemas.ofInput(name);
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile({ ...root, $defs: schemas.components() }) as (value: unknown) => boolean;
}

const id = '01a1fc7b-4518-7635-958d-4598d21a7a39';

describe('JSON Schema of GraphQL inputs', () => {
  test('an argument has its range and default', () => {
    const field = schema.getQueryType()?.getFields()['list'];
    const [first, tags] = field?.args ?? [];
    if (first === undefined || tags === undefined) throw new Error('no arguments');
    const schemas = createJsonSchemas(schema);
    expect(schemas.of(first)).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
    expect(schemas.of(tags)).toEqual({ type: ['array', 'null'], items: { type: 'string', pattern: '^a' }, maxItems: 2 });
  });

  test('a recursive input rejects unknown members, wrong lengths, dates and enum values', () => {
    const accepts = validator('Tree');
    expect(accepts({ name: 'a', color: 'RED', born: '2020-02-29', children: [{ name: 'b', color: null }] })).toBe(true);
    expect(accepts({})).toBe(false);
    expect(accepts({ name: '' })).toBe(false);
    expect(accepts({ name: 'a', color: 'BLUE' })).toBe(false);
    expect(accepts({ name: 'a', born: '2021-02-29' })).toBe(false);
    expect(accepts({ name: 'a', rank: null })).toBe(false);
    expect(accepts({ name: 'a', children: [{ name: 'b', x: 1 }] })).toBe(false);
  });

  test('a oneOf input accepts exactly one member', () => {
    const accepts = validator('One');
    expect(accepts({ id })).toBe(true);
    expect(accepts({ id, name: 'a' })).toBe(false);
    expect(accepts({})).toBe(false);
    expect(accepts({ id: null })).toBe(false);
  });

  test('a text has no NUL character', () => {
    const accepts = validator('One');
    expect(accepts({ note: 'a\0b' })).toBe(false);
    expect(accepts({ note: 'a\u0001b' })).toBe(true);
  });

  test('an ID is a UUID', () => {
    expect(validator('One')({ id: '1' })).toBe(false);
  });
});
