/** The subscription that a client requests: its document is found, checked and compiled, and its caller is permitted and charged. */
import { getArgumentValues, getOperationAST, GraphQLError, OperationTypeNode, parse, specifiedRules, validate } from 'graphql';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { isRecord } from '../../schema/records.ts';
import type { Admitted } from '../admission/admission.ts';
import type { Rejection } from '../admission/rejection.ts';
import type { RouterGraph } from '../graph.ts';
import type { DocumentLimits } from '../graphql/document-limits.ts';
import type { NewOperationRejection } from '../graphql/new-operations.ts';
import { recordedName } from '../graphql/operation-name.ts';
import { persistedHashOf, rejectMalformedPersistedQuery } from '../graphql/persisted-query.ts';
import { documentOf } from '../graphql/precheck.ts';
import type { RegisteredDocuments } from '../graphql/registered-documents.ts';
import { requestedDocument, type RequestedDocument } from '../graphql/requested-document.ts';
import { rejectUnstorableVariables } from '../graphql/unstorable-text.ts';
import { createArgumentConstraints } from '../operations/argument-constraints.ts';
import type { Variables } from '../operations/conditions.ts';
import { unitsOf } from '../operations/cost-estimate.ts';
import { incrementalRules } from '../operations/incremental-rules.ts';
import { limitBytes, limits } from '../operations/limits.ts';
import { pointsOf } from '../operations/operation-values.ts';
import { prepareOperation, type AudienceSchema, type PreparedOperation } from '../operations/prepared-operation.ts';
import { compileSubscriptionQuery, type SubscriptionQuery } from '../operations/subscription-query.ts';
import { requireKnownTypes } from './known-event-types.ts';

/** The parameters of a request, as its body or as the parameters of its URL. */
export interface SubscriptionRequest {
  readonly body: unknown;
  readonly query: unknown;
}

/** Who requests it. */
export interface SubscriptionCaller {
  readonly admitted: Admitted;
  /** Throws the problem of a rejection, after its headers are added to the response; does nothing for null. */
  readonly reject: (rejection: Rejection | NewOperationRejection | null) => void;
}

export interface RequestedSubscription {
  readonly query: SubscriptionQuery;
  /** Coerced values of the client's variables. */
  readonly variables: Variables;
  /** Coerced arguments of the root field. */
  readonly given: Variables;
  /** Units that the start and each payload cost. */
  readonly units: number;
  /** The client's name of the operation. */
  readonly name: string | null;
}

/** The errors of a document or an operation that is not valid. */
export class InvalidSubscription extends Error {
  readonly errors: readonly GraphQLFormattedError[];
  constructor(errors: readonly GraphQLFormattedError[]) {
    super(errors[0]?.message ?? 'The operation is not valid.');
    this.errors = errors;
  }
}

const invalid = (code: string, message: string): InvalidSubscription =>
  new InvalidSubscription([{ message, extensions: { code } }]);

const withCode =
  (code: string) =>
  (error: GraphQLError): GraphQLFormattedError => {
    const { message, locations, extensions } = error.toJSON();
    return { message, ...(locations && { locations }), extensions: { code, ...extensions } };
  };

/** What a document contains, by the name of the operation. */
interface Compiled {
  readonly prepared: PreparedOperation;
  readonly query: SubscriptionQuery;
}

/** Documents of subscriptions in memory: subscribers of one application send the same. */
const documentsMax = 500;
const rules = [...specifiedRules, ...incrementalRules];

interface Options {
  readonly graph: Pick<RouterGraph, 'schema' | 'variantOf' | 'permit'>;
  readonly documentLimits: DocumentLimits;
  readonly registeredDocuments: RegisteredDocuments | undefined;
}

/** Parses the JSON text of a URL parameter; other values are those of a body. */
function membersOf(name: string, ...sources: readonly unknown[]): unknown {
  for (const source of sources) {
    const value = isRecord(source) ? source[name] : undefined;
    if (value !== undefined && value !== null) return value;
  }
  return null;
}

function variablesIn({ body, query }: SubscriptionRequest): Variables {
  let value = membersOf('variables', body, query);
  if (typeof value === 'string') {
    try {
      value = JSON.parse(value);
    } catch {
      throw invalid('BAD_REQUEST', '`variables` is not valid JSON.');
    }
  }
  if (value !== null && !isRecord(value)) throw invalid('BAD_REQUEST', '`variables` must be an object.');
  return value ?? {};
}

function operationNameIn({ body, query }: SubscriptionRequest): string | null {
  const name = membersOf('operationName', body, query);
  if (name !== null && typeof name !== 'string') throw invalid('BAD_REQUEST', '`operationName` must be a text.');
  return name === '' ? null : name;
}

