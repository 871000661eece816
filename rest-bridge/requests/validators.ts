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
import type { Operation } from '../operations/operation.ts';
import type { Variable } from '../operations/variables.ts';
import { bodySchema, variableSchema } from './variable-schema.ts';

/** Returns the violations of a value; with `briefly`, at most one without details. */
export type Validate = (value: unknown, briefly?: boolean) => readonly LocatedViolation[];

export interface Validators {
  readonly path: Validate;
  readonly query: Validate;
  /** The body, without the items of a batch. */
  readonly body: Validate;
  /** One item of a batch. */
  readonly item: Validate;
}

const valid: readonly LocatedViolation[] = [];
const shared = 'inputs.json';

/** Maximum number of values in a body for which all violations are collected. */
const thoroughMax = 2_000;

function isLarge(value: unknown): boolean {
  const visited = [value];
  for (const each of visited) {
    if (typeof each !== 'object' || each === null) continue;
    for (const inner of Object.values(each)) if (visited.push(inner) > thoroughMax) return true;
  }
  return false;
}

const withoutDetail = ({ path, code }: LocatedViolation): LocatedViolation => ({
  path,
  code,
  detail: 'is invalid; see the details of the first items',
});

/** Compiling validators is slower than opening a bridge, so all bridges of a process share them by operation. */
const known = new WeakMap<Operation, Validators>();

/** Creates the validators of operations, which share the schemas of input types. */
export function createValidators(apiSchema: GraphQLSchema): (operation: Operation) => Validators {
  const schemas = createJsonSchemas(apiSchema, { prefix: `${shared}#/$defs/` });
  const createAjv = (allErrors: boolean): Ajv2020 => {
    // the schemas are generated, and validating them would double the time to compile
    const ajv = new Ajv2020({ allErrors, verbose: true, strict: false, validateSchema: false });
    formats.default(ajv);
    for (const [name, accepts] of Object.entries(scalarFormats)) ajv.addFormat(name, accepts);
    return ajv;
  };
  const [quick, thorough] = [createAjv(false), createAjv(true)];

  /** The first pass stops at the first violation, to bound the work; only small values get a second pass for all violations. */
  function compile(schema: JsonSchema): Validate {
    let first: ValidateFunction | null = null;
    let every: ValidateFunction | null = null;
    return (value, briefly = false) => {
      first ??= compileNow(quick, schema);
      if (first(value)) return valid;
      if (briefly)
        return locate(first.errors ?? [])
          .slice(0, 1)
          .map(withoutDetail);
      if (isLarge(value)) return [...locate(first.errors ?? []), moreViolations];
      every ??= compileNow(thorough, schema);
      return every(value) ? valid : locate(every.errors ?? []);
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

  function createFor(operation: Operation): Validators {
    const at = (place: Variable['place']): Variable[] => operation.variables.filter((variable) => variable.place === place);
    const body = bodySchema(schemas, operation);
    // Cast: bodySchema returns this shape for batches.
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
    const validators = known.get(operation) ?? createFor(operation);
    known.set(operation, validators);
    return validators;
  };
}
