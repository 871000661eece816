/** The problems of the REST API as OpenAPI components: a schema for each code, and a response per status. */
import { errors, type ErrorCode } from '../../schema/errors.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { problemMembers } from '../../schema/problem-members.ts';
import { createExamples } from './example-values.ts';

/** Codes of the GraphQL API and of the dashboard. */
const notInRest: ReadonlySet<string> = new Set<ErrorCode>([
  'operation_unknown',
  'document_not_found',
  'document_not_registered',
  'query_too_complex',
  'query_too_deep',
  'token_limit',
  'csrf_refused',
  'origin_not_allowed',
  'sign_in_required',
  'sign_in_failed',
]);

/** The response to a method that the path does not have belongs to no operation. */
const notOfOperations: ReadonlySet<string> = new Set<ErrorCode>(['method_not_allowed']);

interface ProblemRow {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly members: Readonly<Record<string, { readonly schema: JsonSchema; readonly required: boolean }>>;
}

const membersByCode: Readonly<Record<string, ProblemRow['members']>> = problemMembers;
const rows: readonly ProblemRow[] = Object.entries(errors)
  .filter(([code]) => !notInRest.has(code) && !notOfOperations.has(code))
  .map(([code, row]) => ({ code, ...row, members: membersByCode[code] ?? {} }));

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `invalid_transition` is InvalidTransitionProblem. Each code has a schema of its own: generators that read discriminators need one. */
const schemaName = ({ code }: ProblemRow): string => `${code.split('_').map(capitalized).join('')}Problem`;

/** An error response (RFC 9457). */
function problemSchema({ code, title, members }: ProblemRow): JsonSchema {
  const own = Object.entries(members);
  return {
    type: 'object',
    description: `${title} (\`${code}\`).`,
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'The page of the code, relative to the host.' },
      title: { type: 'string', description: 'The kind of the problem.' },
      status: { type: 'integer', description: 'The status of the response.' },
      detail: { type: 'string', description: 'What is wrong, and what to do. The text can change.' },
      instance: { type: 'string', format: 'uri-reference', description: 'The path of the request.' },
      code: { type: 'string', enum: [code], description: 'The stable code of the problem.' },
      requestId: { type: 'string', description: 'Id of the request. Include it when you report a problem.' },
      ...Object.fromEntries(own.map(([name, { schema }]) => [name, schema])),
    },
    required: [
      ...['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
      ...own.flatMap(([name, { required }]) => (required ? [name] : [])),
    ],
  };
}

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
  ...Object.fromEntries(rows.map((row) => [schemaName(row), problemSchema(row)])),
};

const exampleOf = createExamples(problemSchemas);

/** The members of an example: those that every problem of the code has, otherwise the typical one. */
function exampleMembers({ members }: ProblemRow): Readonly<Record<string, unknown>> {
  const own = Object.entries(members).filter(([name]) => name !== 'versions');
  const required = own.filter(([, member]) => member.required);
  const chosen = required.length > 0 ? required : own.slice(0, 1);
  return Object.fromEntries(chosen.map(([name, { schema }]) => [name, exampleOf(schema, 'RESPONSE')]));
}

/** An example of each code, by code. */
export const problemExamples: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  rows.map((row) => [
    row.code,
    {
      summary: row.title,
      value: {
        type: `/docs/problems#${row.code}`,
        title: row.title,
        status: row.status,
        detail: `${row.title}.`,
        instance: '/api/v1/athletes',
        code: row.code,
        requestId: '15f75cad-16fc-43a5-b078-3a2dcac79138',
        ...exampleMembers(row),
      },
    },
  ]),
);

/** The headers of problems, in addition to X-Request-Id and those of the quota. */
const headersByStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** One schema, or those of all codes with the code as discriminator. */
function schemaOf(group: readonly ProblemRow[]): JsonSchema {
  const names = [...new Set(group.map(schemaName))];
  const [first = 'Problem', ...others] = names;
  if (others.length === 0) return reference(first);
  const mapping = Object.fromEntries(group.map((row) => [row.code, reference(schemaName(row))['$ref']]));
  return { oneOf: names.map(reference), discriminator: { propertyName: 'code', mapping } };
}

const statuses = [...new Set(rows.map(({ status }) => status))];

/** @param rateHeaders names of the quota's headers, which counted responses have */
export function problemResponses(rateHeaders: readonly string[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    statuses.map((status) => {
      const group = rows.filter((row) => row.status === status);
      const names = ['X-Request-Id', ...(headersByStatus[status] ?? []), ...rateHeaders];
      const examples = Object.fromEntries(group.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }]));
      const response = {
        description: `${group.map(({ code, title }) => `${title} (\`${code}\`)`).join(', ')}.`,
        headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
        content: { 'application/problem+json': { schema: schemaOf(group), examples } },
      };
      return [`Problem${status}`, response];
    }),
  );
}
