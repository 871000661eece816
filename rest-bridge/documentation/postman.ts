/** The REST API as a Postman collection (format 2.1), derived from the OpenAPI document. */
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isRecord } from '../../schema/records.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts';
import { operationTitle } from './operation-title.ts';
import { createExamples } from './example-values.ts';

/** Returns an example of a parameter, and the body of an operation with its example; null without a body. */
interface Examples {
  readonly ofParameter: (parameter: JsonSchema) => unknown;
  readonly ofBody: (operation: OpenApiOperation) => unknown;
}

/** A name with a value: a parameter, a header or a variable. */
export interface PostmanValue {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
  readonly disabled?: boolean;
}

export interface PostmanRequest {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly description: string;
    readonly header: readonly PostmanValue[];
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query: readonly PostmanValue[];
      readonly variable: readonly PostmanValue[];
    };
    readonly body?:
      | { readonly mode: 'raw'; readonly raw: string; readonly options: JsonSchema }
      | { readonly mode: 'file'; readonly file: { readonly src: string } };
  };
  readonly response: readonly never[];
}

export interface PostmanCollection {
  readonly info: { readonly name: string; readonly description: string; readonly version: string; readonly schema: string };
  readonly item: readonly { readonly name: string; readonly description: string; readonly item: readonly PostmanRequest[] }[];
  readonly variable: readonly PostmanValue[];
  readonly event: readonly JsonSchema[];
}

/** Without a value of `apiKey`, requests have no key: an empty header would be an invalid one. */
const addKey = [
  "const key = pm.variables.get('apiKey');",
  "if (key) pm.request.headers.upsert({ key: 'x-api-key', value: key });",
];

/** Headers whose values differ from a sample of their schema. `{{$guid}}` is a new id for each request. */
const headerValues: Readonly<Record<string, string>> = { 'If-Match': '*', 'Idempotency-Key': '{{$guid}}' };

/** Headers that are sent unless they are switched off. */
const isSent = (parameter: JsonSchema): boolean =>
  parameter['required'] === true || headerValues[String(parameter['name'])] !== undefined;

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(',') : isRecord(value) ? JSON.stringify(value) : String(value);
}

const recordOf = (value: unknown): JsonSchema => (isRecord(value) ? value : {});

function examplesOf({ components }: OpenApiDocument): Examples {
  const exampleOf = createExamples(components['schemas'] ?? {});
  return {
    ofParameter({ name, schema }) {
      const key = String(name);
      const { default: fallback } = recordOf(schema);
      const one = { type: 'object', required: [key], properties: { [key]: schema } };
      return headerValues[key] ?? fallback ?? recordOf(exampleOf(one, 'REQUEST'))[key];
    },
    ofBody({ requestBody }) {
      if (requestBody === undefined) return null;
      const { example, examples } = recordOf(recordOf(requestBody['content'])['application/json']);
      const [first] = Object.values(recordOf(examples));
      const { $ref: reference } = recordOf(first);
      const shared = typeof reference === 'string' ? components['examples']?.[reference.split('/').at(-1) ?? ''] : undefined;
      return example ?? shared?.['value'] ?? recordOf(first)['value'] ?? null;
    },
  };
}

function valueOf(parameter: JsonSchema, examples: Examples): PostmanValue {
  const { name, description } = parameter;
  const value = textOf(examples.ofParameter(parameter));
  return { key: String(name), value, ...(typeof description === 'string' ? { description } : {}) };
}

function requestOf(method: string, path: string, operation: OpenApiOperation, examples: Examples): PostmanRequest {
  const at = (place: string): readonly JsonSchema[] => (operation.parameters ?? []).filter((each) => each['in'] === place);
  const isImage = 'image/png' in recordOf(operation.requestBody?.['content']);
  const body = isImage ? null : examples.ofBody(operation);
  const type = isImage ? 'image/png' : body === null ? null : 'application/json';
  const query = at('query').map((each) => ({
    ...valueOf(each, examples),
    ...(each['required'] === true ? {} : { disabled: true }),
  }));
  const header = at('header').map((each) => ({ ...valueOf(each, examples), ...(isSent(each) ? {} : { disabled: true }) }));
  const segments = path.split('/').slice(1);
  const names = segments.map((segment) => segment.replaceAll(/\{(\w+)\}/g, ':$1'));
  const enabled = query
    .filter(({ disabled }) => disabled !== true)
    .map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  return {
    name: operationTitle(operation.operationId),
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      header: [...header, ...(type === null ? [] : [{ key: 'Content-Type', value: type }])],
      url: {
        raw: `{{baseUrl}}/${names.join('/')}${enabled.length > 0 ? `?${enabled.join('&')}` : ''}`,
        host: ['{{baseUrl}}'],
        path: names,
        query,
        variable: at('path').map((each) => valueOf(each, examples)),
      },
      ...(isImage && { body: { mode: 'file', file: { src: 'image.png' } } }),
      ...(body !== null && { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }),
    },
    response: [],
  };
}

/** A folder per tag. `baseUrl` and `apiKey` are variables of the collection. */
export function postmanCollection(document: OpenApiDocument): PostmanCollection {
  const examples = examplesOf(document);
  const [server] = document.servers;
  const url = server?.url ?? '';
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  return {
    info: {
      name: String(document.info['title']),
      description: `${String(document.info['description'])} Set the variable apiKey to send your API key with every request.`,
      version: String(document.info['version']),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ method, path, operation }) => requestOf(method, path, operation, examples)),
    })),
    variable: [
      { key: 'baseUrl', value: url.startsWith('/') ? `http://localhost:4000${url}` : url },
      { key: 'apiKey', value: '' },
    ],
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: addKey } }],
  };
}
