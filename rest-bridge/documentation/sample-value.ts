/** A valid value of a schema of the OpenAPI document, as a starting point for a body. */
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isRecord } from '../../schema/records.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Inputs that contain themselves end here. */
const depthMax = 16;

const samples: Readonly<Record<string, unknown>> = {
  boolean: true,
  'string uuid': '01900000-0000-7000-8000-000000000000',
  'string uri': 'https://example.org/',
  'string email': 'name@example.org',
  'string date': '2026-01-31',
  'string date-time': '2026-01-31T12:00:00.000Z',
};

/** The example that a schema declares; undefined without one. */
function declared(schema: JsonSchema): unknown {
  const { example, examples, default: fallback, const: constant, enum: values } = schema;
  const lists = [examples, values].map((list): unknown => (Array.isArray(list) ? list[0] : undefined));
  return [example, lists[0], fallback, constant, lists[1]].find((value) => value !== undefined);
}

const typeOf = ({ type }: JsonSchema): string => String(Array.isArray(type) ? type[0] : type);

/** The value of a schema without members: a number, a text or a boolean. */
function plainSample(schema: JsonSchema): unknown {
  const type = typeOf(schema);
  if (type === 'integer' || type === 'number') return Number(schema['minimum'] ?? 1);
  return samples[`${type} ${String(schema['format'])}`] ?? samples[type] ?? 'text';
}

/** The members that are sampled: the required ones. A patch requires nothing, and changes its first one. */
function sampledMembers({ required }: JsonSchema, properties: JsonSchema): readonly string[] {
  return Array.isArray(required) && required.length > 0 ? required.map(String) : Object.keys(properties).slice(0, 1);
}

/** At least one item; further ones differ in their last character. */
const sampleList = (item: unknown, length: number): unknown[] =>
  Array.from({ length: Math.max(1, length) }, (_, index) =>
    typeof item === 'string' && index > 0 ? `${item.slice(0, -1)}${index}` : item,
  );

/** @param schemas the components that the schema refers to */
export function sampleValue(schema: JsonSchema, schemas: Schemas, depth = 0): unknown {
  const { $ref: reference, anyOf, properties, items } = schema;
  const inner = (one: unknown): unknown => sampleValue(isRecord(one) ? one : {}, schemas, depth + 1);
  const own = declared(schema);
  if (own !== undefined) return own;
  if (depth > depthMax) return null;
  if (typeof reference === 'string') return inner(schemas[reference.split('/').at(-1) ?? '']);
  if (Array.isArray(anyOf)) return inner(anyOf[0]);
  if (isRecord(properties))
    return Object.fromEntries(sampledMembers(schema, properties).map((name) => [name, inner(properties[name])]));
  return isRecord(items) ? sampleList(inner(items), Number(schema['minItems'] ?? 1)) : plainSample(schema);
}
