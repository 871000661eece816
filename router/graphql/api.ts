/** The GraphQL API: Apollo Server over the graph, public at /graphql and for administrators at /admin/graphql. */
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { clientSignal } from '../../platform/http/client-signal.ts';
import type { Area } from '../../schema/areas.ts';
import type { Caller } from '../../schema/entry-point.ts';
import type { Problem } from '../../schema/errors.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Admission, Admitted } from '../admission/admission.ts';
import type { Rejection } from '../admission/rejection.ts';
import type { Audience, RouterGraph } from '../graph.ts';
import { incrementalRules } from '../operations/incremental-rules.ts';
import { limitBytes, limits } from '../operations/limits.ts';
import type { GraphVersions } from '../reloadable-graph.ts';
import type { SchemaTexts } from '../supergraph.ts';
import { bodyLimits, parseBodies } from './body.ts';
import { preflightHeaders, rejectCrossSite } from './cross-site.ts';
import { createDocumentStore } from './document-store.ts';
import { createFormatError, problemOf, sendProblem, sendRequestErrors } from './error-response.ts';
import { createGateway } from './gateway.ts';
import type { GraphqlContext } from './gateway.ts';
import { acceptPartsOnly, sendInParts, type IncrementalResponse } from './incremental-response.ts';
import { createInvalidDocuments, type InvalidDocuments } from './invalid-documents.ts';
import { createNewOperationLimit } from './new-operations.ts';
import type { NewOperationLimit, NewOperationRejection, NewOperationsPerMinute } from './new-operations.ts';
import { addOtherMethods } from './other-methods.ts';
import { rejectMalformedPersistedQuery } from './persisted-query.ts';
import { createPersistedTexts, type PersistedTexts } from './persisted-texts.ts';
import { createLimitCheck, documentHash, documentOf } from './precheck.ts';
import { applyRequestErrorStatus, markRequestErrors } from './request-errors.ts';
import { addSchemaRoute } from './schema-route.ts';
import { rejectUnstorableVariables } from './unstorable-text.ts';

export interface GraphqlApiOptions {
  readonly graph: RouterGraph;
  readonly schemas: SchemaTexts;
  /** Set if the graph can be reloaded. */
  readonly versions?: GraphVersions | undefined;
  readonly log: Logger;
  /** The texts of automatic persisted queries; default: those of this process. */
  readonly persistedTexts?: PersistedTexts | undefined;
  /** Limits of new operations per caller. */
  readonly newOperationsPerMinute?: NewOperationsPerMinute | undefined;
}

export interface PublicGraphqlOptions extends GraphqlApiOptions {
  readonly admission: Pick<Admission, 'admit'>;
  readonly callerOf: (request: FastifyRequest) => Caller;
}

export interface AdminGraphqlOptions extends GraphqlApiOptions {
  /** The administrator of the request's session. Throws Problem sign_in_required (401) or csrf_refused (400). */
  readonly authenticate: (request: FastifyRequest) => Promise<Viewer>;
}

/** An admitted request. Administrators are not charged. */
type AdmittedRequest = Pick<Admitted, 'viewer' | 'authenticated' | 'writes' | 'charge' | 'settle' | 'headers'> & {
  readonly subject: string | null;
  area: Area | null;
  operation: string | null;
  /** SHA-256 of the document in hex, once it is read. */
  documentHash: string | null;
  /** The parts after the response of the executor. */
  later: IncrementalResponse | null;
};

/** How an API admits a request. */
type Admit = (request: FastifyRequest) => Promise<
  | AdmittedRequest
  | {
      readonly problem: Problem;
      readonly headers: Readonly<Record<string, string>>;
      readonly settle: AdmittedRequest['settle'];
    }
>;

function apolloServer(options: GraphqlApiOptions, audience: Audience): ApolloServer<GraphqlContext> {
  const { graph, schemas, log } = options;
  return new ApolloServer<GraphqlContext>({
    gateway: createGateway({ graph, audience, schemaText: schemas[audience], versions: options.versions }),
    nodeEnv: 'production',
    introspection: true,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: { requestHeaders: preflightHeaders },
    allowBatchedHttpRequests: false,
    documentStore: createDocumentStore(),
    persistedQueries: { cache: options.persistedTexts ?? createPersistedTexts(undefined, log), ttl: null },
    parseOptions: { maxLexicalTokens: limits.tokens },
    validationRules: [...incrementalRules],
    // each further error costs a search for similar names
    validationOptions: { maxErrors: 10 },
    formatError: createFormatError(log),
    logger: log,
    plugins: [ApolloServerPluginLandingPageDisabled(), markRequestErrors(), acceptPartsOnly()],
    // the process stops its servers itself, in order
    stopOnTerminationSignals: false,
  });
}

function throwRejection(reply: FastifyReply, rejection: Rejection | NewOperationRejection | null): void {
  if (rejection === null) return;
  reply.headers(rejection.headers);
  throw rejection.problem;
}

