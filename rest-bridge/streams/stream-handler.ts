/** Serves the list of events as a stream of Server-Sent Events: `GET /events/stream` with the filters of `GET /events`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { callerOf } from '../../platform/http/caller.ts';
import { clientSignal } from '../../platform/http/client-signal.ts';
import { pathOf } from '../../platform/http/problem.ts';
import type { EventStreams, OperationResponse, StreamResponse } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import type { BulkHandlerOptions } from '../bulk-handler.ts';
import type { ReadRequest } from '../requests/request-reader.ts';
import { exposed } from '../responses/cors.ts';
import { problemOf } from '../responses/execution-problem.ts';
import { vary } from '../responses/response.ts';

/** The operation whose items are streamed. */
export const streamedOperation = 'listEvents';

/** The path of the stream of a list. */
export const streamPathOf = (path: string): string => `${path}/stream`;

/** Parameters of the list that a stream does not have. */
const listParameters = ['limit', 'fields', 'include'] as const;

export const isStreamParameter = (name: string): boolean => !listParameters.some((each) => each === name);

export const eventStreamType = 'text/event-stream';

/** The longest cursor, as in the SDL. */
const cursorMax = 2_048;

/** Data of minors can be in any event. nginx and others buffer responses by default. */
const headers: Readonly<Record<string, string>> = {
  'content-type': eventStreamType,
  'cache-control': 'private, no-store, no-transform',
  'x-accel-buffering': 'no',
  vary,
};

interface StreamHandlerOptions extends BulkHandlerOptions {
  readonly eventStreams: EventStreams;
}

function unacceptable(accept: string | undefined): Problem | null {
  if (accept === undefined || accept.trim() === '') return null;
  const accepted = new Negotiator({ headers: { accept } }).mediaTypes([eventStreamType, 'application/problem+json']);
  if (accepted.length > 0) return null;
  const detail = `This operation responds with ${eventStreamType}. Send it in Accept, or no Accept.`;
  return new Problem('not_acceptable', detail, { available: [eventStreamType] });
}

/** The problem of parameters that a stream does not have; null without one. */
function parameterProblem(url: string): Problem | null {
  const given = new URLSearchParams(url.slice(pathOf(url).length));
  const parameter = listParameters.find((name) => given.has(name));
  if (parameter === undefined) return null;
  const detail = 'is not available for streams: remove it';
  return new Problem('parameter_invalid', `\`${parameter}\` ${detail}.`, {
    errors: [{ parameter, code: 'unsupported', detail }],
  });
}

/** Where the stream begins: a client that reconnects repeats its URL, and adds the header. */
function cursorOf({ headers: { 'last-event-id': last } }: FastifyRequest, { variables }: ReadRequest): string | null {
  const cursor = typeof last === 'string' && last !== '' ? last : variables['cursor'];
  if (typeof cursor !== 'string') return null;
  if (cursor.length > cursorMax) throw new Problem('cursor_invalid', '`Last-Event-ID` is not the id of an event of a stream.');
  return cursor;
}

function readOf(request: FastifyRequest, readRequest: (request: FastifyRequest) => ReadRequest | Problem) {
  const problem = unacceptable(request.headers.accept) ?? parameterProblem(request.url);
  if (problem !== null) return problem;
  const read = readRequest(request);
  if (read instanceof Problem) return read;
  try {
    const { limit: _, cursor: __, ...filter } = read.variables;
    return { filter, cursor: cursorOf(request, read) };
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** A response without data, as far as rejections need it. */
const asResponse = ({ errors, headers: own, settle }: StreamResponse): OperationResponse => ({
  data: null,
  errors,
  headers: own,
  authenticated: true,
  notes: {},
  settle,
});

/** Creates the handler of the stream. */
export function createStreamHandler(options: StreamHandlerOptions) {
  const { operation, read: readRequest, eventStreams, execute, reject, sendRejection } = options;

  /** The headers of the stream; HEAD opens none. */
  async function sendHead(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const response = await execute(request, { operation: operation.name, input: null });
    if (response.errors.length > 0) return sendRejection(reply, response, problemOf(response.errors, operation));
    response.settle({ status: 200 });
    return reply.headers(response.headers).headers(exposed).headers(headers).send();
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const read = readOf(request, readRequest);
    if (read instanceof Problem) return reject(request, reply, read, operation.name);
    if (request.method === 'HEAD') return sendHead(request, reply);
    const signal = clientSignal(reply);
    const response = await eventStreams.open({ ...read, caller: callerOf(request), operation: operation.name, signal });
    if (response.start === null) return sendRejection(reply, asResponse(response), problemOf(response.errors, operation));
    reply.headers(response.headers).headers(exposed).headers(headers);
    // the bytes are written directly: without compression and without another stream
    reply.hijack();
    reply.raw.writeHead(200, headersOf(reply));
    response.start(reply.raw);
    return reply;
  };
}

const headersOf = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
