/** GraphQL subscriptions as a Fastify plugin: graphql-sse at /graphql/stream and graphql-ws at /graphql/ws. */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import type { Logger } from 'pino';
import { sendProblem as sendHttpProblem } from '../../platform/http/problem.ts';
import { addWebSockets } from '../../platform/http/web-sockets.ts';
import type { Caller } from '../../schema/entry-point.ts';
import { errors, Problem } from '../../schema/errors.ts';
import { reportedError, type ReportedError } from '../../schema/reported-error.ts';
import type { Admission, Admitted } from '../admission/admission.ts';
import type { RouterGraph } from '../graph.ts';
import { throwRejection } from '../graphql/admitted-request.ts';
import { bodyLimits, parseBodies } from '../graphql/body.ts';
import { rejectCrossSite } from '../graphql/cross-site.ts';
import type { DocumentLimits } from '../graphql/document-limits.ts';
import { problemOf, sendProblem } from '../graphql/error-response.ts';
import { addOtherMethods } from '../graphql/other-methods.ts';
import type { RegisteredDocuments } from '../graphql/registered-documents.ts';
import { perHub, type EventHubs } from '../streams/event-hubs.ts';
import type { StreamLimits } from '../streams/stream-limits.ts';
import { createEventStreams, type EventStream } from './event-stream.ts';
import { serveGraphqlSocket } from './graphql-socket.ts';
import { limits } from './limits.ts';
import { createLiveSubscriptions } from './live-subscriptions.ts';
import { errorOf, errorsText } from './payload.ts';
import { createPayloadCharges } from './payload-charges.ts';
import { createSubscriptionRequests, InvalidSubscription } from './requested-subscription.ts';
import { createSharedSubscriptions } from './shared-subscriptions.ts';
import { subscriptionError } from './subscription-error.ts';

export interface SubscriptionApiOptions {
  readonly graph: RouterGraph;
  readonly log: Logger;
  readonly admission: Pick<Admission, 'admit'>;
  readonly callerOf: (request: FastifyRequest) => Caller;
  readonly registeredDocuments?: RegisteredDocuments | undefined;
  readonly documentLimits: DocumentLimits;
  readonly hubs: Pick<EventHubs, 'of'>;
  readonly streamLimits: Pick<StreamLimits, 'acquire'>;
}

export const streamPath = '/graphql/stream';
export const socketPath = '/graphql/ws';

function createLive({ graph, log, admission, documentLimits, registeredDocuments, hubs, streamLimits }: SubscriptionApiOptions) {
  const charges = createPayloadCharges(admission, log);
  const sharedOf = perHub((hub) => createSharedSubscriptions(graph, hub, log));
  const failed = (error: unknown) => errorOf(problemOf(error, log));
  return {
    request: createSubscriptionRequests({ graph, documentLimits, registeredDocuments }),
    live: createLiveSubscriptions((viewer) => sharedOf(hubs.of(viewer)), streamLimits, charges, failed),
    errorsJson: (error: unknown): string =>
      error instanceof InvalidSubscription ? JSON.stringify(error.errors) : errorsText([failed(error)]),
    close: () => charges.close(),
  };
}

type Live = ReturnType<typeof createLive>;

/** Whether the response is the problem with its status: the caller may retry. Others are errors of the operation, in the stream. */
const isHttpError = (error: unknown): error is Problem => {
  if (!(error instanceof Problem)) return false;
  const { status } = errors[error.code];
  return status === 429 || status === 503;
};

function addStreams(
  app: FastifyInstance,
  options: SubscriptionApiOptions,
  { request: requestSubscription, live, errorsJson }: Live,
) {
  const { admission, callerOf, log } = options;
  const admittedRequests = new WeakMap<FastifyRequest, { readonly admitted: Admitted; readonly caller: Caller }>();
  const streams = createEventStreams();
  app.addHook('preClose', (done) => {
    streams.close();
    done();
  });

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const by = admittedRequests.get(request);
    if (by === undefined) throw new Error('a request bypassed admission');
    const { admitted } = by;
    let stream: EventStream | null = null;
    let stop = (): void => undefined;
    const open = (): EventStream => (stream ??= streams.open(reply, admitted.headers, () => stop()));
    let status = 200;
    let operation: string | null = null;
    let failure: ReportedError | null = null;
    try {
      rejectCrossSite(request.headers);
      const requested = await requestSubscription(request, { admitted, reject: (rejection) => throwRejection(reply, rejection) });
      operation = requested.name;
      // the client has disconnected meanwhile
      if (reply.raw.destroyed) return admitted.settle({ status: 499, operation });
      stop = live.start(requested, by, {
        next: ({ event }) => open().write(event),
        end: (failures) => open().complete(errorsText(failures)),
        disconnect: () => open().disconnect(),
      });
      open();
    } catch (error) {
      failure = subscriptionError(error);
      if (isHttpError(error) || (error instanceof Problem && error.code === 'csrf_refused')) {
        status = errors[error.code].status;
        sendProblem(request, reply.headers(admitted.headers), error);
      } else open().complete(errorsJson(error));
    }
    admitted.settle({ status, operation, error: failure });
  }

  addOtherMethods(app, streamPath);
  void app.register((scope, _, done) => {
    // before the body is read, as in /graphql
    scope.addHook('onRequest', async (request, reply) => {
      const caller = callerOf(request);
      const outcome = await admission.admit(caller);
      if (outcome.kind === 'ADMITTED') return void admittedRequests.set(request, { admitted: outcome, caller });
      outcome.settle({ status: errors[outcome.problem.code].status, error: reportedError(outcome.problem) });
      return sendProblem(request, reply.headers(outcome.headers), outcome.problem);
    });
    scope.setErrorHandler((error, request, reply) => sendProblem(request, reply, problemOf(error, log)));
    parseBodies(scope);
    scope.route({
      method: ['GET', 'POST'],
      url: streamPath,
      exposeHeadRoute: false,
      bodyLimit: bodyLimits.bytes,
      config: { sendProblem },
      async handler(request, reply) {
        await handle(request, reply);
        return reply;
      },
    });
    done();
  });
}

/** A page of any site can open a WebSocket; it has no rights beyond those of its keys, because neither cookies nor Origin count. */
function addSockets(app: FastifyInstance, { admission, callerOf }: SubscriptionApiOptions, own: Live): void {
  const protocol = GRAPHQL_TRANSPORT_WS_PROTOCOL;
  const sockets = addWebSockets(app, { protocol, messageBytes: limits.messageBytes, heartbeatMs: limits.heartbeatMs });
  const detail = `Connect with a WebSocket client and the subprotocol ${protocol}, or send the subscription to ${streamPath}.`;
  app.get(socketPath, { exposeHeadRoute: false, config: { sendProblem, isWebSocket: true } }, (request, reply) => {
    if (!sockets.isUpgrade(request))
      return sendHttpProblem(reply.header('upgrade', 'websocket'), new Problem('parameter_invalid', detail));
    sockets.accept(request, reply, (socket) => serveGraphqlSocket(socket, callerOf(request), { ...own, admission }));
    return reply;
  });
}

export const subscriptionApi: FastifyPluginAsync<SubscriptionApiOptions> = (app, options) => {
  const live = createLive(options);
  addStreams(app, options, live);
  addSockets(app, options, live);
  app.addHook('onClose', () => live.close());
  return Promise.resolve();
};
