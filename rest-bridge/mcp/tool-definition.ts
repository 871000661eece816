/** The description of an operation as a tool of the Model Context Protocol, derived from the OpenAPI document. */
import type { JSONObject, JSONValue, Tool } from '@modelcontextprotocol/server';
import type { OpenApiDocument, OpenApiOperation } from '../documentation/openapi.ts';
import { operationTitle } from '../documentation/operation-title.ts';
import { inRestTerms } from '../documentation/rest-terms.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isRecord } from '../../schema/records.ts';
import type { Operation } from '../operations/operation.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

const prefix = '#/components/schemas/';

/** A schema without references: many clients pass it to a model that does not resolve them. The types of parameters contain no cycles. */
function inlined(value: unknown, schemas: Schemas): JSONValue {
  if (Array.isArray(value)) return value.map((each) => inlined(each, schemas));
  if (isRecord(value)) return inlinedMembers(value, schemas);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function inlinedMembers({ $ref: reference, ...others }: JsonSchema, schemas: Schemas): JSONObject {
  const target = typeof reference === 'string' ? schemas[reference.slice(prefix.length)] : undefined;
  const { title: _, ...schema } = target ?? {};
  const members = Object.entries({ ...schema, ...others }).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(members.map(([name, inner]) => [name, inlined(inner, schemas)]));
}

/** Path and query parameters; a tool has no headers. */
const isArgument = ({ in: place }: JsonSchema): boolean => place === 'path' || place === 'query';

/** What a tool does and whom it admits. Unlike in the document, without what only HTTP has. */
function descriptionOf({ description, responseKind }: Operation, described: OpenApiOperation): string {
  const { security, 'x-required-scopes': scopes = [] } = described;
  const isKeyRequired = security.every((scheme) => Object.keys(scheme).length > 0);
  const access = scopes.length > 0 ? `Requires an API key with the scope ${scopes.join(', ')}.` : 'Requires an API key.';
  return [
    description,
    ...(isKeyRequired ? [access] : []),
    ...(responseKind === 'list' ? ['For the next page, send `page.nextCursor` as `cursor` with the same filters.'] : []),
  ].join(' ');
}

/** The tool of one operation of the document. */
function toolDefinition({ components }: OpenApiDocument, described: OpenApiOperation, operation: Operation): Tool {
  const parameters = (described.parameters ?? []).filter(isArgument);
  const schemas = components['schemas'] ?? {};
  const properties = parameters.map(({ name, schema, description }): [string, JSONValue] => [
    String(name),
    inlined({ ...(isRecord(schema) ? schema : {}), description }, schemas),
  ]);
  const required = parameters.filter((parameter) => parameter['required'] === true).map(({ name }) => String(name));
  const title = operationTitle(operation.name);
  return {
    name: operation.name,
    title,
    description: descriptionOf(operation, described),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    annotations: { title, readOnlyHint: true, openWorldHint: false },
  };
}

/** The tools of these operations, in the order of the document. */
export function toolDefinitions(document: OpenApiDocument, operations: readonly Operation[]): Tool[] {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((described) => {
      const operation = byName.get(described.operationId);
      return operation === undefined ? [] : [inRestTerms(toolDefinition(document, described, operation))];
    });
}
