/** `/mcp`: the reads that have @tool as tools for assistants, over the Model Context Protocol (Streamable HTTP, docs/mcp.md). */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../platform/http/caller.ts';
import { clientSignal } from '../../platform/http/client-signal.ts';
import { addStatusHeaders, problemBody, sendProblem, toProblem } from '../../platform/http/problem.ts';
import type { EntryPoint } from '../../schema/entry-point.ts';
import { errors, Problem } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import { reportedError } from '../../schema/reported-error.ts';
import { parseBody } from '../requests/body.ts';
import { problemOf } from '../responses/execution-problem.ts';
import type { MessageServer } from './message-server.ts';
import type { CallTool } from './tool-calls.ts';

export interface EndpointOptions {
  readonly entryPoint: EntryPoint;
  /** The function of a tool; null when there is none of this name. */
  readonly callTool: (name: string) => CallTool | null;
  readonly isAllowedOrigin: (origin: string | undefined) => boolean;
  readonly openMessageServer: () => Promise<MessageServer>;
}

export const mcpPath = '/mcp';

const bodyLimit = 64 * 1024;
const valuesMax = 1_000;
const allow = 'OPTIONS, POST';

/** The codes of JSON-RPC 2.0, section 5.1. */
const rpcCodes = { parseError: -32700, invalidRequest: -32600, methodNotFound: -32601, serverError: -32000 };

/** What happened to a message so far. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  isAdmitted: boolean;
  /** A key that is not valid: the response is 401, as the protocol requires. */
  unauthorized: Problem | null;
}

/** The id of a request, which its response repeats. */
function idOf(message: unknown): string | number | null {
  const id = isRecord(message) ? message['id'] : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function sendRpcError(
  reply: FastifyReply,
  problem: Problem,
  code = rpcCodes.serverError,
  id: string | number | null = null,
): FastifyReply {
  const { request } = reply;
  const data = problemBody(problem, { instance: mcpPath, requestId: request.id });
  return addStatusHeaders(reply, problem)
    .code(errors[problem.code].status)
    .type('application/json; charset=utf-8')
    .send({ jsonrpc: '2.0', id, error: { code, message: problem.message, data } });
}

/** The headers that the protocol reads, as a web request without its body. */
function webRequest({ headers, host }: FastifyRequest): Request {
  const read = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^(?:accept|content-type|mcp-.*)$/.test(name) ? [[name, value]] : [],
  );
  return new Request(new URL(mcpPath, `http://${host}`), { method: 'POST', headers: read });
}

/** A message of a batch could hide many calls, and revisions since 2025-06-18 have none. */
function invalidMessage(message: unknown): Problem | null {
  if (Array.isArray(message)) return new Problem('malformed_json', 'Batches are not supported. Send one message per request.');
  const isMessage = isRecord(message) && typeof message['method'] === 'string';
  return isMessage ? null : new Problem('malformed_json', 'The body must be a JSON-RPC message with a `method`.');
}

const isToolCall = (message: unknown): boolean => isRecord(message) && message['method'] === 'tools/call';
/** The tools do not change while the process runs, and a stream would stay open. */
const opensStream = (message: unknown): boolean => isRecord(message) && message['method'] === 'subscriptions/listen';

