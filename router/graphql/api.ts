/** The GraphQL door: Apollo Server over our graph, public at /graphql and for administrators at /admin/graphql. */
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import type { Caller } from '../../schema/entry-point.ts';
import type { Problem } from '../../schema/errors.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Admission, Admitted } from '../admission/admission.ts';
import type { Audience, RouterGraph } from '../graph.ts';
import { createFormatError, problemOf, sendProblem } from './error-response.ts';
import { createDocumentStore } from './document-store.ts';
import { createGateway } from './gateway.ts';
import type { GraphqlContext } from './gateway.ts';
import { addOtherMethods } from './other-methods.ts';
import { rejectMalformedPersistedQuery } from './persisted-query.ts';
import { createLimitCheck, documentOf, rejectCrossSite } from './precheck.ts';
import { createNewOperationLimit } from './new-operations.ts';
import type { NewOperationsPerMinute } from './new-operations.ts';
import { rejectUnstorableVariables } from './unstorable-text.ts';
import { limits } from '../operations/limits.ts';
import type { SchemaTexts } from '../supergraph.ts';

export interface GraphqlApiOptions {
  readonly graph: RouterGraph;
  readonly schemas: SchemaTexts;
  readonly log: Logger;
  /** How often callers may ask what was not asked before; the usual when absent. */
  readonly newOperationsPerMinute?: NewOperationsPerMinute | undefined;
  /** Bytes of a body at most; default 256 KiB. */
  readonly bodyLimit?: number;
}

export interface PublicGraphqlOptions extends GraphqlApiOptions {
  readonly admission: Pick<Admission, 'admit'>;
  /** The caller as the wire shows him. */
  readonly callerOf: (request: FastifyRequest) => Caller;
}

export interface AdminGraphqlOptions extends GraphqlApiOptions {
  /** The administrator whose session the request carries. Throws Problem sign_in_required (401) or csrf_refused (400). */
  readonly authenticate: (request: FastifyRequest) => Promise<Viewer>;
}

/** Who passed: with a charge and a settlement at the public door, without at the administrators'. */
type Passed = Pick<Admitted, 'viewer' | 'authenticated' | 'writes' | 'charge' | 'settle' | 'headers'> & {
  readonly subject: string | null;
  area: Area | null;
  operation: string | null;
};

/** How a door lets a request in. */
type Enter = (
  request: FastifyRequest,
) => Promise<
  Passed | { readonly problem: Problem; readonly headers: Readonly<Record<string, string>>; readonly settle: Passed['settle'] }
>;

function apolloServer(options: GraphqlApiOptions, audience: Audience): ApolloServer<GraphqlContext> {
  const { graph, schemas, log } = options;
  return new ApolloServer<GraphqlContext>({
    gateway: createGateway(graph, audience, schemas[audience]),
    nodeEnv: 'production',
    introspection: true,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    documentStore: createDocumentStore(),
    parseOptions: { maxLexicalTokens: limits.tokens },
    formatError: createFormatError(log),
    logger: log,
    plugins: [ApolloServerPluginLandingPageDisabled()],
    // The process stops its servers itself, in order.
    stopOnTerminationSignals: false,
  });
}

/** Aborted when the client leaves before he has his answer. */
function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    // also emitted after a whole answer, and an abort makes an error with a stack each time
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Admission's answer, and room for what the operation turns out to be about. */
const withArea = (admitted: Admitted): Passed => Object.assign(admitted, { area: null, operation: null });

async function openDoor(
  app: FastifyInstance,
  path: string,
  audience: Audience,
  options: GraphqlApiOptions,
  enter: Enter,
): Promise<void> {
  const server = apolloServer(options, audience);
  await server.start();
  app.addHook('onClose', () => server.stop());
  const passed = new WeakMap<FastifyRequest, Passed>();
  const limit = createLimitCheck();
  const newOperationLimit = createNewOperationLimit(options.newOperationsPerMinute);

  const answer = fastifyApolloHandler(server, {
    context: (request, reply): Promise<GraphqlContext> => {
      const entered = passed.get(request);
      if (entered === undefined) throw new Error('a request came past admission');
      return Promise.resolve({
        viewer: entered.viewer,
        get writes() {
          return entered.writes;
        },
        requestId: request.id,
        signal: signalOf(reply),
        checkNewOperation(key, isNew) {
          const refused = entered.subject === null ? null : newOperationLimit(entered.subject, entered.authenticated, key, isNew);
          if (refused === null) return;
          reply.headers(refused.headers);
          throw refused.problem;
        },
        setOperation(area, operation) {
          entered.area = area;
          entered.operation = operation;
        },
        async charge(cost) {
          const refused = cost > 1 ? await entered.charge(cost - 1) : null;
          if (refused === null) return;
          reply.headers(refused.headers);
          throw refused.problem;
        },
      });
    },
  });

  addOtherMethods(app, path);
  await app.register((scope, _, done) => {
    // Before the body is read: a refused caller costs no parsing.
    scope.addHook('onRequest', async (request, reply) => {
      const entered = await enter(request);
      reply.raw.once('close', () => {
        // who left before his answer was told nothing: 499, as nginx has it
        const status = reply.raw.writableEnded ? reply.statusCode : 499;
        entered.settle('problem' in entered ? { status } : { status, area: entered.area, operation: entered.operation });
      });
      if ('problem' in entered) return sendProblem(request, reply.headers(entered.headers), entered.problem);
      passed.set(request, entered);
    });
    scope.addHook('preHandler', (request, _reply, next) => {
      rejectCrossSite(request.headers);
      const text = documentOf(request.body, request.query);
      rejectMalformedPersistedQuery(text, request.body, request.query);
      if (text !== null) limit(text);
      rejectUnstorableVariables(request.body);
      rejectUnstorableVariables(request.query);
      next();
    });
    scope.addHook('onSend', async (request, reply) => {
      // As of the last charge, which came with the operation's cost.
      const entered = passed.get(request);
      if (entered !== undefined) reply.headers(entered.headers);
    });
    scope.setErrorHandler((error, request, reply) => sendProblem(request, reply, problemOf(error, options.log)));
    scope.route({
      method: ['GET', 'POST'],
      url: path,
      exposeHeadRoute: false,
      bodyLimit: options.bodyLimit ?? 256 * 1024,
      handler: answer,
    });
    done();
  });
}

/** The public GraphQL server as a Fastify plugin; rate headers are on every answer that admission knows of. */
export const graphqlApi: FastifyPluginAsync<PublicGraphqlOptions> = async (app, options) => {
  await openDoor(app, '/graphql', 'public', options, async (request) => {
    const outcome = await options.admission.admit(options.callerOf(request));
    return outcome.kind === 'ADMITTED' ? withArea(outcome) : outcome;
  });
};

/** The GraphQL server of administrators: nothing of it is counted, and keys say nothing there. */
export const adminGraphqlApi: FastifyPluginAsync<AdminGraphqlOptions> = async (app, options) => {
  await openDoor(app, '/admin/graphql', 'admin', options, async (request) => ({
    area: null,
    operation: null,
    viewer: await options.authenticate(request),
    authenticated: false,
    subject: null,
    writes: 'ALLOWED',
    headers: {},
    charge: () => Promise.resolve(null),
    settle: () => undefined,
  }));
};
