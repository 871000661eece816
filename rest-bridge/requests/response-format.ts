/** The format of a response by its Accept header (RFC 9110 section 12.5.1). */
import Negotiator from 'negotiator';
import { Problem } from '../../schema/errors.ts';
import type { Operation } from '../operations/operation.ts';

export const bulkFormats = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

export type BulkFormat = keyof typeof bulkFormats;

/** Formats of one resource as a document. */
export const documentFormats = { csv: 'text/csv', html: 'text/html' } as const;

export type DocumentFormat = keyof typeof documentFormats;

/** Operations whose resource has an optional member of this name for each document format. */
const withDocuments: ReadonlySet<string> = new Set(['getUsageStatement']);

/** Whether the resource of an operation is also a document. */
export const hasDocuments = ({ name }: Operation): boolean => withDocuments.has(name);

/** JSON is one response; the bulk formats of a list contain all of its pages. */
export type ResponseFormat = 'json' | BulkFormat | DocumentFormat;

const typeOf: Readonly<Record<ResponseFormat, string>> = { json: 'application/json', ...bulkFormats, ...documentFormats };

function formatsOf(operation: Operation): readonly ResponseFormat[] {
  if (hasDocuments(operation)) return ['json', 'csv', 'html'];
  return operation.method === 'GET' && operation.responseKind === 'list' ? ['json', 'ndjson', 'csv'] : ['json'];
}

/** The format of a response, or the problem not_acceptable (406) when the client accepts none of the operation. */
export function responseFormat(operation: Operation, accept: string | undefined): ResponseFormat | Problem {
  // most clients send none, or */*
  if (accept === undefined || accept === '*/*' || accept === typeOf.json || accept.trim() === '') return 'json';
  const formats = formatsOf(operation);
  const types = formats.map((format) => typeOf[format]);
  const [chosen] = new Negotiator({ headers: { accept } }).mediaTypes([...types, 'application/problem+json']);
  const format = formats.find((each) => typeOf[each] === chosen);
  if (format !== undefined || chosen === 'application/problem+json') return format ?? 'json';
  return new Problem(
    'not_acceptable',
    `This operation responds with ${types.join(', ')}. Send one of them in Accept, or no Accept.`,
    {
      available: types,
    },
  );
}
