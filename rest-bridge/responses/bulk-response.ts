/** Lists as one streamed response in a bulk format: page after page, each admitted and charged as its own request. */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import type { OperationResponse } from '../../schema/entry-point.ts';
import { errors, Problem, temporaryCodes } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import { reportedError } from '../../schema/reported-error.ts';
import type { Operation } from '../operations/operation.ts';
import type { BulkFormat } from '../requests/response-format.ts';
import type { ReadRequest } from '../requests/request-reader.ts';
import { createBulkColumns, type Column } from './bulk-columns.ts';
import { problemOf } from './execution-problem.ts';
import { missingResource } from './missing-resource.ts';

/** Reads one page: admits, charges and executes it. */
export type ReadPage = (read: ReadRequest) => Promise<OperationResponse>;

interface BulkPage {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor: string | null;
}

const pageSize = 100;
/** A burst limit ends within a minute. */
const waitMaxMs = 60_000;
/** Attempts for a page while an area or the router is unavailable. */
const attemptsMax = 5;
const durationMaxMs = 30 * 60_000;

function pageOf(operation: Operation, { data, errors }: OperationResponse, { variables, hidden }: ReadRequest): BulkPage {
  if (errors.length > 0) throw problemOf(errors, operation);
  const list = data?.[operation.rootName];
  if (!isRecord(list)) throw missingResource(operation, variables);
  const { data: items, page } = list;
  const rows = Array.isArray(items) ? items.filter(isRecord) : [];
  const shown =
    hidden.length === 0
      ? rows
      : rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name))));
  return { rows: shown, nextCursor: isRecord(page) && typeof page['nextCursor'] === 'string' ? page['nextCursor'] : null };
}

/** How long to wait before a page is read again; null when waiting does not help. */
function waitMsOf({ errors: [error], headers }: OperationResponse, attempts: number): number | null {
  const code = error?.extensions.code;
  const seconds = Number(headers['retry-after'] ?? '1');
  if (code === 'rate_limited') return Math.min(waitMaxMs, Math.max(1, seconds) * 1000);
  return code !== undefined && temporaryCodes.has(code) && attempts < attemptsMax ? Math.min(waitMaxMs, seconds * 1000) : null;
}

function valueAt(row: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), row);
}

/** RFC 4180, with texts that a spreadsheet would read as formulas marked by an apostrophe. Null is empty; lists are JSON. */
function csvOf(rows: readonly unknown[], columns: readonly Column[], hasHeader: boolean): string {
  const records = rows.map((row) => columns.map(({ path }) => valueAt(row, path)));
  const header = hasHeader ? [columns.map(({ header: name }) => name)] : [];
  const cast = { boolean: String, object: (value: object) => JSON.stringify(value) };
  return stringify([...header, ...records], { record_delimiter: 'windows', quoted_match: /[\r\n]/, escape_formulas: true, cast });
}

const linesOf = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** The problem of parameters that have no meaning in a bulk format; null without one. */
export function bulkProblem({ variables }: ReadRequest): Problem | null {
  if (variables['updatedSince'] === undefined) return null;
  const detail = 'is available as application/json only: `page.updatedUntil` is the position of the next synchronization';
  return new Problem('parameter_invalid', `\`updatedSince\` ${detail}.`, {
    errors: [{ parameter: 'updatedSince', code: 'unsupported', detail }],
  });
}

/** The request with the size of the pages of a bulk response: the largest, unless the client chose one. */
export function bulkRequest(read: ReadRequest, hasLimit: boolean): ReadRequest {
  return hasLimit || !('limit' in read.variables) ? read : { ...read, variables: { ...read.variables, limit: pageSize } };
}

/**
 * Creates the function that returns the body of a bulk response from its first page, whose problem it throws. A later page that cannot be
 * read ends the connection, so that a client never takes a part for the whole. A burst limit is awaited.
 */
export function createBulkBodies(operation: Operation) {
  const columnsOf = createBulkColumns(operation);

  return (read: ReadRequest, format: BulkFormat, first: OperationResponse, readPage: ReadPage, signal: AbortSignal): Readable => {
    const columns = format === 'csv' ? columnsOf(read) : [];
    const textOf = ({ rows }: BulkPage, isFirst: boolean): string =>
      format === 'csv' ? csvOf(rows, columns, isFirst) : linesOf(rows);
    const firstPage = pageOf(operation, first, read);

    async function next(cursor: string): Promise<BulkPage> {
      for (let attempts = 1; ; attempts += 1) {
        const response = await readPage({ ...read, variables: { ...read.variables, cursor } });
        const isRead = response.errors.length === 0;
        const status = isRead ? 200 : errors[problemOf(response.errors, operation).code].status;
        response.settle({ status, error: reportedError(response.errors[0]) });
        const waitMs = isRead ? null : waitMsOf(response, attempts);
        if (waitMs === null) return pageOf(operation, response, read);
        await sleep(waitMs, undefined, { signal });
      }
    }

    async function* texts(): AsyncGenerator<string> {
      const endsMs = performance.now() + durationMaxMs;
      for (let page: BulkPage | null = firstPage, isFirst = true; page !== null; isFirst = false) {
        const text = textOf(page, isFirst);
        if (text !== '') yield text;
        if (performance.now() > endsMs) throw new Error('The bulk response took too long.');
        page = page.nextCursor === null ? null : await next(page.nextCursor);
      }
    }
    return Readable.from(texts(), { objectMode: false, highWaterMark: 1 });
  };
}
