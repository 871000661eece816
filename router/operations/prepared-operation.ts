/** Prepares an operation once per text: parses and validates it, and compiles its authorization, limits and cost. */
import { getOperationAST, parse, specifiedRules, validate } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { executableSchema } from '../../schema/executable.ts';
import { Problem } from '../../schema/errors.ts';
import { compileActualCost } from './actual-cost.ts';
import type { ActualCost } from './actual-cost.ts';
import { compileAuthorization } from './authorization.ts';
import type { Authorization } from './authorization.ts';
import { renameClientNames, fieldSetNames } from './client-names.ts';
import type { RenamedOperation } from './client-names.ts';
import { compileConditions } from './conditions.ts';
import type { ConditionsOf } from './conditions.ts';
import { compileCoercion } from './coercion.ts';
import type { Coerce } from './coercion.ts';
import { createArgumentConstraints } from './argument-constraints.ts';
import type { ArgumentCheck, ArgumentConstraints } from './argument-constraints.ts';
import { compileEstimate } from './cost-estimate.ts';
import type { Estimate } from './cost-estimate.ts';
import { compileIncrementalUses, type IncrementalUses } from './incremental-directives.ts';
import { incrementalRules } from './incremental-rules.ts';
import { limitDocument, limits } from './limits.ts';
import { compileRouterFields } from './router-fields.ts';
import type { AnswerRouterFields } from './router-fields.ts';

export interface PreparedOperation {
  /** The document to plan and run: the client's, or that of `renamed`. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Null when no client name collides with a name of the planner. */
  readonly renamed: RenamedOperation | null;
  readonly operationName: string | null;
  /** The values of the condition variables under the names of `document`. */
  readonly conditionsOf: ConditionsOf;
  /** Its @defer and @stream, under the names of `document`; null without any. */
  readonly incremental: IncrementalUses | null;
  readonly schema: GraphQLSchema;
  readonly authorization: Authorization;
  readonly check: ArgumentCheck;
  readonly estimate: Estimate;
  /** The points of a response under the client's names. */
  readonly actualCost: ActualCost;
  /** Answers the root fields that belong to no area; null without one, which is usual. */
  readonly answerRouterFields: AnswerRouterFields | null;
  readonly coerce: Coerce;
}

/** The schema of one audience, and what is compiled from it. */
export interface AudienceSchema {
  readonly schema: GraphQLSchema;
  readonly constraints: ArgumentConstraints;
  /** Names in the field sets of the supergraph. */
  readonly reserved: ReadonlySet<string>;
}

export function createAudienceSchema(sdl: string, supergraphSdl: string): AudienceSchema {
  const schema = executableSchema(sdl);
  return { schema, constraints: createArgumentConstraints(schema), reserved: fieldSetNames(supergraphSdl) };
}

const rules = [...specifiedRules, ...incrementalRules];

const unbounded: ArgumentCheck = () => undefined;

/** Throws operation_unknown for a document without the operation, or one that is not valid for the schema. */
export function prepareOperation(
  audience: AudienceSchema,
  source: string | DocumentNode,
  operationName: string | null,
  options: { readonly validated: boolean },
): PreparedOperation {
  const document = typeof source === 'string' ? parse(source, { maxLexicalTokens: limits.tokens }) : source;
  if (!options.validated) {
    const violations = validate(audience.schema, document, rules);
    if (violations[0] !== undefined)
      throw new Problem('operation_unknown', `The operation is not valid: ${violations[0].message}`);
  }
  limitDocument(document);
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined)
    throw new Problem('operation_unknown', 'The document has no operation with this name.');
  // Compiled on first use: most operations come from the bridge, which has coerced and checked the variables.
  let check: ArgumentCheck | undefined;
  let coerce: Coerce | undefined;
  let actualCost: ActualCost | undefined;
  const renamed = renameClientNames(document, operation, audience.reserved);
  const run = renamed ?? { document, operation };
  return {
    document: run.document,
    operation: run.operation,
    renamed,
    operationName,
    conditionsOf: compileConditions(run.document, run.operation),
    incremental: compileIncrementalUses(run.document, run.operation),
    schema: audience.schema,
    authorization: compileAuthorization(audience.schema, run.document, run.operation),
    check: (values) => (check ??= audience.constraints.compile(document, operationName) ?? unbounded)(values),
    estimate: compileEstimate(audience.schema, document, operation),
    actualCost: (data, variables) => (actualCost ??= compileActualCost(audience.schema, document, operation))(data, variables),
    answerRouterFields: compileRouterFields(audience.schema, run.document, run.operation),
    coerce: (variables) => (coerce ??= compileCoercion(audience.schema, document, operation))(variables),
  };
}
