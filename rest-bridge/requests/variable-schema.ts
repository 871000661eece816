/** The JSON Schema of a variable in a request: the source of both validation and OpenAPI. */
import { getNamedType, GraphQLNonNull, isNonNullType } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import { isRecord } from '../../schema/records.ts';
import type { JsonSchema, JsonSchemas } from '../../schema/json-schema.ts';
import type { Operation } from '../operations/operation.ts';
import type { Variable } from '../operations/variables.ts';
import { headerPatterns } from './header-reader.ts';
import { sortValues } from './query-parameters.ts';

/** Size of a batch, unless the argument's @length overrides it. */
const batchBounds = { minItems: 1, maxItems: 500 };

function nonNull(type: GraphQLInputType): GraphQLInputType {
  return isNonNullType(type) ? type : new GraphQLNonNull(type);
}

/** Ids are UUIDs: other values in a path or query are rejected. */
function asId(schema: JsonSchema): JsonSchema {
  const { items } = schema;
  return isRecord(items) ? { ...schema, items: asId(items) } : { ...schema, format: 'uuid' };
}

/** A text in a query or path has at least one character. */
function notEmpty(schema: JsonSchema): JsonSchema {
  const { items } = schema;
  if (isRecord(items)) return { ...schema, items: notEmpty(items) };
  const isPlainText = schema['type'] === 'string' && schema['enum'] === undefined && schema['format'] === undefined;
  return isPlainText && schema['minLength'] === undefined ? { ...schema, minLength: 1 } : schema;
}

/** A header has visible ASCII characters, and spaces between them except in an idempotency key. */
function headerSchema({ name, target }: Variable): JsonSchema {
  const pattern = name === 'idempotencyKey' ? headerPatterns.idempotencyKey : headerPatterns.other;
  return { type: 'string', pattern, ...(target?.description ? { description: target.description } : {}) };
}

/** A member of a body may be null if its type allows it; a parameter that is sent has a value. */
export function variableSchema(schemas: JsonSchemas, variable: Variable): JsonSchema {
  const values = sortValues(variable);
  if (variable.place === 'header') return headerSchema(variable);
  if (values) return { type: 'string', enum: [...values.keys()] };
  const type =
    variable.place === 'body' && variable.name !== 'input' && variable.name !== 'items' ? variable.type : nonNull(variable.type);
  const { description, astNode } = variable.target ?? { description: undefined, astNode: undefined };
  const schema = schemas.of({ type, description, astNode, defaultValue: undefined });
  if (variable.place === 'body') return schema;
  return notEmpty(getNamedType(type).name === 'ID' ? asId(schema) : schema);
}

/** The body of an operation; null without one. The items of a batch are also validated separately (validators.ts). */
export function bodySchema(schemas: JsonSchemas, operation: Operation): JsonSchema | null {
  const members = operation.variables.filter((variable) => variable.place === 'body');
  const [only] = members;
  if (!only) return null;
  if (operation.body === 'input' || operation.body === 'image') return variableSchema(schemas, only);
  if (operation.body === 'items') {
    const items: JsonSchema = { ...batchBounds, ...variableSchema(schemas, only) };
    return { type: 'object', additionalProperties: false, required: ['items'], properties: { items } };
  }
  return {
    type: 'object',
    additionalProperties: false,
    required: members.filter((member) => member.required).map((member) => member.wireName),
    properties: Object.fromEntries(members.map((member) => [member.wireName, variableSchema(schemas, member)])),
  };
}
