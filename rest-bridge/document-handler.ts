/** Serves a resource as a document: `Accept: text/html` or `text/csv`. The document is an optional member of the resource. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientSignal } from '../platform/http/client-signal.ts';
import { printedPagePolicy } from '../platform/http/printed-page.ts';
import { pageHeaders } from '../platform/http/security-headers.ts';
import { Problem } from '../schema/errors.ts';
import { isRecord } from '../schema/records.ts';
import type { BulkHandlerOptions } from './bulk-handler.ts';
import { documentFormats, type ResponseFormat } from './requests/response-format.ts';
import { exposed } from './responses/cors.ts';
import { problemOf } from './responses/execution-problem.ts';
import { missingResource } from './responses/missing-resource.ts';
import { vary } from './responses/response.ts';

/** Creates the handler of one operation. */
export function createDocumentHandler(options: BulkHandlerOptions) {
  const { operation, read: readRequest, execute, reject, sendRejection } = options;

  return async (request: FastifyRequest, reply: FastifyReply, format: ResponseFormat): Promise<FastifyReply> => {
    if (format !== 'csv' && format !== 'html') throw new Error(`${operation.name} has no document in ${format}`);
    const read = readRequest(request);
    if (read instanceof Problem) return reject(request, reply, read, operation.name);
    if (read.documentId !== operation.name) {
      const detail = 'is available as application/json only: a document has all of its content';
      const errors = [{ parameter: 'fields', code: 'unsupported', detail }];
      return reject(request, reply, new Problem('parameter_invalid', `\`fields\` ${detail}.`, { errors }), operation.name);
    }
    const variables = { ...read.variables, [`include_${format}`]: true };
    const response = await execute(request, {
      operation: operation.name,
      input: { document: operation.name, variables },
      signal: clientSignal(reply),
    });
    if (response.errors.length > 0) return sendRejection(reply, response, problemOf(response.errors, operation));
    const resource = response.data?.[operation.rootName];
    if (!isRecord(resource)) return sendRejection(reply, response, missingResource(operation, read.variables));
    response.settle({ status: 200 });
    const page = format === 'html' ? { ...pageHeaders, 'content-security-policy': printedPagePolicy } : {};
    return reply
      .headers(response.headers)
      .headers({ ...exposed, ...page, vary, 'cache-control': 'private, no-store' })
      .header('content-type', `${documentFormats[format]}; charset=utf-8`)
      .send(resource[format]);
  };
}
