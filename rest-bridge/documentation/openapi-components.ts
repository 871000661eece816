/** The parts of the OpenAPI document that no operation decides: problems and the headers of answers. */
import { errors } from '../../schema/errors.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Operation } from '../operations/operation.ts';

export const problemSchemas: Readonly<Record<string, JsonSchema>> = {
  Violation: {
    type: 'object',
    description: 'One fault of a request.',
    properties: {
      pointer: { type: 'string', description: 'JSON pointer into the body.' },
      parameter: { type: 'string', description: 'Name of a parameter or header.' },
      code: { type: 'string' },
      detail: { type: 'string' },
    },
    required: ['code', 'detail'],
  },
  Problem: {
    type: 'object',
    description: 'RFC 9457. Further members belong to the code.',
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string', format: 'uri-reference' },
      code: { type: 'string', enum: Object.keys(errors) },
      requestId: { type: 'string' },
      errors: { type: 'array', items: { $ref: '#/components/schemas/Violation' } },
    },
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  },
};

const rows = Object.entries(errors);
const statuses = [...new Set(rows.map(([, { status }]) => status))];

/** One response per status, naming the codes it can carry. */
export const problemResponses: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  statuses.map((status) => [
    `Problem${status}`,
    {
      description: `${rows
        .filter(([, row]) => row.status === status)
        .map(([code, { title }]) => `${title} (\`${code}\`)`)
        .join(', ')}.`,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]),
);

const text = (description: string): JsonSchema => ({ description, schema: { type: 'string' } });

export const responseHeaders: Readonly<Record<string, JsonSchema>> = {
  'RateLimit-Policy': text('The limits of the plan, per window.'),
  RateLimit: text('What is left in each window, and when it ends.'),
  'X-RateLimit-Limit': text('Limit of the window with the smallest share left.'),
  'X-RateLimit-Remaining': text('What is left of it.'),
  'X-RateLimit-Reset': text('When it ends.'),
  'X-Request-Id': text('Quote it when you report a problem.'),
  ETag: text('Version and hash of the representation; weak on lists.'),
  Link: text('`rel="next"`: the next page.'),
  Location: text('Where the resource is read that was created, or that is meant now.'),
  'Idempotent-Replayed': text('`true` when this is the answer to an earlier request with the same Idempotency-Key.'),
  'X-Consistency-Token': text('Position of this write in the event log.'),
};

const always = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** Names of the headers of a successful answer. */
export function headerNames(operation: Operation): string[] {
  const reads = operation.method === 'GET';
  return [
    ...always,
    ...(reads || operation.versioned ? ['ETag'] : []),
    ...(operation.variables.some(({ name }) => name === 'cursor') ? ['Link'] : []),
    ...(operation.status === 201 ? ['Location'] : []),
    ...(operation.variables.some(({ name }) => name === 'idempotencyKey') ? ['Idempotent-Replayed'] : []),
    ...(reads ? [] : ['X-Consistency-Token']),
  ];
}
