/** An operation in the OpenAPI document. */
import { getDirectiveValues, Kind } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { JsonSchema, JsonSchemas } from '../../schema/json-schema.ts';
import { calendars } from '../calendars/calendar.ts';
import { isSynchronizable } from '../operations/joined-members.ts';
import type { Operation } from '../operations/operation.ts';
import type { Variable } from '../operations/variables.ts';
import { bodyLimits, type BodyLimits } from '../requests/body-limits.ts';
import { imageTypes } from '../requests/media-type.ts';
import { bulkFormats, documentFormats, hasDocuments } from '../requests/response-format.ts';
import { sortValues } from '../requests/query-parameters.ts';
import { bodySchema, variableSchema } from '../requests/variable-schema.ts';
import type { OpenApiOperation } from './openapi.ts';
import { responsesOf } from './openapi-responses.ts';
import type { ResponseSchemas } from './response-schema.ts';

interface OperationContext {
  /** All operations of the document. */
  readonly operations: readonly Operation[];
  readonly inputs: JsonSchemas;
  readonly responseSchemas: ResponseSchemas;
}

/** The first segment of the path. */
export const tagOf = (operation: Operation): string => operation.path.split('/')[1] ?? '';

/** One operation of the document. */
export function operationObject(
  apiSchema: GraphQLSchema,
  operation: Operation,
  { operations, inputs, responseSchemas }: OperationContext,
): OpenApiOperation {
  const scopes = requiredScopes(apiSchema, operation);
  const isKeyRequired = operation.method !== 'GET' || scopes.length > 0 || requiresKey(apiSchema, operation);
  const weight = declaredWeight(apiSchema, operation);
  const parameters = [
    ...operation.variables.filter(({ place }) => place !== 'body').map((variable) => parameterObject(variable, inputs)),
    ...memberParameters(operation),
    ...(operation.method === 'GET' ? [ifNoneMatch] : []),
  ];
  const body = bodySchema(inputs, operation);
  const limits = bodyLimits(inputs, operation);
  const bodyRequired = operation.variables.some((variable) => variable.place === 'body' && variable.required);
  return {
    operationId: operation.name,
    summary: operation.description,
    description: descriptionOf(operation, scopes, isKeyRequired, weight),
    tags: [tagOf(operation)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body && limits
      ? { requestBody: operation.body === 'image' ? imageBody(limits) : requestBody(body, bodyRequired, limits) }
      : {}),
    responses: responsesOf(operation, responseSchemas, linksOf(operation, operations)),
    security: [...(isKeyRequired ? [] : [{}]), { apiKey: [] }, { bearer: [] }],
    // not as further content: generated clients would type a response as any of its formats
    ...(operation.method === 'GET' && operation.responseKind === 'list' ? { 'x-bulk-formats': Object.values(bulkFormats) } : {}),
    ...(hasDocuments(operation) ? { 'x-document-formats': Object.values(documentFormats) } : {}),
    ...(operation.name in calendars ? { 'x-calendar': `${operation.path}.ics` } : {}),
    ...(scopes.length > 0 ? { 'x-required-scopes': scopes } : {}),
  };
}

const ifNoneMatch: JsonSchema = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the response that you have. If it is still current, the response is 304 without a body.',
  schema: { type: 'string', pattern: String.raw`^[\x20-\x7e]*$` },
};

/** What an operation does, whom it admits and what it costs, in Markdown. */
function descriptionOf(operation: Operation, scopes: readonly string[], isKeyRequired: boolean, weight: number | null): string {
  const { description, responseKind, method, redirects, variables } = operation;
  const isList = responseKind === 'list' && method === 'GET';
  const sentences = [
    description,
    scopes.length > 0
      ? `Requires an API key with the scope ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`
      : isKeyRequired
        ? 'Requires an API key.'
        : '',
    isList && variables.some(({ name }) => name === 'cursor') ? 'Send `page.nextCursor` as `cursor` to read the next page.' : '',
    isList ? 'With `Accept: application/x-ndjson` or `text/csv` the response contains the whole list.' : '',
    hasDocuments(operation)
      ? 'With `Accept: text/html` the response is a page for print, with `text/csv` one record per line.'
      : '',
    operation.name in calendars ? `\`GET ${operation.path}.ics\` returns the list as a calendar (iCalendar, RFC 5545).` : '',
    responseKind === 'batch' ? 'An invalid item does not affect the others.' : '',
    redirects ? 'The id of a merged profile redirects (308) to the remaining profile.' : '',
    weight === null ? '' : `Costs ${weight} points and those of the returned resources; 100 points are one unit of the quota.`,
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Links from a created resource, and from the items of a list, to the operation that reads one. */
function linksOf(operation: Operation, operations: readonly Operation[]): JsonSchema | null {
  const { method, responseKind, status, path, major } = operation;
  const isCreation = method === 'POST' && status === 201;
  if (!isCreation && !(method === 'GET' && responseKind === 'list')) return null;
  const parent = path.replaceAll(/\{\w+\}/g, '{}');
  const read = operations.find(
    (other) => other.major === major && other.method === 'GET' && other.path.replaceAll(/\{\w+\}/g, '{}') === `${parent}/{}`,
  );
  const parameter = /\{(\w+)\}$/.exec(read?.path ?? '')?.[1];
  if (read === undefined || parameter === undefined || path.includes('{')) return null;
  const pointer = isCreation ? '/id' : `/data/0/${parameter === 'code' ? 'code' : 'id'}`;
  return {
    [read.name]: {
      operationId: read.name,
      parameters: { [parameter]: `$response.body#${pointer}` },
      description: isCreation ? 'Reads the created resource.' : 'Reads one of the items.',
    },
  };
}

/** Whether the root field is for callers with a key (@authenticated). */
function requiresKey(apiSchema: GraphQLSchema, { root }: Operation): boolean {
  const directives = apiSchema.getQueryType()?.getFields()[root.name.value]?.astNode?.directives ?? [];
  return directives.some(({ name }) => name.value === 'authenticated');
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

/** An image is the body itself. OpenAPI 3.1 describes binary content without a schema; generators of clients look for `format`. */
function imageBody({ bytes }: BodyLimits): JsonSchema {
  const schema = { type: 'string', format: 'binary' };
  return {
    description: `A PNG, JPEG or WebP file of at most ${bytes / 1024 / 1024} MiB.`,
    required: true,
    content: Object.fromEntries(imageTypes.map((type) => [type, { schema }])),
    'x-body-limit': { bytes, values: 1 },
  };
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
