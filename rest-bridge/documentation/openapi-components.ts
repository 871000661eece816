/** The OpenAPI components that are independent of operations: problems and response headers. */
import { errors } from '../../schema/errors.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Operation } from '../operations/operation.ts';

export const problemSchemas: Readonly<Record<string, JsonSchema>> = {
  Violation: {
    type: 'object',
    description: 'One violation in a request.',
    properties: {
      pointer: { type: 'string', description: 'JSON pointer (RFC 6901) to the value in the request body.' },
      parameter: { type: 'string', description: 'Name of the parameter or header.' },
      code: { type: 'string', description: 'Machine-readable kind of violation.' },
      detail: { type: 'string', description: 'What is wrong, and what to do.' },
    },
    required: ['code', 'detail'],
  },
  Problem: {
    type: 'object',
    description: 'An error response (RFC 9457). Some codes add further members.',
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string', format: 'uri-reference' },
      code: { type: 'string', enum: Object.keys(errors) },
      requestId: { type: 'string' },
      errors: { type: 'array', items: { $ref: '#/components/schemas/Violation' }, description: 'All violations of the request.' },
      available: {
        type: 'array',
        items: { type: 'string' },
        description: 'With 406: the media types that the operation responds with.',
      },
      accepted: {
        type: 'array',
        items: { type: 'string' },
        description: 'With 415: the media types that are supported.',
      },
      allowedTransitions: {
        type: 'array',
        items: { type: 'string' },
        description: 'With `invalid_transition`: the transitions of the current state.',
      },
      existingId: { type: 'string', description: 'With `conflict`: the resource of your account that already exists.' },
      limit: { type: 'integer', description: 'With 429: the limit of the window.' },
      network: { type: 'string', description: 'With 429: the network whose addresses share the limit.' },
      openMatches: { type: 'integer', description: 'With `invalid_transition` of a season: its matches that have not ended.' },
      plan: { type: 'string', description: 'With 429: the pricing plan.' },
      requiredScopes: {
        type: 'array',
        items: { type: 'string' },
        description: 'With `insufficient_scope`: the scopes of the operation.',
      },
      resetAt: { type: 'string', format: 'date-time', description: 'With 429: when the window resets.' },
      state: { type: 'string', description: 'With `invalid_transition`: the current state.' },
      used: { type: 'integer', description: 'With 429: what was used of the limit.' },
      version: { type: 'integer', description: 'With 412: the current version of the resource.' },
      versions: {
        type: 'array',
        items: { type: 'string' },
        description: 'The supported versions of the API, for an unknown or ended one.',
      },
      'violated-policies': {
        type: 'array',
        items: { type: 'string' },
        description: 'With 429: the windows without remaining requests.',
      },
    },
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  },
};

const rows = Object.entries(errors);
const statuses = [...new Set(rows.map(([, { status }]) => status))];

/** The headers of problems that clients need to react. */
const headersByStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  503: ['Retry-After'],
};

/** One response per status, with the codes it can have. */
export const problemResponses: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  statuses.map((status) => [
    `Problem${status}`,
    {
      description: `${rows
        .filter(([, row]) => row.status === status)
        .map(([code, { title }]) => `${title} (\`${code}\`)`)
        .join(', ')}.`,
      headers: Object.fromEntries(
        ['X-Request-Id', ...(headersByStatus[status] ?? [])].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]),
);

const text = (description: string): JsonSchema => ({ description, schema: { type: 'string' } });

export const responseHeaders: Readonly<Record<string, JsonSchema>> = {
  'RateLimit-Policy': text('Limits of the pricing plan per window.'),
  RateLimit: text('Remaining requests per window, and the seconds until each resets.'),
  'X-RateLimit-Limit': text('Limit of the window with the smallest remaining share.'),
  'X-RateLimit-Remaining': text('Remaining requests in that window.'),
  'X-RateLimit-Reset': text('Seconds until that window resets.'),
  'X-Request-Id': text('Id of the request. Include it when you report a problem.'),
  ETag: text('Version and hash of the representation. Weak on lists.'),
  Link: text('URL of the next page, with `rel="next"`.'),
  Allow: text('The methods of the path.'),
  'Retry-After': { description: 'Seconds to wait before the request is repeated.', schema: { type: 'integer' } },
  'WWW-Authenticate': text('The authentication scheme: `Bearer`.'),
  Location: text('URL of the created resource, or of the resource to which this one was merged.'),
  'Idempotent-Replayed': text('`true` when this response replays an earlier request with the same Idempotency-Key.'),
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

/** Names of the headers of a successful response. */
export function headerNames(operation: Operation): string[] {
  const isRead = operation.method === 'GET';
  return [
    ...always,
    ...(isRead || operation.versioned ? ['ETag'] : []),
    ...(operation.variables.some(({ name }) => name === 'cursor') ? ['Link'] : []),
    ...(operation.status === 201 ? ['Location'] : []),
    ...(operation.variables.some(({ name }) => name === 'idempotencyKey') ? ['Idempotent-Replayed'] : []),
    ...(isRead ? [] : ['X-Consistency-Token']),
  ];
}