/** The context of a request for the executor (gateway.ts). */
function contextOf(
  admitted: AdmittedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  newOperationLimit: NewOperationLimit,
  invalidDocuments: InvalidDocuments,
): GraphqlContext {
  return {
    viewer: admitted.viewer,
    get writes() {
      return admitted.writes;
    },
    requestId: request.id,
    reply,
    signal: clientSignal(reply),
    caller: admitted.subject === null ? null : (admitted.viewer.accountId ?? admitted.subject),
    recordInvalid: (hash, size, errors) => invalidDocuments.record(admitted, hash, size, errors),
    checkNewOperation(key, isNew) {
      if (admitted.documentHash !== null) invalidDocuments.recordValid(admitted.documentHash);
      if (admitted.subject === null) return;
      throwRejection(reply, newOperationLimit(admitted.subject, admitted.authenticated, key, isNew));
    },
    deliverInParts: (response) => void (admitted.later = response),
    setOperation(area, operation) {
      admitted.area = area;
      admitted.operation = operation;
    },
    async charge(cost) {
      if (cost > 1) throwRejection(reply, await admitted.charge(cost - 1));
    },
  };
}

async function addApi(
  app: FastifyInstance,
  path: string,
  audience: Audience,
  options: GraphqlApiOptions,
  admit: Admit,
): Promise<void> {
  const server = apolloServer(options, audience);
  await server.start();
  app.addHook('onClose', () => server.stop());
  const admittedRequests = new WeakMap<FastifyRequest, AdmittedRequest>();
  const checkLimits = createLimitCheck();
  const newOperationLimit = createNewOperationLimit(options.newOperationsPerMinute);
  const invalidDocuments = createInvalidDocuments(newOperationLimit, options.newOperationsPerMinute);
  options.versions?.onReload(() => invalidDocuments.clear());

  const handler = fastifyApolloHandler(server, {
    context: (request, reply): Promise<GraphqlContext> => {
      const admitted = admittedRequests.get(request);
      if (admitted === undefined) throw new Error('a request bypassed admission');
      return Promise.resolve(contextOf(admitted, request, reply, newOperationLimit, invalidDocuments));
    },
  });

  addOtherMethods(app, path);
  await app.register((scope, _, done) => {
    // before the body is read, so that rejecting a caller costs no parsing
    scope.addHook('onRequest', async (request, reply) => {
      const result = await admit(request);
      reply.raw.once('close', () => {
        // 499, as in nginx: the client disconnected before it had the response
        const status = reply.raw.writableEnded ? reply.statusCode : 499;
        result.settle('problem' in result ? { status } : { status, area: result.area, operation: result.operation });
      });
      if ('problem' in result) return sendProblem(request, reply.headers(result.headers), result.problem);
      admittedRequests.set(request, result);
    });
    scope.addHook('preHandler', async (request, reply) => {
      rejectCrossSite(request.headers);
      const text = documentOf(request.body, request.query);
      rejectMalformedPersistedQuery(text, request.body, request.query);
      const admitted = admittedRequests.get(request);
      if (text !== null && admitted !== undefined) {
        limitBytes(text);
        const hash = (admitted.documentHash = documentHash(text));
        const failed = invalidDocuments.errorsOf(hash);
        if (failed !== null) return sendRequestErrors(request, reply, failed);
        throwRejection(reply, invalidDocuments.limit(admitted, hash));
        checkLimits(text, hash);
      }
      rejectUnstorableVariables(request.body);
      rejectUnstorableVariables(request.query);
    });
    scope.addHook('onSend', async (request, reply) => {
      // as of the last charge, which included the operation's cost
      const admitted = admittedRequests.get(request);
      if (admitted !== undefined) reply.headers(admitted.headers);
      applyRequestErrorStatus(reply);
    });
    scope.setErrorHandler((error, request, reply) => sendProblem(request, reply, problemOf(error, options.log)));
    parseBodies(scope);
    scope.route({
      method: ['GET', 'POST'],
      url: path,
      exposeHeadRoute: false,
      bodyLimit: bodyLimits.bytes,
      config: { sendProblem },
      async handler(request, reply) {
        const response: unknown = await handler.call(app, request, reply);
        const later = admittedRequests.get(request)?.later ?? null;
        return later === null ? response : sendInParts(reply, String(response), later, options.log);
      },
    });
    done();
  });
}

/** Not a copy: `writes` and `headers` are getters. */
const withOperation = (admitted: Admitted): AdmittedRequest =>
  Object.assign(admitted, { area: null, operation: null, documentHash: null, later: null });

/** The public GraphQL API as a Fastify plugin; every admitted response carries rate limit headers. */
export const graphqlApi: FastifyPluginAsync<PublicGraphqlOptions> = async (app, options) => {
  addSchemaRoute(app, () => (options.versions?.schemas() ?? options.schemas).public);
  await addApi(app, '/graphql', 'public', options, async (request) => {
    const outcome = await options.admission.admit(options.callerOf(request));
    return outcome.kind === 'ADMITTED' ? withOperation(outcome) : outcome;
  });
};

/** The GraphQL API of administrators: requests are not counted, and API keys have no effect. */
export const adminGraphqlApi: FastifyPluginAsync<AdminGraphqlOptions> = async (app, options) => {
  await addApi(app, '/admin/graphql', 'admin', options, async (request) => ({
    area: null,
    operation: null,
    documentHash: null,
    later: null,
    viewer: await options.authenticate(request),
    authenticated: false,
    subject: null,
    writes: 'ALLOWED',
    headers: {},
    charge: () => Promise.resolve(null),
    settle: () => undefined,
  }));
};
