/** The limits of the body of an operation, derived from its input schema: the size of the largest valid body with room to spare. */
import type { GraphQLSchema } from 'graphql';
import { imageMaxBytes } from '../../schema/scalars.ts';
import { isRecord } from '../../schema/records.ts';
import { createJsonSchemas } from '../../schema/json-schema.ts';
import type { JsonSchema, JsonSchemas } from '../../schema/json-schema.ts';
import type { Operation } from '../operations/operation.ts';
import { bodySchema } from './variable-schema.ts';

export interface BodyLimits {
  /** Maximum size in bytes. */
  readonly bytes: number;
  /** Maximum number of values: members, items, lists and objects. */
  readonly values: number;
}

const kibibyte = 1024;
/** Limits of every operation: enough for any body without lists, and too little to be worth an attack. */
const least: BodyLimits = { bytes: 64 * kibibyte, values: 500 };
/** A body above these is rejected even if its schema allows more; clients send several requests. */
const most: BodyLimits = { bytes: 1024 * kibibyte, values: 20_000 };
const mostOfBatch: BodyLimits = { bytes: 8 * 1024 * kibibyte, values: 50_000 };

/** A character of the basic plane takes six bytes as `\uXXXX`, which some encoders write for everything outside of ASCII. */
const bytesPerCharacter = 6;
/** Assumed length of a text without a maximum: they have a format, a pattern or a list of values. */
const defaultCharacters = 100;
/** Assumed size of a list without a maximum. */
const defaultItems = 100;
/** Bytes of a number, `true` or `null`. */
const plainBytes = 24;
/** Quotes, colon, comma, and the line and indentation of a pretty-printed member. */
const memberBytes = 24;
/** Inputs that contain themselves are counted to this depth. */
const depthMax = 8;

const numberOf = (schema: JsonSchema, name: string, fallback: number): number => {
  const value = schema[name];
  return typeof value === 'number' ? value : fallback;
};

/** Schemas of which a value has one. */
const alternatives = (schema: JsonSchema): readonly JsonSchema[] =>
  ['anyOf', 'oneOf'].flatMap((name) => (Array.isArray(schema[name]) ? schema[name].filter(isRecord) : []));

const isType = (schema: JsonSchema, type: string): boolean =>
  schema['type'] === type || (Array.isArray(schema['type']) && schema['type'].includes(type));

const largest = (sizes: readonly BodyLimits[]): BodyLimits => ({
  bytes: Math.max(0, ...sizes.map(({ bytes }) => bytes)),
  values: Math.max(1, ...sizes.map(({ values }) => values)),
});

/** Computes the size of the largest value of a schema. `resolve` returns the schema of a reference. */
function sizeOf(schema: JsonSchema, resolve: (reference: string) => JsonSchema, depth = 0): BodyLimits {
  if (depth > depthMax) return { bytes: 0, values: 1 };
  const inner = (one: JsonSchema): BodyLimits => sizeOf(one, resolve, depth + 1);
  const { $ref: reference, properties, items } = schema;
  if (typeof reference === 'string') return inner(resolve(reference));
  const other = alternatives(schema);
  if (other.length > 0) return largest(other.map(inner));
  if (isRecord(properties)) {
    const members = Object.entries(properties).flatMap(([name, member]) =>
      isRecord(member) ? [{ name, ...inner(member) }] : [],
    );
    return {
      bytes: members.reduce((total, { name, bytes }) => total + memberBytes + name.length + bytes, 2),
      values: members.reduce((total, { values }) => total + values, 1),
    };
  }
  if (isRecord(items)) {
    const item = inner(items);
    const count = numberOf(schema, 'maxItems', defaultItems);
    return { bytes: 2 + count * (memberBytes + item.bytes), values: 1 + count * item.values };
  }
  if (!isType(schema, 'string')) return { bytes: plainBytes, values: 1 };
  return { bytes: 2 + bytesPerCharacter * numberOf(schema, 'maxLength', defaultCharacters), values: 1 };
}

const between = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** The limits of an operation's body; null for an operation without one. Bytes are a multiple of 64 KiB, values of 100. */
export function bodyLimits(schemas: JsonSchemas, operation: Operation): BodyLimits | null {
  if (operation.body === 'image') return { bytes: imageMaxBytes, values: 1 };
  const schema = bodySchema(schemas, operation);
  if (schema === null) return null;
  const components = schemas.components();
  const { bytes, values } = sizeOf(schema, (reference) => components[reference.split('/').at(-1) ?? ''] ?? {});
  const high = operation.body === 'items' ? mostOfBatch : most;
  return {
    bytes: between(Math.ceil(bytes / least.bytes) * least.bytes, least.bytes, high.bytes),
    values: between(Math.ceil((2 * values) / 100) * 100, least.values, high.values),
  };
}

/** Limits are the same for all bridges of a process. */
const known = new WeakMap<Operation, BodyLimits>();

/** Returns the limits of operations over one schema; those of an operation without a body are the smallest. */
export function createBodyLimits(apiSchema: GraphQLSchema): (operation: Operation) => BodyLimits {
  const schemas = createJsonSchemas(apiSchema);
  return (operation) => {
    const limits = known.get(operation) ?? bodyLimits(schemas, operation) ?? least;
    known.set(operation, limits);
    return limits;
  };
}
