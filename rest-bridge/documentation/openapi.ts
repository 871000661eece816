/** The OpenAPI 3.1 document of a major version, derived from the operations that are served. */
import { getDirectiveValues, Kind } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { isRecord } from '../../schema/records.ts';
import { errors } from '../../schema/errors.ts';
import { createJsonSchemas } from '../../schema/json-schema.ts';
import type { JsonSchema, JsonSchemas } from '../../schema/json-schema.ts';
import { isSynchronizable } from '../operations/joined-members.ts';
import type { Operation } from '../operations/operation.ts';
import type { Variable } from '../operations/variables.ts';
import { sortValues } from '../requests/query-parameters.ts';
import { bodyLimits, type BodyLimits } from '../requests/body-limits.ts';
import { bodySchema, variableSchema } from '../requests/variable-schema.ts';
import { versionPath } from '../versions.ts';
import { responseHeaders, headerNames, problemResponses, problemSchemas } from './openapi-components.ts';
import { createResponseSchemas } from './response-schema.ts';
import type { ResponseSchemas } from './response-schema.ts';
import { inRestTerms } from './rest-terms.ts';

export interface OpenApiOptions {
  readonly apiSchema: GraphQLSchema;
  readonly operations: readonly Operation[];
  readonly major: number;
}

/** One operation of the document. The members that the reference page reads are typed; the rest is JSON. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
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

/** Deterministic: the same schema and operations give the same document, so that `npm run schema` can commit it. */
export function openApiDocument({ apiSchema, operations, major }: OpenApiOptions): OpenApiDocument {
  const inputs = createJsonSchemas(apiSchema);
  const responseSchemas = createResponseSchemas(apiSchema, inputs);
  const ofMajor = operations.filter((operation) => operation.major === major);
  const byPath = Map.groupBy(ofMajor, (operation) => operation.path);
  const paths = Object.fromEntries(
    [...byPath]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, group]) => [
        path,
        Object.fromEntries(
          group.map((operation) => [
            operation.method.toLowerCase(),
            operationObject(apiSchema, operation, inputs, responseSchemas),
          ]),
        ),
      ]),
  );
  return inRestTerms({
    openapi: '3.1.0',
    info: {
      title: 'Talent platform',
      version: `${major}`,
      description:
        'Athletes, competitions, scouting, opportunities and organizations. Errors are RFC 9457 problems. Unknown parameters and members are rejected.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: versionPath(major) }],
    tags: [...new Set(ofMajor.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...inputs.components(), ...responseSchemas.components(), ...problemSchemas },
      responses: problemResponses,
      headers: responseHeaders,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  });
}

const tagOf = (operation: Operation): string => operation.path.split('/')[1] ?? '';

function operationObject(
  apiSchema: GraphQLSchema,
  operation: Operation,
  inputs: JsonSchemas,
  responseSchemas: ResponseSchemas,
): OpenApiOperation {
  const scopes = requiredScopes(apiSchema, operation);
  const weight = declaredWeight(apiSchema, operation);
  const parameters = [
    ...operation.variables.filter(({ place }) => place !== 'body').map((variable) => parameterObject(variable, inputs)),
    ...memberParameters(operation),
  ];
  const body = bodySchema(inputs, operation);
  const limits = bodyLimits(inputs, operation);
  const bodyRequired = operation.variables.some((variable) => variable.place === 'body' && variable.required);
  return {
    operationId: operation.name,
    summary: operation.description,
    ...(weight === null
      ? {}
      : { description: `Costs ${weight} points and those of the returned resources; 100 points are one unit of the quota.` }),
    tags: [tagOf(operation)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body && limits ? { requestBody: requestBody(body, bodyRequired, limits) } : {}),
    responses: responses(operation, responseSchemas),
    security: [...(operation.method === 'GET' && scopes.length === 0 ? [{}] : []), { apiKey: [] }, { bearer: [] }],
    ...(scopes.length > 0 ? { 'x-required-scopes': scopes } : {}),
  };
}

/** The points that the root field of an operation declares with @cost; null without it. */
function declaredWeight(apiSchema: GraphQLSchema, { method, root }: Operation): number | null {
  const type = method === 'GET' ? apiSchema.getQueryType() : apiSchema.getMutationType();
  const directive = apiSchema.getDirective('cost');
  const field = type?.getFields()[root.name.value]?.astNode;
  const weight = directive && field ? getDirectiveValues(directive, field)?.['weight'] : null;
  return typeof weight === 'number' ? weight : null;
}

/** The limits are in the description for readers, and in an extension for programs. */
function requestBody(schema: JsonSchema, required: boolean, { bytes, values }: BodyLimits): JsonSchema {
  const description = `At most ${bytes / 1024} KiB and ${values} values (members, items, lists and objects).`;
  return { description, required, content: { 'application/json': { schema } }, 'x-body-limit': { bytes, values } };
}

function parameterObject(variable: Variable, inputs: JsonSchemas): JsonSchema {
  const schema = variableSchema(inputs, variable);
  const sorts = sortValues(variable);
  const fallback = sorts ? [...sorts].find(([, value]) => value === variable.defaultValue)?.[0] : variable.defaultValue;
  const plain = Object.fromEntries(Object.entries(schema).filter(([member]) => member !== 'description'));
  const listStyle = schema['type'] === 'array' ? { style: 'form', explode: false } : {};
  return {
    name: variable.wireName,
    in: variable.place,
    required: variable.place === 'path' || variable.required,
    ...(variable.description === '' ? {} : { description: variable.description }),
    ...listStyle,
    schema: fallback === undefined ? plain : { ...plain, default: fallback },
  };
}

/** The `fields` and `include` parameters. */
function memberParameters(operation: Operation): JsonSchema[] {
  const { members, responseKind } = operation;
  const parameter = (name: string, description: string, values: readonly string[]): JsonSchema[] => {
    const schema = { type: 'array', minItems: 1, items: { type: 'string', enum: values } };
    return values.length === 0
      ? []
      : [{ name, in: 'query', required: false, description, style: 'form', explode: false, schema }];
  };
  const optional = members.filter((member) => member.optional);
  const isSynchronized = responseKind === 'list' && isSynchronizable(operation);
  return [
    ...parameter(
      'fields',
      'Return only these members. Other members are not fetched.',
      members.map(({ name }) => name),
    ),
    ...parameter(
      'include',
      `Return these optional members in addition to the default ones.${isSynchronized ? ' Not together with `updatedSince`.' : ''}`,
      optional.map(({ name }) => name),
    ),
  ];
}

/** The schema without null: a null root is a 404, never a body. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, type } = schema;
  // `anyOf` lists the schema before null, and a list of types starts with the non-null one (response-schema.ts)
  if (Array.isArray(anyOf)) return anyOf.find(isRecord) ?? schema;
  return Array.isArray(type) ? { ...schema, type: type.find((each) => typeof each === 'string') } : schema;
}

function problemStatuses({ method, variables }: Operation): readonly number[] {
  const ifMatch = variables.find(({ name }) => name === 'ifMatch');
  const statuses = new Set([400, 401, 403, 404, 406, 429, 500, 503, 504]);
  if (method !== 'GET') for (const status of [408, 409, 413, 415, 422]) statuses.add(status);
  if (ifMatch) statuses.add(412);
  if (ifMatch?.required || method === 'PUT') statuses.add(428);
  const known = new Set<number>(Object.values(errors).map(({ status }) => status));
  return [...statuses].filter((status) => known.has(status));
}

const redirect: JsonSchema = {
  description: 'The resource was merged into another one. Location is its URL.',
  headers: { Location: { $ref: '#/components/headers/Location' } },
};

function responses(operation: Operation, responseSchemas: ResponseSchemas): Record<string, JsonSchema> {
  const { method, redirects, rootType, root, fragments, status } = operation;
  const headers = Object.fromEntries(headerNames(operation).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  const schema = withoutNull(responseSchemas.of(rootType, root.selectionSet, fragments));
  const success: JsonSchema =
    status === 204
      ? { description: 'Success. The response has no body.', headers }
      : { description: 'Success.', headers, content: { 'application/json': { schema } } };
  const problems = problemStatuses(operation).map(
    (code) => [`${code}`, { $ref: `#/components/responses/Problem${code}` }] as const,
  );
  return {
    [`${status}`]: success,
    ...(redirects ? { 308: redirect } : {}),
    ...(method === 'GET' ? { 304: { description: 'Not modified: the representation still matches If-None-Match.' } } : {}),
    ...Object.fromEntries(problems),
  };
}

/** The scopes of the root field's @requiresScopes. All scopes of a group are required; alternative groups are joined by `or`. */
function requiredScopes(apiSchema: GraphQLSchema, operation: Operation): string[] {
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