/** Adds the routes of `/mcp`. Every message is admitted: a tool call as its REST route, others against the burst. */
export const mcpEndpoint: FastifyPluginCallback<EndpointOptions> = (app, options, done) => {
  const { entryPoint, callTool, isAllowedOrigin, openMessageServer } = options;
  let opened: Promise<MessageServer> | null = null;
  app.addHook('onClose', async () => (await opened)?.close());

  /** Admits a message that executes nothing; `own` is the problem with which it is answered. Returns the problem of a rejection. */
  async function admit(
    { request, reply }: Exchange,
    isBurstOnly: boolean,
    status: number,
    own: Problem | null = null,
  ): Promise<Problem | null> {
    const response = await entryPoint.execute({ caller: callerOf(request), operation: null, input: null, isBurstOnly });
    reply.headers(response.headers);
    const problem = response.errors.length > 0 ? problemOf(response.errors, null) : null;
    const error = reportedError(problem ?? own ?? undefined);
    response.settle({ status: problem === null ? status : errors[problem.code].status, error });
    return problem;
  }

  /** Sends an error after admission and charging, so that probing is limited; a rejection of admission is sent instead. */
  async function reject(
    request: FastifyRequest,
    reply: FastifyReply,
    problem: Problem,
    code = rpcCodes.invalidRequest,
    id: string | number | null = null,
  ): Promise<FastifyReply> {
    const exchange: Exchange = { request, reply, isAdmitted: true, unauthorized: null };
    const rejection = await admit(exchange, false, errors[problem.code].status, problem);
    return rejection === null ? sendRpcError(reply, problem, code, id) : sendRpcError(reply, rejection, undefined, id);
  }

  function call(exchange: Exchange, name: string, given: unknown): Promise<CallToolResult> | null {
    const tool = callTool(name);
    if (tool === null) return null;
    exchange.isAdmitted = true;
    const { request, reply } = exchange;
    const caller = callerOf(request);
    return tool(caller, given, clientSignal(reply)).then(({ result, problem, headers }) => {
      reply.headers(headers);
      const isUnauthorized = problem !== null && errors[problem.code].status === 401 && caller.credentials.length > 0;
      exchange.unauthorized = isUnauthorized ? problem : null;
      return result;
    });
  }

  async function serve(exchange: Exchange, message: unknown): Promise<FastifyReply> {
    const { request, reply } = exchange;
    const id = idOf(message);
    opened ??= openMessageServer();
    const server = await opened;
    const response = await server.serve(webRequest(request), message, (name, given) => call(exchange, name, given));
    const text = await response.text();
    // the protocol rejected the message, or there is no such tool
    const rejection = exchange.isAdmitted ? exchange.unauthorized : await admit(exchange, false, response.status);
    if (rejection !== null) return sendRpcError(reply, rejection, undefined, id);
    const type = response.headers.get('content-type');
    if (type !== null) reply.type(type);
    return reply
      .code(response.status)
      .header('cache-control', 'no-store')
      .send(text === '' ? undefined : text);
  }

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, bytes, parsed) => parsed(null, bytes));
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, bodyLimit);
    if (problem.code === 'internal') request.log.error({ err: error }, 'MCP request failed');
    return reject(request, reply, problem, problem.code === 'internal' ? rpcCodes.serverError : undefined);
  });

  app.post(mcpPath, { bodyLimit }, async (request, reply) => {
    if (!isAllowedOrigin(request.headers.origin)) {
      const detail = 'Pages of this origin may not call this endpoint. Call it from a program, without an Origin header.';
      return reject(request, reply, new Problem('origin_not_allowed', detail));
    }
    let message: unknown;
    try {
      message = parseBody(request.body, valuesMax);
    } catch (error) {
      return reject(request, reply, toProblem(error), rpcCodes.parseError);
    }
    const invalid = invalidMessage(message);
    if (invalid !== null) return reject(request, reply, invalid);
    if (opensStream(message)) {
      const unsupported = new Problem('not_found', 'subscriptions/listen is not supported: the tools do not change.');
      return reject(request, reply, unsupported, rpcCodes.methodNotFound, idOf(message));
    }
    const exchange: Exchange = { request, reply, isAdmitted: false, unauthorized: null };
    if (!isToolCall(message)) {
      const rejection = await admit(exchange, true, 200);
      exchange.isAdmitted = true;
      if (rejection !== null) return sendRpcError(reply, rejection, undefined, idOf(message));
    }
    return serve(exchange, message);
  });

  app.route({
    method: ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH'],
    url: mcpPath,
    // clients look for a stream with GET after the handshake: this is no mistake that is charged
    async onRequest(request, reply) {
      const exchange: Exchange = { request, reply, isAdmitted: true, unauthorized: null };
      const detail = 'This endpoint has no sessions and no streams. Send each message with POST.';
      const problem = new Problem('method_not_allowed', detail);
      return sendProblem(reply.header('allow', allow), (await admit(exchange, true, 405, problem)) ?? problem);
    },
    handler: () => undefined,
  });
  app.options(mcpPath, (_, reply) => reply.code(204).header('allow', allow).send());
  done();
};
