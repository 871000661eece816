/** The OpenAPI document matches what the bridge serves. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { buildSchema } from 'graphql';
import openapiTypescript, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import { openApiDocument } from '../../rest-bridge/documentation/openapi.ts';
import type { OpenApiDocument } from '../../rest-bridge/documentation/openapi.ts';
import { loadOperations } from '../../rest-bridge/operations/load-operations.ts';
import { errors } from '../../schema/errors.ts';
import { scalarFormats } from '../../schema/scalars.ts';
import { operations, schema } from './club-api.ts';
import { openClubBridge } from './club-bridge.ts';

const document = openApiDocument({ apiSchema: schema, operations, major: 1, publicUrl: 'https://api.example.com' });

/** A validator that knows the document as `api.json`; it compiles each schema once. */
function openValidator(of: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const [name, accepts] of Object.entries(scalarFormats)) ajv.addFormat(name, accepts);
  ajv.addSchema({ $id: 'api.json', ...of });
  return ajv;
}

/** The validation of a response of an operation. */
function responseValidator(ajv: Ajv2020, path: string, method: string, status: string) {
  const pointer = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'].map((part) =>
    part.replaceAll('~', '~0').replaceAll('/', '~1'),
  );
  return ajv.compile({ $ref: `api.json#/${pointer.map(encodeURIComponent).join('/')}` });
}

