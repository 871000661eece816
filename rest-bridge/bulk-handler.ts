/** Serves lists in bulk formats: `Accept: application/x-ndjson` or `text/csv`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../platform/http/caller.ts';
import { clientSignal } from '../platform/http/client-signal.ts';
import type { OperationRequest, OperationResponse } from '../schema/entry-point.ts';
import { Problem } from '../schema/errors.ts';
import type { Operation } from './operations/operation.ts';
import type { ReadRequest } from './requests/request-reader.ts';
import { bulkFormats, type ResponseFormat } from './requests/response-format.ts';
import type { RequestHandlers } from './request-handlers.ts';
import { bulkProblem, bulkRequest, createBulkBodies, type ReadPage } from './responses/bulk-response.ts';
import { exposed } from './responses/cors.ts';
import { problemOf } from './responses/execution-problem.ts';
import { vary } from './responses/response.ts';

export interface BulkHandlerOptions {
  readonly operation: Operation;
  readonly read: (request: FastifyRequest) => ReadRequest | Problem;
  readonly execute: (request: FastifyRequest, call: Omit<OperationRequest, 'caller'>) => Promise<OperationResponse>;
  readonly reject: RequestHandlers['reject'];
  readonly sendRejection: (reply: FastifyReply, response: OperationResponse, problem: Problem) => FastifyReply;
}

/** Bulk responses in progress per caller: each can take minutes. */
const concurrentMax = 2;
const inProgress = new Map<string, number>();

/** Counts a bulk response until its connection closes. Returns false when the caller has too many. */
function begin(request: FastifyRequest, reply: FastifyReply): boolean {
  const { credentials, address } = callerOf(request);
  const caller = credentials[0] ?? address;
  const count = inProgress.get(caller) ?? 0;
  if (count >= concurrentMax) return false;
  inProgress.set(caller, count + 1);
  reply.raw.once('close', () => {
    const left = (inProgress.get(caller) ?? 1) - 1;
    if (left === 0) inProgress.delete(caller);
    else inProgress.set(caller, left);
  });
  return true;
}

/** Creates the handler of one list. */
export function createBulkHandler(options: BulkHandlerOptions) {
  const { operation, read: readRequest, execute, reject, sendRejection } = options;
  const bodyOf = createBulkBodies(operation);

  return async (request: FastifyRequest, reply: FastifyReply, format: ResponseFormat): Promise<FastifyReply> => {
    if (format !== 'csv' && format !== 'ndjson') throw new Error(`${operation.name} has no bulk format ${format}`);
    const read = readRequest(request);
    if (read instanceof Problem) return reject(request, reply, read, operation.name);
    const problem = bulkProblem(read);
    if (problem !== null) return reject(request, reply, problem, operation.name);
    if (!begin(request, reply)) {
      const detail = `At most ${concurrentMax} bulk responses of a caller run at the same time. Wait until one has ended.`;
      return reject(request, reply.header('retry-after', '10'), new Problem('rate_limited', detail), operation.name);
    }
    const signal = clientSignal(reply);
    const readPage: ReadPage = (page) =>
      execute(request, {
        operation: page.documentId,
        input: { document: page.documentId, variables: page.variables },
        signal,
      });
    const paged = bulkRequest(read, /[?&]limit=/.test(request.url));
    const first = await readPage(paged);
    if (first.errors.length > 0) return sendRejection(reply, first, problemOf(first.errors, operation));
    const body = bodyOf(paged, format, first, readPage, signal);
    first.settle({ status: 200 });
    return reply
      .headers(first.headers)
      .headers({ ...exposed, vary, 'cache-control': 'no-store', 'content-type': `${bulkFormats[format]}; charset=utf-8` })
      .send(body);
  };
}
