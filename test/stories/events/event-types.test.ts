/** The types of events: `GET /event-types`, the OpenAPI and AsyncAPI documents, and the events of the feed agree. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { eventCatalogue } from '../../../schema/event-catalogue.ts';
import { scalarFormats } from '../../../schema/scalars.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { facts } from '../athletes/people.ts';
import { playLeague } from '../competitions/leagues.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

test('GET /event-types, the webhooks of the OpenAPI document and the AsyncAPI document have the same types', async () => {
  const types = (await platform.anonymous.get('/event-types')).body.data;
  const openApi = await platform.anonymous.get('/openapi.json');
  const asyncApi = await platform.anonymous.get('/asyncapi.json');
  expect(asyncApi.headers.get('content-type')).toBe('application/vnd.aai.asyncapi+json;version=3.0.0; charset=utf-8');
  const names = types.map(({ type }: { type: string }) => type);
  expect(names).toEqual(eventCatalogue.map(({ type }) => type));
  expect(Object.keys(openApi.body.webhooks)).toEqual(names);
  expect(Object.keys(asyncApi.body.components.messages)).toEqual(names);
  for (const { type, schemaUrl, description, scope } of types) {
    const pointer = schemaUrl.replace('/api/v1/openapi.json#', '#');
    expect(openApi.body.webhooks[type].post).toMatchObject({
      summary: description,
      requestBody: { content: { 'application/json': { schema: { allOf: [{ $ref: pointer }, {}] } } } },
      'x-required-scopes': [scope],
    });
    expect(asyncApi.body.components.messages[type].payload.allOf[0].$ref).toBe(pointer);
    expect(openApi.body.components.schemas[pointer.split('/').at(-1)]).toBeDefined();
  }
});

test('a type has its schema, scope and sports, and on request an example', async () => {
  const { body } = await platform.anonymous.get('/event-types');
  const of = (data: readonly { type: string }[], type: string) => data.find((each) => each.type === type);
  expect(of(body.data, 'stage.created')).toEqual({
    type: 'stage.created',
    description: 'A stage of a season was created',
    area: 'COMPETITIONS',
    resource: 'stage',
    visibility: 'PUBLIC',
    scope: 'events:read',
    hasSport: true,
    schemaUrl: '/api/v1/openapi.json#/components/schemas/SeasonEvent',
  });
  const complete = await platform.anonymous.get('/event-types?include=example');
  expect(of(complete.body.data, 'stage.created')).toMatchObject({
    example: { type: 'stage.created', resource: { type: 'stage' }, data: { type: 'Season', deleted: false } },
  });
  expect(of(complete.body.data, 'webhook.test')).toMatchObject({
    visibility: 'ACCOUNT',
    hasSport: false,
    example: { data: null },
  });
});

test('the events of the feed have the schema of their type, and sports as the catalogue says', async () => {
  const owner = await platform.account({ account: 'Owner' });
  await playLeague(owner, ['Landesverband A', 'Landesverband B']);
  await owner.post('/athletes', facts({ displayName: 'Feed Athlete' }));
  await platform.settled();
  const { body: document } = await platform.anonymous.get('/openapi.json');
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const [name, accepts] of Object.entries(scalarFormats)) ajv.addFormat(name, accepts);
  ajv.addSchema({ $id: 'api.json', ...document });
  const read = async (query: string) => (await owner.get(`/events?limit=100${query}`)).body.data;
  const events = await read('');
  expect(new Set(events.map(({ data }: { data: { type: string } | null }) => data?.type)).size).toBeGreaterThan(3);
  for (const event of events) {
    const schema = `api.json#/webhooks/${event.type}/post/requestBody/content/application~1json/schema`;
    const validate = ajv.getSchema(schema);
    expect([event.type, validate?.(event), validate?.errors]).toEqual([event.type, true, null]);
  }
  const withSport = new Set((await read('&sport=FOOTBALL')).map(({ type }: { type: string }) => type));
  for (const { type, hasSport } of eventCatalogue)
    if (events.some((event: { type: string }) => event.type === type))
      expect([type, withSport.has(type)]).toEqual([type, hasSport]);
});
