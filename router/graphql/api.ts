/** The GraphQL API: Apollo Server over the graph, public at /graphql, for administrators at /admin/graphql and for members at /portal/graphql. */
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { noteRequest } from '../../platform/telemetry/request-scope.ts';
import type { Caller } from '../../schema/entry-point.ts';
import type { Problem } from '../../schema/errors.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Admission, Admitted } from '../admission/admission.ts';
import type { Audience, RouterGraph } from '../graph.ts';
import type { MemberBudget } from '../portal/member-budget.ts';
import { incrementalRules } from '../operations/incremental-rules.ts';
import { limitBytes, limits } from '../operations/limits.ts';
import type { GraphVersions } from '../reloadable-graph.ts';
import { subscriptionApi, type SubscriptionApiOptions } from '../subscriptions/api.ts';
import type { SchemaTexts } from '../supergraph.ts';
import { contextOf, throwRejection, type AdmittedRequest } from './admitted-request.ts';
import { bodyLimits, parseBodies } from './body.ts';
import { preflightHeaders, rejectCrossSite } from './cross-site.ts';
import { createDocumentLimits, type DocumentLimits } from './document-limits.ts';
import { createDocumentStore } from './document-store.ts';
import { createFormatError, problemOf, sendProblem, sendRequestErrors } from './error-response.ts';
import { createGateway } from './gateway.ts';
import type { GraphqlContext } from './gateway.ts';
import { acceptPartsOnly, sendInParts } from './incremental-response.ts';
import type { NewOperationsPerMinute } from './new-operations.ts';
import { addOtherMethods } from './other-methods.ts';
import { rejectMalformedPersistedQuery } from './persisted-query.ts';
import { createPersistedTexts, type PersistedTexts } from './persisted-texts.ts';
import { documentOf } from './precheck.ts';
import type { RegisteredDocuments } from './registered-documents.ts';
import { applyRequestErrorStatus, markRequestErrors, reportedErrorOf } from './request-errors.ts';
import { handleWithText, requestedDocument } from './requested-document.ts';
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
  /** The registered documents of accounts; default: none. */
  readonly registeredDocuments?: RegisteredDocuments | undefined;
  /** New events and the limits of streams, for subscriptions; default: none. */
  readonly live?: Pick<SubscriptionApiOptions, 'hubs' | 'streamLimits'> | undefined;
}

export interface PortalGraphqlOptions extends GraphqlApiOptions {
  /** The member of the request's session. Throws Problem sign_in_required (401), account_unavailable (403) or csrf_refused (400). */
  readonly authenticate: (
    request: FastifyRequest,
  ) => Promise<{ readonly viewer: Viewer; readonly writes: boolean; readonly userId: string; readonly accountId: string }>;
  readonly budget: MemberBudget;
}

export interface AdminGraphqlOptions extends GraphqlApiOptions {
  /** The administrator of the request's session. Throws Problem sign_in_required (401) or csrf_refused (400). */
  readonly authenticate: (request: FastifyRequest) => Promise<Viewer>;
}

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

