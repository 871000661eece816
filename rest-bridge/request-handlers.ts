/** The Fastify handlers of REST operations: read the request, execute it through the entry point, send the response. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../platform/http/caller.ts';
import { clientSignal } from '../platform/http/client-signal.ts';
import { startDeferred, type DeferredOperation } from '../platform/http/deferred-operation.ts';
import { sendProblem, toProblem } from '../platform/http/problem.ts';
import { countResponse } from '../platform/telemetry/metrics.ts';
import { noteRequest } from '../platform/telemetry/request-scope.ts';
import type { EntryPoint, EventStreams, OperationResponse, OperationRequest } from '../schema/entry-point.ts';
import { errors, Problem } from '../schema/errors.ts';
import { reportedError } from '../schema/reported-error.ts';
import type { Sport } from '../schema/sports.ts';
import { joinedMembers } from './operations/joined-members.ts';
import type { Operation } from './operations/operation.ts';
import type { BodyLimits } from './requests/body-limits.ts';
import type { Calendar } from './calendars/calendar.ts';
import { createCalendarHandler } from './calendars/calendar-handler.ts';
import { createBulkHandler } from './bulk-handler.ts';
import { createDocumentHandler } from './document-handler.ts';
import { hasDocuments, responseFormat } from './requests/response-format.ts';
import { unsupportedBody } from './requests/media-type.ts';
import { otherSport } from './requests/other-sport.ts';
import { createRequestReader } from './requests/request-reader.ts';
import type { ReadRequest } from './requests/request-reader.ts';
import type { Validators } from './requests/validators.ts';
import { exposed } from './responses/cors.ts';
import { problemOf } from './responses/execution-problem.ts';
import { createResponseCache, type KeptResponse } from './responses/response-cache.ts';
import { createStreamHandler } from './streams/stream-handler.ts';
import { collectionsOf, buildResponse, isNotModified } from './responses/response.ts';
import type { RestResponse } from './responses/response.ts';

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

export interface RequestHandlers {
  /** The onRequest hook of an operation that may have a body: admission rejects a request before its body is read. */
  readonly admit: (operation: Operation) => Hook;
  /** The handler of the calendar of a list. */
  readonly serveCalendar: (operation: Operation, calendar: Calendar) => Handler;
  /** The handler of the stream of a list. */
  readonly serveStream: (operation: Operation) => Handler;
  /** The handler of an operation. */
  readonly serve: (operation: Operation) => Handler;
  /** Sends a problem of the bridge after admission and charging; a rejection of admission is sent instead. */
  readonly reject: (
    request: FastifyRequest,
    reply: FastifyReply,
    problem: Problem,
    operation?: string | null,
  ) => Promise<FastifyReply>;
}

export interface RequestHandlerOptions {
  readonly entryPoint: EntryPoint;
  readonly eventStreams: EventStreams;
  readonly operations: readonly Operation[];
  readonly validatorsOf: (operation: Operation) => Validators;
  readonly limitsOf: (operation: Operation) => BodyLimits;
  readonly sportOf: (host: string) => Sport | null;
  readonly publicUrl?: string | null | undefined;
  /** Size of the cache of responses in bytes; 0: responses are not kept. */
  readonly responseCacheBytes: number;
}

