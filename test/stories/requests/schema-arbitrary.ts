/** Values that mostly fit a JSON Schema of the OpenAPI document, and sometimes do not. */
import fc from 'fast-check';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

type Value = fc.Arbitrary<unknown>;

const words = ["'", '%', '\\', '🏉', 'null', ' ', '*', 'Ada', 'TEST:1', '{}', '9007199254740993'];
const free = fc.oneof(fc.constantFrom(...words), fc.string({ minLength: 1, maxLength: 20 }));
const countries = fc.constantFrom('DE', 'NG', 'GB-ENG', 'US', 'ZZ');
const day = fc.constantFrom('1990-01-01', '2004-02-29', '2026-07-01', '0001-01-01', '9999-12-31', '2030-01-01');
const instant = fc.constantFrom(
  '2026-01-01T00:00:00Z',
  '2030-06-01T10:00:00+14:00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
);
/** Values that fit no schema. */
const wrong: Value = fc.oneof(fc.constantFrom<unknown>(null, true, -1, 1.5, 1e308, 2 ** 53, '', [], {}, 'x'.repeat(300)), free);

function textOf({ format, pattern, maxLength = 40 }: Schema, ids: Value): Value {
  if (format === 'uuid') return ids;
  if (format === 'date') return day;
  if (format === 'date-time') return instant;
  if (format === 'country') return countries;
  if (format === 'uri') return fc.constantFrom('https://example.com', 'http://[::1]/');
  if (pattern === undefined) return free.map((text) => text.slice(0, maxLength));
  return fc.stringMatching(new RegExp(pattern));
}

/** @param resolve finds a schema by its `$ref`; `ids` are ids that exist and ids that do not */
export function arbitraryOf(schema: Schema, resolve: (ref: string) => Schema, ids: Value, depth = 0): Value {
  const inner = (part: Schema): Value => arbitraryOf(part, resolve, ids, depth + 1);
  const fitting = (): Value => {
    if (schema.$ref !== undefined) return inner(resolve(schema.$ref));
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return fc.oneof(...choices.map(inner));
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['string']);
    return fc.oneof(...types.map(ofType));
  };
  const ofType = (type: string): Value => {
    const { minimum = -1000, maximum = 1_000_000, maxItems = 3, items = {}, properties = {}, required = [] } = schema;
    if (type === 'null') return fc.constant(null);
    if (type === 'boolean') return fc.boolean();
    if (type === 'integer') return fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31 - 1) });
    if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true });
    if (type === 'array') return fc.array(inner(items), { minLength: 1, maxLength: Math.min(maxItems, 3) });
    if (type !== 'object') return textOf(schema, ids);
    const known = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)]));
    // few optional members: with all of them one is nearly always invalid
    return fc
      .tuple(fc.record(known), fc.subarray(Object.keys(known), { maxLength: Math.min(4, Object.keys(known).length) }))
      .map(([all, chosen]) =>
        Object.fromEntries(Object.entries(all).filter(([name]) => required.includes(name) || chosen.includes(name))),
      );
  };
  return depth > 6 ? wrong : fc.oneof({ weight: 60, arbitrary: fitting() }, { weight: 1, arbitrary: wrong });
}
