/** Checks documents before they are registered: whether the public API would run them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GraphQLError, Kind, OperationTypeNode, parse, validate } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { Problem } from '../../schema/errors.ts';
import type { Planner } from '../planner/planner.ts';
import { rejectUnstorableText } from '../graphql/unstorable-text.ts';
import { limitBytes, limitDocument, limits, limitTokens } from './limits.ts';
import { prepareOperation, type AudienceSchema, type PreparedOperation } from './prepared-operation.ts';
import { compileSubscriptionQuery } from './subscription-query.ts';

/** A value of the type `DocumentCheck`. */
export interface DocumentCheck {
  readonly operationName: string | null;
  readonly error: { readonly code: string; readonly detail: string; readonly violations: readonly string[] } | null;
}

/** Each further violation costs a search for similar names. */
const maxErrors = 10;

function placed({ message, locations }: GraphQLError): string {
  const [location] = locations ?? [];
  return location === undefined ? message : `${message} (line ${location.line}, column ${location.column})`;
}

const invalid = (violations: readonly string[]): DocumentCheck => ({
  operationName: null,
  error: { code: 'validation_failed', detail: violations[0] ?? 'The document is not valid.', violations },
});

/** The only operation of a document; null for none or several. */
function onlyOperation({ definitions }: DocumentNode): OperationDefinitionNode | null {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return operations.length === 1 ? (operations[0] ?? null) : null;
}

/** Parses, validates, prepares and plans a document; returns what is wrong with it. */
async function checkDocument(audience: AudienceSchema, planner: Planner, text: string): Promise<DocumentCheck> {
  try {
    limitBytes(text);
    limitTokens(text);
    rejectUnstorableText(text);
    const document = parse(text, { maxLexicalTokens: limits.tokens });
    // before validation, whose cost is quadratic in hostile documents
    limitDocument(document);
    const violations = validate(audience.schema, document, undefined, { maxErrors });
    if (violations.length > 0) return invalid(violations.map(placed));
    const operation = onlyOperation(document);
    if (operation === null)
      return invalid(['A registered document has exactly one operation. Register each operation separately.']);
    const prepared = prepareOperation(audience, document, null, { validated: true });
    const points = prepared.estimate({});
    if (points > limits.points)
      throw new Problem('query_too_complex', `The operation costs at least ${points} points; the limit is ${limits.points}.`);
    const { authorization, conditionsOf } = isSubscription(operation) ? queryOf(audience, document, operation) : prepared;
    await planner.plan(authorization.text, null, conditionsOf(assumedConditions(operation)));
    return { operationName: operation.name?.value ?? null, error: null };
  } catch (error) {
    if (error instanceof GraphQLError) return invalid([placed(error)]);
    if (error instanceof Problem && error.code !== 'upstream_unavailable')
      return { operationName: null, error: { code: error.code, detail: error.message, violations: [] } };
    throw error;
  }
}

const isSubscription = ({ operation }: OperationDefinitionNode): boolean => operation === OperationTypeNode.SUBSCRIPTION;

/** The query that a subscription runs. */
const queryOf = (audience: AudienceSchema, document: DocumentNode, operation: OperationDefinitionNode): PreparedOperation =>
  prepareOperation(audience, compileSubscriptionQuery(document, operation).document, null, { validated: true });

/** Each condition variable needs a value: the plan without conditions is one of several. */
const assumedConditions = ({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, boolean> =>
  Object.fromEntries(variableDefinitions.map(({ variable }) => [variable.name.value, true]));

/** Checks documents one after the other; other requests run in between. Throws Problem upstream_unavailable when the planner is. */
export async function checkDocuments(
  audience: AudienceSchema,
  planner: Planner,
  texts: readonly string[],
): Promise<readonly DocumentCheck[]> {
  const checks: DocumentCheck[] = [];
  for (const text of texts) {
    checks.push(await checkDocument(audience, planner, text));
    await nextTurn();
  }
  return checks;
}