export function createRequestHandlers(options: RequestHandlerOptions): RequestHandlers {
  const { entryPoint, eventStreams, operations, validatorsOf, limitsOf, sportOf, publicUrl, responseCacheBytes } = options;
  const cache = createResponseCache(responseCacheBytes);
  const collectionOf = collectionsOf(operations);
  // Not from the Host header, which the caller controls and a cache would pass on. Relative links are valid (RFC 8288 section 3.1).
  const base = publicUrl?.replace(/\/$/, '') ?? '';

  /** Requests that were admitted before their input was read, or rejected. */
  const started = new WeakMap<FastifyRequest, Pick<DeferredOperation, 'response' | 'provide'>>();

  function failedResponse(request: FastifyRequest, error: unknown): OperationResponse {
    request.log.error({ err: error }, 'router call failed');
    const { code, message } = toProblem(error);
    const failed = [{ message, extensions: { code } }];
    return { data: null, errors: failed, headers: {}, authenticated: false, notes: {}, settle: () => undefined };
  }

  const safeEntryPoint = (request: FastifyRequest): EntryPoint => ({
    execute: (call) => entryPoint.execute(call).catch((error: unknown) => failedResponse(request, error)),
  });

  async function execute(request: FastifyRequest, call: Omit<OperationRequest, 'caller'>): Promise<OperationResponse> {
    const response = await safeEntryPoint(request).execute({ ...call, caller: callerOf(request) });
    if (response.authenticated) noteRequest({ isAuthenticated: true });
    return response;
  }

  function sendRejection(reply: FastifyReply, response: OperationResponse, problem: Problem): FastifyReply {
    response.settle({ status: errors[problem.code].status, error: reportedError(problem) });
    return sendProblem(reply.headers(response.headers).headers(exposed), problem);
  }

  const reject: RequestHandlers['reject'] = async (request, reply, problem, operation = null) => {
    const known = started.get(request) ?? { response: execute(request, { operation, input: null }), provide: () => undefined };
    started.set(request, known);
    known.provide(null);
    const response = await known.response;
    return sendRejection(reply, response, response.errors.length > 0 ? problemOf(response.errors, null) : problem);
  };

  /** A batch without a valid item is charged like a rejected request, and still returns its outcomes. */
  async function executeRead(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
    read: ReadRequest,
    kept?: KeptResponse,
  ): Promise<OperationResponse> {
    const input = { document: read.documentId, variables: read.variables };
    const deferred = started.get(request);
    if (deferred === undefined)
      return execute(request, {
        operation: read.documentId,
        input,
        signal: clientSignal(reply),
        kept: kept?.sources,
        isConditional: request.headers['if-none-match'] !== undefined,
      });
    const isEmptyBatch = read.batch?.items.length === 0;
    deferred.provide(isEmptyBatch ? null : input);
    const response = await deferred.response;
    return isEmptyBatch ? { ...response, data: { [operation.rootName]: { data: [] } } } : response;
  }

  function responseOrProblem(
    request: FastifyRequest,
    operation: Operation,
    read: ReadRequest,
    response: OperationResponse,
  ): RestResponse | Problem {
    try {
      return buildResponse(operation, read, response, {
        url: request.url,
        base,
        ifMatch: request.headers['if-match'],
        collection: collectionOf(operation, request.url),
      });
    } catch (error) {
      if (!(error instanceof Problem))
        request.log.error({ err: error, operation: operation.name }, 'response could not be built');
      return toProblem(error);
    }
  }

  /** Sends a response, or 304 to a read when the client already has it. */
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { headers, notModifiedHeaders, settle }: OperationResponse,
    operation: Operation,
    result: Omit<RestResponse, 'body'>,
    sendBody: () => FastifyReply | Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const isSame = operation.method === 'GET' && isNotModified(result, request.headers['if-none-match']);
    const status = isSame ? 304 : result.status;
    const ownHeaders = isSame && notModifiedHeaders !== undefined ? notModifiedHeaders : headers;
    reply.headers(ownHeaders).headers(exposed).headers(withLinks(result.headers, reply));
    settle({ status });
    reply.code(status);
    return isSame ? reply.removeHeader('content-type').send() : sendBody();
  }

  /** Creates the reader of an operation's requests. At the host of a sport, `sport` can only be that one. */
  function readerOf(operation: Operation): (request: FastifyRequest) => ReadRequest | Problem {
    const readRequest = createRequestReader(
      operation,
      validatorsOf(operation),
      limitsOf(operation).values,
      joinedMembers(operation, operations),
    );
    return (request) => {
      const read = readOrProblem(readRequest, operation, request);
      const sport = sportOf(request.host);
      return sport === null || read instanceof Problem ? read : (otherSport(operation, read, sport) ?? read);
    };
  }

  return {
    reject,
    admit: (operation) => async (request, reply) => {
      const call = { caller: callerOf(request), operation: operation.name };
      const deferred = startDeferred(safeEntryPoint(request), call, reply);
      started.set(request, deferred);
      const rejection = await deferred.rejection;
      return rejection === null ? undefined : sendRejection(reply, rejection, problemOf(rejection.errors, null));
    },
    serveCalendar: (operation, calendar) =>
      createCalendarHandler({ operation, calendar, base, read: readerOf(operation), execute, reject, sendRejection }),
    serveStream: (operation) =>
      createStreamHandler({ operation, eventStreams, read: readerOf(operation), execute, reject, sendRejection }),
    serve(operation) {
      const readRequest = readerOf(operation);
      const serving = { operation, read: readRequest, execute, reject, sendRejection };
      const serveFormat = hasDocuments(operation) ? createDocumentHandler(serving) : createBulkHandler(serving);
      return async (request, reply) => {
        const format = responseFormat(operation, request.headers.accept);
        if (format instanceof Problem) return reject(request, reply, format, operation.name);
        if (format !== 'json' && request.method === 'GET') return serveFormat(request, reply, format);
        const kept = operation.method === 'GET' ? cache.find(request) : undefined;
        const read = kept?.read ?? readRequest(request);
        if (read instanceof Problem) return reject(request, reply, read, operation.name);
        const response = await executeRead(request, reply, operation, read, kept);
        if (operation.method === 'GET') countResponse({ result: response.isUnchanged === true ? 'hit' : 'miss' });
        if (kept !== undefined && response.isUnchanged === true)
          return send(request, reply, response, operation, { status: 200, headers: kept.headers }, () =>
            kept.body.send(request, reply),
          );
        const result = responseOrProblem(request, operation, read, response);
        if (result instanceof Problem) return sendRejection(reply, response, result);
        if (response.sources !== undefined && result.status === 200) cache.keep(request, read, result, response.sources);
        return send(request, reply, response, operation, result, () => reply.send(result.body ?? undefined));
      };
    },
  };
}

function readOrProblem(
  read: ReturnType<typeof createRequestReader>,
  operation: Operation,
  request: FastifyRequest,
): ReadRequest | Problem {
  const { url, headers, body } = request;
  try {
    return (
      // Cast: Fastify types params as unknown. They are the strings that the path of the operation names.
      unsupportedBody(request, operation) ?? read({ url, params: request.params as Record<string, string>, headers, body })
    );
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Appends the Link header that the version hook has already set. */
function withLinks(headers: RestResponse['headers'], reply: FastifyReply): RestResponse['headers'] {
  const set = reply.getHeader('link');
  return typeof set === 'string' && headers['link'] !== undefined ? { ...headers, link: `${headers['link']}, ${set}` } : headers;
}