/** A script within the page, or anything of another server. */
const foreign = /<script(?! type="module" src="\/docs\/assets\/)|(?:src|href)="(?:http|\/\/)/;

test('the document contains every route with its parameters, bodies and responses', () => {
  expect(Object.keys(document.paths)).toEqual(['/clubs', '/clubs/batch', '/clubs/{id}', '/clubs/{id}/close']);
  const list = document.paths['/clubs']?.['get'];
  expect(list?.operationId).toBe('listClubs');
  expect(list?.parameters).toContainEqual({
    name: 'limit',
    in: 'query',
    required: false,
    description: 'How many on a page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  });
  expect(list?.parameters).toContainEqual({
    name: 'sort',
    in: 'query',
    required: false,
    schema: { type: 'string', enum: ['-createdAt', 'name'], default: '-createdAt' },
  });
  const create = document.paths['/clubs']?.['post'];
  expect(create).toMatchObject({
    'x-required-scopes': ['clubs:write'],
    security: [{ apiKey: [] }, { bearer: [] }],
    requestBody: { required: true },
  });
  expect(document.paths['/clubs/{id}']?.['patch']?.responses).toHaveProperty('428');
});

test('responses match the document', async () => {
  await using platform = await openClubBridge();
  const club = platform.create('Ajax');
  const ajv = openValidator(document);
  const check = (path: string, body: unknown, method = 'get', status = '200') => {
    const validate = responseValidator(ajv, path, method, status);
    expect([validate(body), validate.errors]).toEqual([true, null]);
  };
  check('/clubs', (await platform.app.inject('/api/v1/clubs?include=players')).json());
  check('/clubs/{id}', (await platform.app.inject(`/api/v1/clubs/${club.id}`)).json());
  check(
    '/clubs',
    (await platform.app.inject({ method: 'POST', url: '/api/v1/clubs', payload: { name: 'Boca', country: 'AR' } })).json(),
    'post',
    '201',
  );
  check(
    '/clubs/batch',
    (await platform.app.inject({ method: 'POST', url: '/api/v1/clubs/batch', payload: { items: [{}] } })).json(),
    'post',
  );
  expect(responseValidator(ajv, '/clubs/{id}', 'get', '200')({ id: 1 })).toBe(false);
});

test('types can be generated from the document of the public API', async () => {
  const apiSchema = buildSchema(readFileSync(new URL('../../schema/generated/api.graphql', import.meta.url), 'utf8'));
  const served = openApiDocument({ apiSchema, operations: loadOperations(apiSchema), major: 1 });
  const types = astToString(await openapiTypescript(served as unknown as OpenAPI3));
  expect(types).toContain('listOrganizations');
});

test('calendars of lists are operations with the filters of the list', () => {
  const apiSchema = buildSchema(readFileSync(new URL('../../schema/generated/api.graphql', import.meta.url), 'utf8'));
  const { paths } = openApiDocument({ apiSchema, operations: loadOperations(apiSchema), major: 1 });
  expect(Object.keys(paths).filter((path) => path.endsWith('.ics'))).toEqual(['/competitions/matches.ics', '/opportunities.ics']);
  const { operationId, parameters = [], responses } = paths['/competitions/matches.ics']?.['get'] ?? {};
  expect(operationId).toBe('getMatchesCalendar');
  expect(responses?.['200']?.['content']).toMatchObject({ 'text/calendar': { schema: { type: 'string' } } });
  const names = parameters.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['teamId', 'seasonId', 'status', 'If-None-Match']));
  for (const name of ['limit', 'cursor', 'sort', 'next', 'last', 'updatedSince', 'fields', 'include'])
    expect(names).not.toContain(name);
});

test('every schema of the public document is a valid JSON Schema, and every reference resolves', () => {
  const apiSchema = buildSchema(readFileSync(new URL('../../schema/generated/api.graphql', import.meta.url), 'utf8'));
  const served = openApiDocument({ apiSchema, operations: loadOperations(apiSchema), major: 1 });
  const ajv = openValidator(served);
  for (const name of Object.keys(served.components['schemas'] ?? {})) {
    expect(typeof ajv.compile({ $ref: `api.json#/components/schemas/${name}` })).toBe('function');
  }
  for (const [path, methods] of Object.entries(served.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [status] = Object.keys(operation.responses);
      if (path.endsWith('.ics') || path === '/events/stream') continue;
      expect(typeof responseValidator(ajv, path, method, status ?? '')).toBe('function');
    }
  }
  const references = new Set(JSON.stringify(served).match(/"\$ref":"[^"]+"/g));
  for (const reference of references) {
    const [, group = '', name = ''] = /"#\/components\/(\w+)\/([\w-]+)"/.exec(reference) ?? [];
    expect([reference, served.components[group]?.[name] !== undefined]).toEqual([reference, true]);
  }
});

test('index, document, reference and catalog are not charged, and the reference loads no other resources', async () => {
  await using platform = await openClubBridge();
  const index = await platform.app.inject('/api/v1');
  expect(index.json()).toMatchObject({
    version: 'v1',
    resources: [{ name: 'listClubs', href: '/api/v1/clubs', description: 'Clubs by name.' }],
    links: { openapi: '/api/v1/openapi.json', asyncapi: '/api/v1/asyncapi.json' },
  });
  const openapi = await platform.app.inject('/api/v1/openapi.json');
  expect(openapi.json()).toEqual(JSON.parse(JSON.stringify(document)));
  expect(
    (await platform.app.inject({ url: '/api/v1/openapi.json', headers: { 'if-none-match': String(openapi.headers['etag']) } }))
      .statusCode,
  ).toBe(304);
  const docs = await platform.app.inject('/docs');
  expect(docs.headers['content-security-policy']).toContain("default-src 'none'");
  expect(docs.body).toContain('<code>/clubs/{id}</code>');
  expect(docs.body).not.toMatch(foreign);
  const area = await platform.app.inject('/docs/reference/clubs');
  expect(area.body).toContain('<code>/api/v1/clubs/{id}</code>');
  expect(area.body).toContain('href="/docs/problems#quota_exceeded"');
  const { headers, body } = await platform.app.inject('/docs/problems');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(body.replaceAll(/<pre>[^]*?<\/pre>/g, '')).not.toMatch(new RegExp(`${foreign.source}|\`|\\*\\*`));
  for (const code of Object.keys(errors)) expect(body).toContain(`<h3 id="${code}">${code}</h3>`);
  const catalog = await platform.app.inject('/.well-known/api-catalog');
  expect(catalog.headers['content-type']).toContain('application/linkset+json');
  expect(catalog.json()).toMatchObject({
    linkset: [
      { item: [{ href: '/api/v1' }] },
      { anchor: '/api/v1', 'service-desc': [{ href: '/api/v1/openapi.json' }, { href: '/api/v1/asyncapi.json' }] },
    ],
  });
  expect(platform.requested).toEqual([]);
});

test('the type of a problem links to its section on this server', async () => {
  await using platform = await openClubBridge();
  const { app } = platform;
  const { type } = (await app.inject('/api/v1/nowhere')).json<{ type: string }>();
  const [path = '', code = ''] = type.split('#');
  expect((await app.inject(path)).body).toContain(`<h3 id="${code}">`);
  expect(code).toBe('not_found');
});
