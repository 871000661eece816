/** Serves lists as calendar files: `GET <path of the list>.ics` with the filters of the list. */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientSignal } from '../../platform/http/client-signal.ts';
import { pathOf } from '../../platform/http/problem.ts';
import type { OperationResponse } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import type { BulkHandlerOptions } from '../bulk-handler.ts';
import type { ReadRequest } from '../requests/request-reader.ts';
import { exposed } from '../responses/cors.ts';
import { problemOf } from '../responses/execution-problem.ts';
import { vary } from '../responses/response.ts';
import { calendarText, type Calendar, type CalendarEvent, type Row } from './calendar.ts';

/** Each page is admitted and charged as its own request. */
const pagesMax = 10;
const pageSize = 100;

interface CalendarHandlerOptions extends BulkHandlerOptions {
  readonly calendar: Calendar;
  /** Before the path of a resource: `https://example.org`. Empty: the host of the request. */
  readonly base: string;
}

/** Parameters of a list that select its pages or their order. A calendar has all pages in one file. */
const pageParameters = ['updatedSince', 'cursor', 'limit', 'sort', 'next', 'last'] as const;

/** Whether a calendar has a parameter of its list. */
export const isCalendarParameter = (name: string): boolean => !pageParameters.some((each) => each === name);

/** The problem of parameters that a calendar does not have; null without one. */
function calendarProblem(
  url: string,
  { variables, documentId }: ReadRequest,
  operation: string,
  { scopes }: Calendar,
): Problem | null {
  const rejected = (parameter: string, code: string, detail: string): Problem =>
    new Problem('parameter_invalid', `\`${parameter}\` ${detail}.`, { errors: [{ parameter, code, detail }] });
  if (documentId !== operation)
    return rejected('fields', 'unsupported', 'is not available for calendars: remove `fields` and `include`');
  // From the URL: `limit` has a default.
  const given = new URLSearchParams(url.slice(pathOf(url).length));
  const paging = pageParameters.find((name) => given.has(name));
  if (paging)
    return rejected(paging, 'unsupported', `is not available for calendars: they contain the latest ${pagesMax * pageSize} rows`);
  if (scopes.length === 0 || scopes.some((name) => variables[name] !== undefined)) return null;
  return rejected(scopes[0] ?? '', 'required', `or one of ${scopes.slice(1).join(', ')} is required for a calendar`);
}

interface CalendarPage {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

function pageOf(list: unknown): CalendarPage {
  const { data, page } = isRecord(list) ? list : {};
  return {
    rows: Array.isArray(data) ? data.filter(isRecord) : [],
    nextCursor: isRecord(page) && typeof page['nextCursor'] === 'string' ? page['nextCursor'] : null,
  };
}

/** Creates the handler of the calendar of one list. */
export function createCalendarHandler(options: CalendarHandlerOptions) {
  const { operation, calendar, base, read: readRequest, execute, reject, sendRejection } = options;

  /** The rows of all pages, and the response of the last page or of the one that failed. */
  async function readRows(request: FastifyRequest, reply: FastifyReply, { documentId, variables }: ReadRequest) {
    const signal = clientSignal(reply);
    const rows: Row[] = [];
    for (let pages = 1, cursor: string | null = null; ; pages += 1) {
      const input = { ...variables, sort: calendar.sort, limit: pageSize, ...(cursor === null ? {} : { cursor }) };
      const response: OperationResponse = await execute(request, {
        operation: documentId,
        input: { document: documentId, variables: input },
        signal,
      });
      if (response.errors.length > 0) return { rows, response };
      const page = pageOf(response.data?.[operation.rootName]);
      rows.push(...page.rows);
      cursor = page.nextCursor;
      response.settle({ status: 200 });
      if (cursor === null || pages === pagesMax) return { rows, response };
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const read = readRequest(request);
    if (read instanceof Problem) return reject(request, reply, read, operation.name);
    const problem = calendarProblem(request.url, read, operation.name, calendar);
    if (problem !== null) return reject(request, reply, problem, operation.name);
    const { rows, response } = await readRows(request, reply, read);
    if (response.errors.length > 0) return sendRejection(reply, response, problemOf(response.errors, operation));
    const resources = `${base || `${request.protocol}://${request.host}`}/api/v${operation.major}${operation.path}`;
    const events: CalendarEvent[] = rows.flatMap((row) => calendar.eventOf(row) ?? []);
    const name = calendar.nameOf?.(read.variables, rows) ?? calendar.name;
    const body = calendarText(name, events, (id) => `${resources}/${id}`);
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
    reply.headers(response.headers).headers({ ...exposed, vary, etag });
    reply.header('cache-control', response.notes.minor ? 'private, no-store' : 'private, max-age=900');
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.header('content-type', 'text/calendar; charset=utf-8').send(body);
  };
}
