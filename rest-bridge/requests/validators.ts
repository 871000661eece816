/** Validators of requests, compiled from the API schema when an operation is first used. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ValidateFunction } from 'ajv';
import type { GraphQLSchema } from 'graphql';
import { createJsonSchemas } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { scalarFormats } from '../../schema/scalars.ts';
import { locate, moreViolations } from '../../schema/violations.ts';
import type { LocatedViolation } from '../../schema/violations.ts';
import type { Operation, Variable } from '../operations/operation.ts';
import { bodySchema, variableSchema } from './variable-schema.ts';

/** Names the faults of a value, or only that it has one; an empty list when it has none. */
export type Validate = (value: unknown, briefly?: boolean) => readonly LocatedViolation[];

export interface Validators {
  readonly path: Validate;
  readonly query: Validate;
  /** The body, but for the items of a batch. */
  readonly body: Validate;
  /** One item of a batch. */
  readonly item: Validate;
}

const nothing: readonly LocatedViolation[] = [];
const shared = 'inputs.json';

/** Values in a body of which every fault is looked for. */
const largest = 2_000;

function isLarge(value: unknown): boolean {
  const seen = [value];
  for (const one of seen) {
    if (typeof one !== 'object' || one === null) continue;
    for (const inner of Object.values(one)) if (seen.push(inner) > largest) return true;
  }
  return false;
}

const untold = ({ path, code }: LocatedViolation): LocatedViolation => ({
  path,
  code,
  detail: 'is not valid; the items before it tell more',
});

/** An operation is of one schema, and compiling its checks costs more than opening a bridge: every bridge of a process has the same. */
const known = new WeakMap<Operation, Validators>();

/** Makes the checks of operations; schemas of input types are shared between them. */
export function createValidators(apiSchema: GraphQLSchema): (operation: Operation) => Validators {
  const schemas = createJsonSchemas(apiSchema, { prefix: `${shared}#/$defs/` });
  const [quick, thorough] = [false, true].map((allErrors) => {
    // the schemas are ours: to check them as well took half of what compiling them takes
    const ajv = new Ajv2020({ allErrors, verbose: true, strict: false, validateSchema: false });
    formats.default(ajv);
    for (const [name, accepts] of Object.entries(scalarFormats)) ajv.addFormat(name, accepts);
    return ajv;
  }) as [Ajv2020, Ajv2020];

  /** The first fault ends the quick look, so that no body is worth much work; every fault is looked for in what is small. */
  function compile(schema: JsonSchema): Validate {
    let first: ValidateFunction | null = null;
    let every: ValidateFunction | null = null;
    return (value, briefly = false) => {
      first ??= compileNow(quick, schema);
      if (first(value)) return nothing;
      if (briefly)
        return locate(first.errors ?? [])
          .slice(0, 1)
          .map(untold);
      if (isLarge(value)) return [...locate(first.errors ?? []), moreViolations];
      every ??= compileNow(thorough, schema);
      return every(value) ? nothing : locate(every.errors ?? []);
    };
  }

  function compileNow(ajv: Ajv2020, schema: JsonSchema): ValidateFunction {
    ajv.removeSchema(shared);
    ajv.addSchema({ $id: shared, $defs: schemas.components() });
    return ajv.compile(schema);
  }

  const parameters = (variables: readonly Variable[]): JsonSchema => ({
    type: 'object',
    required: variables.filter((variable) => variable.required).map((variable) => variable.wireName),
    properties: Object.fromEntries(variables.map((variable) => [variable.wireName, variableSchema(schemas, variable)])),
  });

  function make(operation: Operation): Validators {
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
  }

  return (operation) => {
    const checks = known.get(operation) ?? make(operation);
    known.set(operation, checks);
    return checks;
  };
}
