/** The JSON Schema of what a request says for a variable: the one source of validation and of OpenAPI. */
import { getNamedType, GraphQLNonNull, isNonNullType } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import type { JsonSchema, JsonSchemas } from '../../schema/json-schema.ts';
import type { Operation, Variable } from '../operations/operation.ts';
import { sortValues } from './query-parameters.ts';

/** Items of one batch, unless the argument's @length says otherwise. */
const batchBounds = { minItems: 1, maxItems: 500 };

function present(type: GraphQLInputType): GraphQLInputType {
  return isNonNullType(type) ? type : new GraphQLNonNull(type);
}

/** Ids are UUIDs: in a path or a query, anything else can only be a mistake. */
function asId(schema: JsonSchema): JsonSchema {
  return 'items' in schema ? { ...schema, items: asId(schema['items'] as JsonSchema) } : { ...schema, format: 'uuid' };
}

/** A member of a body may be null where its type says so; a parameter that is there has a value. */
export function variableSchema(schemas: JsonSchemas, variable: Variable): JsonSchema {
  const words = sortValues(variable);
  if (words) return { type: 'string', enum: [...words.keys()] };
  const type =
    variable.place === 'body' && variable.name !== 'input' && variable.name !== 'items' ? variable.type : present(variable.type);
  const { description, astNode } = variable.target ?? { description: undefined, astNode: undefined };
  const schema = schemas.of({ type, description, astNode, defaultValue: undefined });
  return variable.place !== 'body' && getNamedType(type).name === 'ID' ? asId(schema) : schema;
}

/** The body of an operation; null when it takes none. The items of a batch are checked one by one: `itemSchema`. */
export function bodySchema(schemas: JsonSchemas, operation: Operation): JsonSchema | null {
  const members = operation.variables.filter((variable) => variable.place === 'body');
  const [only] = members;
  if (!only) return null;
  if (operation.body === 'input') return variableSchema(schemas, only);
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
