/** An operation made ready to run, once per text: parsed, validated, its rights, bounds and cost compiled. */
import { getOperationAST, parse, validate } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { executableSchema } from '../../schema/executable.ts';
import { Problem } from '../../schema/errors.ts';
import { compileAuthorization } from './authorization.ts';
import type { Authorization } from './authorization.ts';
import { renameClientNames, fieldSetNames } from './client-names.ts';
import type { RenamedOperation } from './client-names.ts';
import { compileCoercion } from './coercion.ts';
import type { Coerce } from './coercion.ts';
import { createArgumentConstraints } from './argument-constraints.ts';
import type { ArgumentCheck, ArgumentConstraints } from './argument-constraints.ts';
import { compileEstimate } from './cost-estimate.ts';
import type { Estimate } from './cost-estimate.ts';
import { limitDocument, limits } from './limits.ts';

export interface PreparedOperation {
  /** What is planned and run: the caller's document, or that of `renamed`. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Null when the caller's names are no names of the planner. */
  readonly renamed: RenamedOperation | null;
  readonly operationName: string | null;
  readonly schema: GraphQLSchema;
  readonly authorization: Authorization;
  readonly check: ArgumentCheck;
  readonly estimate: Estimate;
  readonly coerce: Coerce;
}

/** One reader's schema and what is compiled from it. */
export interface AudienceSchema {
  readonly schema: GraphQLSchema;
  readonly constraints: ArgumentConstraints;
  /** Names in field sets of the supergraph. */
  readonly reserved: ReadonlySet<string>;
}

export function createAudienceSchema(sdl: string, supergraphSdl: string): AudienceSchema {
  const schema = executableSchema(sdl);
  return { schema, constraints: createArgumentConstraints(schema), reserved: fieldSetNames(supergraphSdl) };
}

const unbounded: ArgumentCheck = () => undefined;

/** Throws operation_unknown for a document that has no such operation or does not fit the schema. */
export function prepareOperation(
  reader: AudienceSchema,
  source: string | DocumentNode,
  operationName: string | null,
  options: { readonly validated: boolean },
): PreparedOperation {
  const document = typeof source === 'string' ? parse(source, { maxLexicalTokens: limits.tokens }) : source;
  if (!options.validated) {
    const faults = validate(reader.schema, document);
    if (faults[0] !== undefined) throw new Problem('operation_unknown', `The operation is not valid: ${faults[0].message}`);
  }
  limitDocument(document);
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined)
    throw new Problem('operation_unknown', 'The document has no such operation.');
  // Compiled when they are first used: what the bridge has coerced and checked never needs them, and it is most of all operations.
  let check: ArgumentCheck | undefined;
  let coerce: Coerce | undefined;
  const renamed = renameClientNames(document, operation, reader.reserved);
  const run = renamed ?? { document, operation };
  return {
    document: run.document,
    operation: run.operation,
    renamed,
    operationName,
    schema: reader.schema,
    authorization: compileAuthorization(reader.schema, run.document, run.operation),
    check: (values) => (check ??= reader.constraints.compile(document, operationName) ?? unbounded)(values),
    estimate: compileEstimate(reader.schema, document, operation),
    coerce: (variables) => (coerce ??= compileCoercion(reader.schema, document, operation))(variables),
  };
}
