/** The description of an operation as a tool of the Model Context Protocol, derived from the OpenAPI document. */
import type { Tool } from '@modelcontextprotocol/server';
import type { OpenApiDocument, OpenApiOperation } from '../documentation/openapi.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isRecord } from '../../schema/records.ts';
import type { Operation } from '../operations/operation.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

const prefix = '#/components/schemas/';

/** A schema without references: many clients pass it to a model that does not resolve them. The types of parameters contain no cycles. */
function inlined(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(each, schemas));
  if (!isRecord(value)) return value;
  const { $ref: reference, ...others } = value;
  const target = typeof reference === 'string' ? schemas[reference.slice(prefix.length)] : undefined;
  const { title: _, ...schema } = target ?? {};
  return Object.fromEntries(Object.entries({ ...schema, ...others }).map(([name, inner]) => [name, inlined(inner, schemas)]));
}

/** `listAthletes` is "List athletes". */
function titleOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Path and query parameters; a tool has no headers. */
const isArgument = ({ in: place }: JsonSchema): boolean => place === 'path' || place === 'query';

/** The tool of one operation of the document. */
function toolDefinition({ components }: OpenApiDocument, operation: OpenApiOperation): Tool {
  const parameters = (operation.parameters ?? []).filter(isArgument);
  const schemas = components['schemas'] ?? {};
  const properties = parameters.map(({ name, schema, description }) => {
    const property = inlined(schema, schemas);
    return [String(name), { ...(isRecord(property) ? property : {}), ...(description === undefined ? {} : { description }) }];
  });
  const required = parameters.filter((parameter) => parameter['required'] === true).map(({ name }) => String(name));
  const title = titleOf(operation.operationId);
  return {
    name: operation.operationId,
    title,
    description: operation.description,
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
  const names = new Set(operations.map(({ name }) => name));
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ operationId }) => names.has(operationId))
    .map((operation) => toolDefinition(document, operation));
}