/** Returns the function that handles the requests of one API. */
export function createSubscriptionRequests({ graph, documentLimits, registeredDocuments }: Options) {
  const { checkLimits, operations, invalidDocuments } = documentLimits;
  let current: { readonly audience: AudienceSchema; readonly compiled: LRUCache<string, Compiled> } | null = null;

  /** The public schema and its documents; a reload of the supergraph replaces both. */
  function currentVersion() {
    const schema = graph.schema('public');
    if (current?.audience.schema !== schema) {
      const audience = { schema, constraints: createArgumentConstraints(schema), reserved: new Set<string>() };
      current = { audience, compiled: new LRUCache({ max: documentsMax }) };
    }
    return current;
  }

  async function findDocument(request: SubscriptionRequest, admitted: Admitted): Promise<RequestedDocument> {
    const given = documentOf(request.body, request.query);
    rejectMalformedPersistedQuery(given, request.body, request.query);
    if (given !== null) limitBytes(given);
    const document = await requestedDocument(request, admitted, registeredDocuments);
    if (document !== null) return document;
    if (persistedHashOf(request.body, request.query) !== null)
      throw invalid('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
    throw invalid('BAD_REQUEST', 'The request has no `query`.');
  }

  function parsed(schema: GraphQLSchema, text: string): DocumentNode {
    try {
      const document = parse(text, { maxLexicalTokens: limits.tokens });
      const violations = validate(schema, document, rules, { maxErrors: 10 });
      if (violations.length > 0) throw new InvalidSubscription(violations.map(withCode('GRAPHQL_VALIDATION_FAILED')));
      return document;
    } catch (error) {
      if (error instanceof GraphQLError) throw new InvalidSubscription([withCode('GRAPHQL_PARSE_FAILED')(error)]);
      throw error;
    }
  }

  function compile(audience: AudienceSchema, text: string, operationName: string | null): Compiled {
    const document = parsed(audience.schema, text);
    const operation = getOperationAST(document, operationName);
    if (operation === null || operation === undefined)
      throw invalid('OPERATION_RESOLUTION_FAILURE', 'The document has no operation with this name, or several without one.');
    if (operation.operation !== OperationTypeNode.SUBSCRIPTION)
      throw invalid('BAD_REQUEST', 'Only subscriptions run here. Send queries and mutations to POST /graphql.');
    const query = compileSubscriptionQuery(document, operation);
    return { query, prepared: prepareOperation(audience, document, operationName, { validated: true }) };
  }

  function compiledFor({ text, hash, isRegistered }: RequestedDocument, name: string | null, by: SubscriptionCaller): Compiled {
    const key = `${hash} ${name ?? ''}`;
    const { audience, compiled } = currentVersion();
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const failed = invalidDocuments.errorsOf(hash);
    if (failed !== null) throw new InvalidSubscription(failed);
    by.reject(isRegistered ? null : invalidDocuments.limit(by.admitted, hash));
    checkLimits(text, hash);
    try {
      const made = compile(audience, text, name);
      compiled.set(key, made);
      return made;
    } catch (error) {
      const isDocument = error instanceof InvalidSubscription && error.errors.some(({ locations }) => locations !== undefined);
      if (isDocument) invalidDocuments.record(by.admitted, hash, text.length, error.errors);
      throw error;
    }
  }

  /** Throws the Problem of a caller that sends too many new operations. */
  function limitNew(
    query: SubscriptionQuery,
    variables: Variables,
    { isRegistered, hash }: RequestedDocument,
    { admitted: { subject, authenticated, viewer }, reject }: SubscriptionCaller,
  ): void {
    invalidDocuments.recordValid(hash);
    const { key, isNew } = graph.variantOf(query.operation, query.variablesOf(variables, {}));
    const rejection = isRegistered
      ? operations.registered(viewer.accountId ?? subject, authenticated, key, isNew)
      : operations.others(subject, authenticated, key, isNew);
    reject(rejection);
  }

  /**
   * The subscription of a request, permitted and charged. Throws InvalidSubscription, or the Problem of a caller or a value that is rejected.
   */
  return async (request: SubscriptionRequest, by: SubscriptionCaller): Promise<RequestedSubscription> => {
    const { admitted } = by;
    const document = await findDocument(request, admitted);
    const name = operationNameIn(request);
    rejectUnstorableVariables(request.body);
    rejectUnstorableVariables(request.query);
    const { prepared, query } = compiledFor(document, name, by);
    prepared.authorization.permit(admitted.viewer, admitted.writes);
    const variables = prepared.coerce(variablesIn(request));
    prepared.check(variables);
    limitNew(query, variables, document, by);
    const units = unitsOf(pointsOf(prepared, variables));
    const field = prepared.schema.getSubscriptionType()?.getFields()[query.field];
    if (field === undefined) throw new Error(`The schema has no subscription ${query.field}`);
    const given = getArgumentValues(field, query.node, variables);
    if (query.field === 'events') requireKnownTypes(given['filter'] ?? {});
    graph.permit(query.operation, admitted.viewer, admitted.writes);
    by.reject(units > 1 ? await admitted.charge(units - 1) : null);
    return { query, variables, given, units, name: name === null ? null : recordedName(name) };
  };
}
