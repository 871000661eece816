/** Validators of requests, compiled from the API schema when an operation is first used. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ValidateFunction } from 'ajv';
import type { GraphQLSchema } from 'graphql';
import { createJsonSchemas } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { scalarFormats } from '../schema/scalars.ts';
import { locate } from '../schema/faults.ts';
import type { LocatedFault } from '../schema/faults.ts';
import type { Operation, Variable } from './operation.ts';
import { bodySchema, variableSchema } from './variable-schema.ts';

/** Names every fault of a value; an empty list when it has none. */
export type Check = (value: unknown) => readonly LocatedFault[];

export interface Checks {
  readonly path: Check;
  readonly query: Check;
  /** The body, but for the items of a batch. */
  readonly body: Check;
  /** One item of a batch. */
  readonly item: Check;
}

const nothing: readonly LocatedFault[] = [];
const shared = 'inputs.json';

/** Makes the checks of operations; schemas of input types are shared between them. */
export function createChecks(apiSchema: GraphQLSchema): (operation: Operation) => Checks {
  const schemas = createJsonSchemas(apiSchema, { prefix: `${shared}#/$defs/` });
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false });
  formats.default(ajv);
  for (const [name, accepts] of Object.entries(scalarFormats)) ajv.addFormat(name, accepts);

  function compile(schema: JsonSchema): Check {
    let validate: ValidateFunction | null = null;
    return (value) => {
      validate ??= compileNow(schema);
      return validate(value) ? nothing : locate(validate.errors ?? []);
    };
  }

  function compileNow(schema: JsonSchema): ValidateFunction {
    ajv.removeSchema(shared);
    ajv.addSchema({ $id: shared, $defs: schemas.components() });
    return ajv.compile(schema);
  }

  const parameters = (variables: readonly Variable[]): JsonSchema => ({
    type: 'object',
    required: variables.filter((variable) => variable.required).map((variable) => variable.wireName),
    properties: Object.fromEntries(variables.map((variable) => [variable.wireName, variableSchema(schemas, variable)])),
  });

  return (operation) => {
    const at = (place: Variable['place']): Variable[] => operation.variables.filter((variable) => variable.place === place);
    const body = bodySchema(schemas, operation);
    const items = operation.body === 'items' ? (body?.['properties'] as { items: { items: JsonSchema } }).items : null;
    const envelope = items && body ? { ...body, properties: { items: { ...items, items: true } } } : body;
    return {
      path: compile(parameters(at('path'))),
      query: compile(parameters(at('query'))),
      body: compile(envelope ?? { type: 'object', additionalProperties: false }),
      item: compile(items?.items ?? {}),
    };
  };
}
