/** The REST API as a Postman collection (format 2.1), derived from the OpenAPI document. */
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isRecord } from '../../schema/records.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts';
import { operationTitle } from './operation-title.ts';
import { sampleValue } from './sample-value.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

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
    readonly body?: { readonly mode: 'raw'; readonly raw: string; readonly options: JsonSchema };
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

function valueOf(parameter: JsonSchema, schemas: Schemas): PostmanValue {
  const { name, schema, example, description } = parameter;
  const key = String(name);
  const sample = example ?? headerValues[key] ?? sampleValue(isRecord(schema) ? schema : {}, schemas);
  return { key, value: textOf(sample), ...(typeof description === 'string' ? { description } : {}) };
}

/** The JSON body with its declared example, or with a sample of its schema; null without a body. */
function bodyOf(operation: OpenApiOperation, schemas: Schemas): unknown {
  const content = operation.requestBody?.['content'];
  const media = isRecord(content) ? content['application/json'] : undefined;
  if (!isRecord(media)) return null;
  const { example, examples, schema } = media;
  const [first] = isRecord(examples) ? Object.values(examples) : [];
  return example ?? (isRecord(first) ? first['value'] : undefined) ?? sampleValue(isRecord(schema) ? schema : {}, schemas);
}

function requestOf(method: string, path: string, operation: OpenApiOperation, schemas: Schemas): PostmanRequest {
  const at = (place: string): readonly JsonSchema[] => (operation.parameters ?? []).filter((each) => each['in'] === place);
  const body = bodyOf(operation, schemas);
  const query = at('query').map((each) => ({
    ...valueOf(each, schemas),
    ...(each['required'] === true ? {} : { disabled: true }),
  }));
  const header = at('header').map((each) => ({ ...valueOf(each, schemas), ...(isSent(each) ? {} : { disabled: true }) }));
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
      header: [...header, ...(body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }])],
      url: {
        raw: `{{baseUrl}}/${names.join('/')}${enabled.length > 0 ? `?${enabled.join('&')}` : ''}`,
        host: ['{{baseUrl}}'],
        path: names,
        query,
        variable: at('path').map((each) => valueOf(each, schemas)),
      },
      ...(body === null
        ? {}
        : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }),
    },
    response: [],
  };
}

/** A folder per tag. `baseUrl` and `apiKey` are variables of the collection. */
export function postmanCollection(document: OpenApiDocument): PostmanCollection {
  const schemas = document.components['schemas'] ?? {};
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
        .map(({ method, path, operation }) => requestOf(method, path, operation, schemas)),
    })),
    variable: [
      { key: 'baseUrl', value: url.startsWith('/') ? `http://localhost:4000${url}` : url },
      { key: 'apiKey', value: '' },
    ],
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: addKey } }],
  };
}