async function addApi(
  app: FastifyInstance,
  path: string,
  audience: Audience,
  options: GraphqlApiOptions,
  admit: Admit,
  { checkLimits, operations, invalidDocuments }: DocumentLimits,
  registeredDocuments?: RegisteredDocuments,
): Promise<void> {
  const server = apolloServer(options, audience);
  await server.start();
  app.addHook('onClose', () => server.stop());
  const admittedRequests = new WeakMap<FastifyRequest, AdmittedRequest>();

  const handle = fastifyApolloHandler(server, {
    context: (request, reply): Promise<GraphqlContext> => {
      const admitted = admittedRequests.get(request);
      if (admitted === undefined) throw new Error('a request bypassed admission');
      return Promise.resolve(contextOf(admitted, request, reply, operations, invalidDocuments));
    },
  });

  /** A registered document that was requested by its id is passed on as text. */
  function handler(this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    const document = admittedRequests.get(request)?.document ?? null;
    const pass = () => handle.call(this, request, reply);
    return document?.isRegistered === true ? handleWithText(request, document.text, pass) : pass();
  }

  addOtherMethods(app, path);
  await app.register((scope, _, done) => {
    // before the body is read, so that rejecting a caller costs no parsing
    scope.addHook('onRequest', async (request, reply) => {
      const result = await admit(request);
      reply.raw.once('close', () => {
        // 499, as in nginx: the client disconnected before it had the response
        const status = reply.raw.writableEnded ? reply.statusCode : 499;
        const outcome = { status, error: reportedErrorOf(reply) };
        if ('problem' in result) return result.settle(outcome);
        const { area, operation, document } = result;
        result.settle({ ...outcome, area, operation, document: document?.hash ?? null });
      });
      if ('problem' in result) return sendProblem(request, reply.headers(result.headers), result.problem);
      admittedRequests.set(request, result);
    });
    scope.addHook('preHandler', async (request, reply) => {
      rejectCrossSite(request.headers);
      const given = documentOf(request.body, request.query);
      rejectMalformedPersistedQuery(given, request.body, request.query);
      const admitted = admittedRequests.get(request);
      if (given !== null) limitBytes(given);
      const document = admitted === undefined ? null : await requestedDocument(request, admitted, registeredDocuments);
      if (document !== null && admitted !== undefined) {
        const { text, hash, isRegistered } = (admitted.document = document);
        const failed = invalidDocuments.errorsOf(hash);
        if (failed !== null) return sendRequestErrors(request, reply, failed);
        if (!isRegistered) throwRejection(reply, invalidDocuments.limit(admitted, hash));
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
  Object.assign(admitted, { area: null, operation: null, document: null, later: null });

/** The public GraphQL API as a Fastify plugin; every admitted response carries rate limit headers. */
export const graphqlApi: FastifyPluginAsync<PublicGraphqlOptions> = async (app, options) => {
  addSchemaRoute(app, () => (options.versions?.schemas() ?? options.schemas).public);
  const admit: Admit = async (request) => {
    const outcome = await options.admission.admit(options.callerOf(request));
    if (outcome.authenticated) noteRequest({ isAuthenticated: true });
    return outcome.kind === 'ADMITTED' ? withOperation(outcome) : outcome;
  };
  const documentLimits = createDocumentLimits(options.newOperationsPerMinute, options.versions);
  await addApi(app, '/graphql', 'public', options, admit, documentLimits, options.registeredDocuments);
  if (options.live !== undefined) await app.register(subscriptionApi, { ...options, ...options.live, documentLimits });
};

/** A request of a session, which is not counted against the quota of a key. */
const ofSession = (viewer: Viewer): AdmittedRequest => ({
  area: null,
  operation: null,
  document: null,
  later: null,
  quota: null,
  registeredDocumentsOnly: false,
  viewer,
  authenticated: false,
  subject: null,
  writes: 'ALLOWED',
  headers: {},
  charge: () => Promise.resolve(null),
  settle: () => undefined,
});

/** The GraphQL API of members: requests are not counted against the quota of a key, but limited per user and account. */
export const portalGraphqlApi: FastifyPluginAsync<PortalGraphqlOptions> = async (app, options) => {
  const { budget } = options;
  const admit: Admit = async (request) => {
    const { viewer, writes, userId, accountId } = await options.authenticate(request);
    const charge: AdmittedRequest['charge'] = (units) => Promise.resolve(budget.consume(userId, accountId, units));
    const rejection = await charge(1);
    if (rejection !== null) return { ...rejection, settle: () => undefined };
    // the limits of new operations of a key, so that a member cannot fill the caches of plans
    const limited = { subject: `member ${userId}`, authenticated: true, charge };
    return { ...ofSession(viewer), ...limited, writes: writes ? 'ALLOWED' : 'NOT_IN_PLAN' };
  };
  const documentLimits = createDocumentLimits(options.newOperationsPerMinute, options.versions);
  await addApi(app, '/portal/graphql', 'portal', options, admit, documentLimits);
};

/** The GraphQL API of administrators: requests are not counted, and API keys have no effect. */
export const adminGraphqlApi: FastifyPluginAsync<AdminGraphqlOptions> = async (app, options) => {
  const authenticated: Admit = async (request) => ofSession(await options.authenticate(request));
  const documentLimits = createDocumentLimits(options.newOperationsPerMinute, options.versions);
  await addApi(app, '/admin/graphql', 'admin', options, authenticated, documentLimits);
};
