/** The Postman collection: its format, its requests against the OpenAPI document, and some of them sent. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../../rest-bridge/documentation/openapi.ts';
import type { PostmanCollection, PostmanRequest, PostmanValue } from '../../../rest-bridge/documentation/postman.ts';
import { scalarFormats } from '../../../schema/scalars.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let keyed: Client & { readonly key: string };
let collection: PostmanCollection;
let document: OpenApiDocument;
let requests: readonly PostmanRequest[];
beforeAll(async () => {
  platform = await openTestPlatform();
  keyed = await platform.account({ account: 'Postman' });
  collection = (await platform.anonymous.get('/postman.json')).body;
  document = (await platform.anonymous.get('/openapi.json')).body;
  requests = collection.item.flatMap(({ item }) => item);
});
afterAll(() => platform.close());

/** The members of the format (version 2.1.0) that the collection uses. */
const strict = (required: readonly string[], properties: object) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const text = { type: 'string' };
const value = strict(['key', 'value'], { key: text, value: text, description: text, disabled: { const: true } });
const list = (items: object) => ({ type: 'array', items });
const format = strict(['info', 'item'], {
  info: strict(['name', 'schema'], {
    name: text,
    description: text,
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  }),
  variable: list(value),
  event: list(
    strict(['listen', 'script'], {
      listen: { enum: ['prerequest', 'test'] },
      script: strict(['type', 'exec'], { type: { const: 'text/javascript' }, exec: list(text) }),
    }),
  ),
  item: list(
    strict(['name', 'item'], {
      name: text,
      description: text,
      item: list(
        strict(['name', 'request', 'response'], {
          name: text,
          response: list({}),
          request: strict(['method', 'url'], {
            method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
            description: text,
            header: list(value),
            url: strict(['raw'], { raw: text, host: list(text), path: list(text), query: list(value), variable: list(value) }),
            body: {
              oneOf: [
                strict(['mode', 'raw'], {
                  mode: { const: 'raw' },
                  raw: text,
                  options: strict(['raw'], { raw: strict(['language'], { language: { const: 'json' } }) }),
                }),
                strict(['mode', 'file'], { mode: { const: 'file' }, file: strict(['src'], { src: text }) }),
              ],
            },
          }),
        }),
      ),
    }),
  ),
});

test('follows the format of Postman collections', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  expect([ajv.validate(format, collection), ajv.errors]).toEqual([true, null]);
  expect(collection.variable.map(({ key }) => key)).toEqual(['baseUrl', 'apiKey']);
  expect(collection.item.map(({ name }) => name)).toEqual(document.tags.map(({ name }) => name));
});

test('has every operation once, with the parameters of the document and a valid body', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  for (const [name, accepts] of Object.entries(scalarFormats)) ajv.addFormat(name, accepts);
  ajv.addSchema({ $id: 'api.json', ...document });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(requests).toHaveLength(operations.length);
  const invalid: unknown[] = [];
  for (const { path, method, operation } of operations) {
    const template = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
    const found = requests.filter(
      ({ request }) => request.method === method.toUpperCase() && request.url.path.join('/') === template,
    );
    expect([path, method, found.length]).toEqual([path, method, 1]);
    const [{ request } = { request: null }] = found;
    const names = (place: string) => (operation.parameters ?? []).filter((each) => each['in'] === place).map(({ name }) => name);
    expect(request?.url.query.map(({ key }) => key)).toEqual(names('query'));
    expect(request?.url.variable.map(({ key }) => key)).toEqual(names('path'));
    if (operation.requestBody === undefined) continue;
    if (request?.body?.mode === 'file') {
      expect(operation.requestBody.content).toHaveProperty(['image/png']);
      continue;
    }
    const pointer = `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}/requestBody/content/application~1json/schema`;
    const isValid = ajv.validate({ $ref: `api.json#${pointer}` }, JSON.parse(request?.body?.raw ?? ''));
    if (!isValid)
      invalid.push([
        operation.operationId,
        request?.body?.raw,
        ajv.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`),
      ]);
  }
  expect(invalid).toEqual([]);
});

/** Sends a request of the collection as Postman does: with its variables, and without what is disabled. */
async function send({ request }: PostmanRequest, client: Client) {
  const filled = (from: string): string => from.replaceAll('{{$guid}}', crypto.randomUUID());
  const enabled = (values: readonly PostmanValue[]) => values.filter(({ disabled }) => disabled !== true);
  const path = request.url.path.map((part) => {
    const variable = request.url.variable.find(({ key }) => part === `:${key}`);
    return encodeURIComponent(variable?.value ?? part);
  });
  const query = enabled(request.url.query).map(({ key, value: given }) => `${key}=${encodeURIComponent(given)}`);
  return client.send(`/${path.join('/')}?${query.join('&')}`, {
    method: request.method,
    headers: Object.fromEntries(enabled(request.header).map(({ key, value: given }) => [key, filled(given)])),
    ...(request.body?.mode === 'raw' && { body: request.body.raw }),
  });
}

test('reads without path variables respond at once, also without a key unless they are private', async () => {
  const reads = requests.filter(({ request }) => request.method === 'GET' && request.url.variable.length === 0);
  expect(reads.length).toBeGreaterThan(20);
  // head-to-head requires two teams, and those of its examples do not exist; a stream does not end
  for (const read of reads.filter(({ request }) => !/head-to-head|events\/stream/.test(request.url.raw))) {
    // rankings need a season or an event, recommendations one recipient, and similar athletes a known one
    const [, incomplete] = /(matches\.ics|rankings|recommendations|similar)/.exec(read.request.url.raw) ?? [];
    const { status, body } = await send(read, keyed);
    expect([read.name, status, body.detail]).toEqual([
      read.name,
      incomplete === undefined ? 200 : incomplete === 'similar' ? 404 : 400,
      incomplete === undefined ? undefined : expect.any(String),
    ]);
    const isPrivate = read.request.description.includes('Requires an API key');
    expect([read.name, (await send(read, platform.anonymous)).status]).toEqual([read.name, isPrivate ? 401 : status]);
  }
});

test('requests that create resources succeed with a key', async () => {
  for (const name of ['Create organization', 'Create athlete', 'Create competition', 'Create shortlist']) {
    const request = requests.find((each) => each.name === name);
    expect([name, request === undefined]).toEqual([name, false]);
    if (request === undefined) continue;
    const { status, body } = await send(request, keyed);
    expect([name, status, body.detail, body.errors]).toEqual([name, 201, undefined, undefined]);
  }
});
