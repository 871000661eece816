/** An operation made ready to run, once per text: parsed, validated, its rights, bounds and cost compiled. */
import { getOperationAST, getVariableValues, parse, validate } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode, GraphQLError } from 'graphql';
import { executableSchema } from '../schema/executable.ts';
import { Problem } from '../schema/errors.ts';
import type { Fault } from '../schema/errors.ts';
import { compileAuthorization } from './authorize.ts';
import type { Authorization } from './authorize.ts';
import { createConstraints } from './constraints.ts';
import type { ArgumentCheck, Constraints } from './constraints.ts';
import { compileEstimate } from './estimate.ts';
import type { Estimate } from './estimate.ts';
import { limitDocument, limits } from './limits.ts';

export interface Prepared {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly operationName: string | null;
  readonly schema: GraphQLSchema;
  readonly authorization: Authorization;
  /** Null when no argument has bounds. */
  readonly check: ArgumentCheck | null;
  readonly estimate: Estimate;
  /** Values as the variables' types say, defaults applied. Throws parameter_invalid naming every fault. */
  coerce(variables: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** One reader's schema and what is compiled from it. */
export interface Reader {
  readonly schema: GraphQLSchema;
  readonly constraints: Constraints;
}

export function createReader(sdl: string): Reader {
  const schema = executableSchema(sdl);
  return { schema, constraints: createConstraints(schema) };
}

function variableFault(error: GraphQLError): Fault {
  const name = /^Variable "\$([^"]+)"/.exec(error.message)?.[1];
  return { ...(name === undefined ? {} : { parameter: name }), code: 'invalid', detail: error.message };
}

function coercion(schema: GraphQLSchema, operation: OperationDefinitionNode): Prepared['coerce'] {
  const definitions = operation.variableDefinitions ?? [];
  return (variables) => {
    const result = getVariableValues(schema, definitions, variables, { maxErrors: 50 });
    if (result.coerced !== undefined) return result.coerced;
    const faults = result.errors.map(variableFault);
    throw new Problem('parameter_invalid', faults[0]?.detail ?? 'A variable is not valid.', { errors: faults });
  };
}

/** Throws operation_unknown for a document that has no such operation or does not fit the schema. */
export function prepare(
  reader: Reader,
  source: string | DocumentNode,
  operationName: string | null,
  options: { readonly validated: boolean },
): Prepared {
  const document = typeof source === 'string' ? parse(source, { maxLexicalTokens: limits.tokens }) : source;
  if (!options.validated) {
    const faults = validate(reader.schema, document);
    if (faults[0] !== undefined) throw new Problem('operation_unknown', `The operation is not valid: ${faults[0].message}`);
  }
  limitDocument(document);
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined)
    throw new Problem('operation_unknown', 'The document has no such operation.');
  return {
    document,
    operation,
    operationName,
    schema: reader.schema,
    authorization: compileAuthorization(reader.schema, document, operation),
    check: reader.constraints.compile(document, operationName),
    estimate: compileEstimate(reader.schema, document, operation),
    coerce: coercion(reader.schema, operation),
  };
}
