/** The responses of an operation in the OpenAPI document. */
import { errors } from '../../schema/errors.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isRecord } from '../../schema/records.ts';
import type { Operation } from '../operations/operation.ts';
import { headerNames } from './openapi-components.ts';
import type { ResponseSchemas } from './response-schema.ts';

/** The schema without null: a null root is a 404, never a body. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, type } = schema;
  // `anyOf` lists the schema before null, and a list of types starts with the non-null one (response-schema.ts)
  if (Array.isArray(anyOf)) return anyOf.find(isRecord) ?? schema;
  return Array.isArray(type) ? { ...schema, type: type.find((each) => typeof each === 'string') } : schema;
}

function problemStatuses({ method, variables, redirects, path }: Operation): readonly number[] {
  const ifMatch = variables.find(({ name }) => name === 'ifMatch');
  const statuses = new Set([400, 401, 403, 404, 406, 414, 429, 431, 500, 503, 504]);
  if (method !== 'GET') for (const status of [408, 409, 413, 415, 422]) statuses.add(status);
  // an erased athlete, and the replay of a request whose resource no longer exists
  const canBeGone = redirects || path.startsWith('/athletes/{') || variables.some(({ name }) => name === 'idempotencyKey');
  if (canBeGone) statuses.add(410);
  if (method === 'GET') statuses.add(412);
  if (ifMatch) statuses.add(412);
  if (ifMatch?.required || method === 'PUT') statuses.add(428);
  const known = new Set<number>(Object.values(errors).map(({ status }) => status));
  return [...statuses].filter((status) => known.has(status));
}

const redirect: JsonSchema = {
  description: 'The resource was merged into another one. Location is its URL.',
  headers: { Location: { $ref: '#/components/headers/Location' } },
};

/** The responses of an operation by status. */
export function responsesOf(
  operation: Operation,
  responseSchemas: ResponseSchemas,
  links: JsonSchema | null,
): Record<string, JsonSchema> {
  const { method, redirects, rootType, root, resource, members, fragments, status, name } = operation;
  const headers = Object.fromEntries(headerNames(operation).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  const schema = withoutNull(
    responseSchemas.of(
      rootType,
      {
        selections: root.selectionSet,
        fragments,
        name: `${name.charAt(0).toUpperCase()}${name.slice(1)}Response`,
        narrowed: members.length > 0 ? resource : null,
      },
      members.length > 0 && resource === root,
    ),
  );
  const success: JsonSchema =
    status === 204
      ? { description: 'Success. The response has no body.', headers }
      : { description: 'Success.', headers, content: { 'application/json': { schema } }, ...(links === null ? {} : { links }) };
  const problems = problemStatuses(operation).map(
    (code) => [`${code}`, { $ref: `#/components/responses/Problem${code}` }] as const,
  );
  return {
    [`${status}`]: success,
    ...(redirects ? { 308: redirect } : {}),
    ...(method === 'GET'
      ? { 304: { description: 'Not modified: the representation still matches `If-None-Match`.', headers } }
      : {}),
    ...Object.fromEntries(problems),
  };
}
