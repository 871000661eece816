/** The OpenAPI 3.1 document of a major, derived from the same operations that are served. */
import { Kind } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { errors } from '../../schema/errors.ts';
import { createJsonSchemas } from '../../schema/json-schema.ts';
import type { JsonSchema, JsonSchemas } from '../../schema/json-schema.ts';
import { createResponseSchemas } from './response-schema.ts';
import type { ResponseSchemas } from './response-schema.ts';
import { responseHeaders, headerNames, problemResponses, problemSchemas } from './openapi-components.ts';
import type { Operation, Variable } from '../operations/operation.ts';
import { sortValues } from '../requests/query-parameters.ts';
import { bodySchema, variableSchema } from '../requests/variable-schema.ts';
import { versionPath } from '../versions.ts';

export interface OpenApiOptions {
  readonly apiSchema: GraphQLSchema;
  readonly operations: readonly Operation[];
  readonly major: number;
}

/** One operation of the document; the members the reference reads are typed, the rest is JSON. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly security: readonly JsonSchema[];
  readonly 'x-required-scopes'?: readonly string[];
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

/** Pure: the same schema and operations give the same document, so that `npm run schema` can commit it. */
export function openApiDocument({ apiSchema, operations, major }: OpenApiOptions): OpenApiDocument {
  const inputs = createJsonSchemas(apiSchema);
  const answers = createResponseSchemas(apiSchema, inputs);
  const own = operations.filter((operation) => operation.major === major);
  const byPath = Map.groupBy(own, (operation) => operation.path);
  const paths = Object.fromEntries(
    [...byPath]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, group]) => [
        path,
        Object.fromEntries(
          group.map((operation) => [operation.method.toLowerCase(), operationObject(apiSchema, operation, inputs, answers)]),
        ),
      ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Talent platform',
      version: `${major}`,
      description:
        'Athletes, competitions, scouting, opportunities and organizations. Errors are RFC 9457 problems; unknown parameters and members are errors.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: versionPath(major) }],
    tags: [...new Set(own.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...inputs.components(), ...answers.components(), ...problemSchemas },
      responses: problemResponses,
      headers: responseHeaders,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

const tagOf = (operation: Operation): string => operation.path.split('/')[1] ?? '';

function operationObject(
  apiSchema: GraphQLSchema,
  operation: Operation,
  inputs: JsonSchemas,
  answers: ResponseSchemas,
): OpenApiOperation {
  const scopes = requiredScopes(apiSchema, operation);
  const parameters = [
    ...operation.variables.filter(({ place }) => place !== 'body').map((variable) => parameterObject(variable, inputs)),
    ...choices(operation),
  ];
  const body = bodySchema(inputs, operation);
  const bodyRequired = operation.variables.some((variable) => variable.place === 'body' && variable.required);
  return {
    operationId: operation.name,
    summary: operation.description,
    tags: [tagOf(operation)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: bodyRequired, content: { 'application/json': { schema: body } } } } : {}),
    responses: responses(operation, answers),
    security: [...(operation.method === 'GET' && scopes.length === 0 ? [{}] : []), { apiKey: [] }, { bearer: [] }],
    ...(scopes.length > 0 ? { 'x-required-scopes': scopes } : {}),
  };
}

function parameterObject(variable: Variable, inputs: JsonSchemas): JsonSchema {
  const schema = variableSchema(inputs, variable);
  const words = sortValues(variable);
  const fallback = words ? [...words].find(([, value]) => value === variable.defaultValue)?.[0] : variable.defaultValue;
  const plain = Object.fromEntries(Object.entries(schema).filter(([member]) => member !== 'description'));
  const listed = schema['type'] === 'array' ? { style: 'form', explode: false } : {};
  return {
    name: variable.wireName,
    in: variable.place,
    required: variable.place === 'path' || variable.required,
    ...(variable.description === '' ? {} : { description: variable.description }),
    ...listed,
    schema: fallback === undefined ? plain : { ...plain, default: fallback },
  };
}

function choices(operation: Operation): JsonSchema[] {
  const choice = (name: string, description: string, members: readonly string[]): JsonSchema[] =>
    members.length === 0
      ? []
      : [
          {
            name,
            in: 'query',
            required: false,
            description,
            style: 'form',
            explode: false,
            schema: { type: 'array', minItems: 1, items: { type: 'string', enum: members } },
          },
        ];
  return [
    ...choice(
      'fields',
      'Only these members; what is not asked for is not fetched.',
      operation.members.map(({ name }) => name),
    ),
    ...choice(
      'include',
      'Members to add.',
      operation.members.filter(({ optional }) => optional).map(({ name }) => name),
    ),
  ];
}

function responses(operation: Operation, answers: ResponseSchemas): Record<string, JsonSchema> {
  const { type, selections } = { type: operation.rootType, selections: operation.root.selectionSet };
  const headers = Object.fromEntries(headerNames(operation).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  const schema = answers.of(type, selections, operation.fragments);
  // A null root is 404, never a body.
  const whole =
    'anyOf' in schema
      ? ((schema['anyOf'] as JsonSchema[])[0] ?? schema)
      : Array.isArray(schema['type'])
        ? { ...schema, type: (schema['type'] as string[])[0] }
        : schema;
  const success: JsonSchema =
    operation.status === 204
      ? { description: 'Done.', headers }
      : { description: 'The answer.', headers, content: { 'application/json': { schema: whole } } };
  const reads = operation.method === 'GET';
  const guarded = operation.variables.find(({ name }) => name === 'ifMatch');
  const statuses = new Set([400, 401, 403, 404, 429, 500, 503, 504]);
  if (!reads) for (const status of [409, 413, 415, 422]) statuses.add(status);
  if (guarded) statuses.add(412);
  if (guarded?.required || operation.method === 'PUT') statuses.add(428);
  const known = new Set<number>(Object.values(errors).map(({ status }) => status));
  const problems = [...statuses]
    .filter((status) => known.has(status))
    .map((status) => [`${status}`, { $ref: `#/components/responses/Problem${status}` }] as const);
  return {
    [`${operation.status}`]: success,
    ...(operation.redirects
      ? {
          308: {
            description: 'It is one with something else by now: read that, where Location says.',
            headers: { Location: { $ref: '#/components/headers/Location' } },
          },
        }
      : {}),
    ...(reads ? { 304: { description: 'Not changed since the answer that If-None-Match names.' } } : {}),
    ...Object.fromEntries(problems),
  };
}

/** Scopes of the root field's @requiresScopes: every one of a group is needed, and groups are alternatives, told as `one or other`. */
export function requiredScopes(apiSchema: GraphQLSchema, operation: Operation): string[] {
  const type = operation.method === 'GET' ? apiSchema.getQueryType() : apiSchema.getMutationType();
  const directives = type?.getFields()[operation.root.name.value]?.astNode?.directives ?? [];
  const values = directives
    .filter(({ name }) => name.value === 'requiresScopes')
    .flatMap(({ arguments: given }) => given?.map(({ value }) => value) ?? []);
  const groups = values
    .flatMap((list) => (list.kind === Kind.LIST ? list.values : []))
    .map((group) => (group.kind === Kind.LIST ? group.values : []))
    .map((group) => group.flatMap((scope) => (scope.kind === Kind.STRING ? [scope.value] : [])));
  return groups.length > 1 ? [groups.map((group) => group.join(' and ')).join(' or ')] : groups.flat();
}
