/** The webhooks of the OpenAPI document and the AsyncAPI document: all event types, valid examples, and the official schema. */
import { describe, expect, test } from '@jest/globals';
import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { asyncApiDocument } from '../../rest-bridge/documentation/asyncapi.ts';
import { documentOfTag } from '../../rest-bridge/documentation/openapi-parts.ts';
import type { OpenApiDocument } from '../../rest-bridge/documentation/openapi.ts';
import { eventCatalogue, eventExample } from '../../schema/event-catalogue.ts';
import { eventResources, events } from '../../schema/events.ts';
import { scalarFormats } from '../../schema/scalars.ts';
import { readText } from '../architecture/source.ts';

const text = readText('schema/generated/openapi/v1.json');
const openApi = JSON.parse(text) as OpenApiDocument;
const asyncApi = asyncApiDocument(openApi, { major: 1, publicUrl: 'https://api.talent.test' });
const types = Object.keys(events).sort();

describe('the catalogue', () => {
  test('has every type with its area, and a subject exactly for types that are visible to readers of a resource', () => {
    expect(eventCatalogue.map(({ type }) => type)).toEqual(types);
    for (const { resource, area, subject, visibility } of eventCatalogue) {
      expect(area).toBe(eventResources[resource].area);
      expect(subject === null).toBe(visibility === 'ACCOUNT');
    }
  });

  test('says that events of a season part are about the season, and those of an action about the match', () => {
    const subjectOf = (type: string) => eventCatalogue.find((entry) => entry.type === type)?.subject;
    expect(subjectOf('stage.created')).toBe('Season');
    expect(subjectOf('match_action.created')).toBe('Match');
    expect(subjectOf('statistics.updated')).toBe('AthleteStatistics');
    expect(subjectOf('consent.given')).toBeNull();
  });
});

describe('the webhooks of the OpenAPI document', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const [name, accepts] of Object.entries(scalarFormats)) ajv.addFormat(name, accepts);
  ajv.addSchema({ $id: 'api.json', ...openApi });
  const bodyOf = (type: string) =>
    ajv.compile({ $ref: `api.json#/webhooks/${type}/post/requestBody/content/application~1json/schema` });

  test('are all types', () => {
    expect(Object.keys(openApi.webhooks ?? {})).toEqual(types);
  });

  test('have the headers of Standard Webhooks, a response for success, and 410', () => {
    for (const { post } of Object.values(openApi.webhooks ?? {}))
      expect(post).toMatchObject({
        parameters: [
          { $ref: '#/components/parameters/WebhookId' },
          { $ref: '#/components/parameters/WebhookTimestamp' },
          { $ref: '#/components/parameters/WebhookSignature' },
        ],
        responses: { '2XX': {}, '410': {} },
      });
    const names = Object.values(openApi.components['parameters'] ?? {}).map(({ name }) => name);
    expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  });

  test('accept their examples and the complete ones of the catalogue, and reject the events of another type', () => {
    for (const entry of eventCatalogue) {
      const validate = bodyOf(entry.type);
      const media = openApi.webhooks?.[entry.type]?.['post']?.requestBody as {
        content: Record<string, { examples: Record<string, { value: object }> }>;
      };
      const { value } = media.content['application/json']?.examples['default'] ?? { value: null };
      for (const event of [value, eventExample(entry)]) {
        validate(event);
        expect([entry.type, validate.errors]).toEqual([entry.type, null]);
      }
      expect(validate({ ...eventExample(entry), type: 'match.other' })).toBe(false);
      expect(validate({ ...eventExample(entry), sequence: undefined })).toBe(false);
    }
  });

  test('describe a deleted subject, and events that contain ids only', () => {
    const event = eventCatalogue.find(({ type }) => type === 'athlete.updated');
    if (event === undefined) throw new Error('no type');
    const data = { type: null, id: '0197a2c4-5d3e-7b61-9f20-3c8de1a4b752', deleted: true, representation: null };
    expect(bodyOf('athlete.updated')({ ...eventExample(event), data })).toBe(true);
    expect(bodyOf('athlete.updated')({ ...eventExample(event), data: null })).toBe(true);
    const test = eventCatalogue.find(({ type }) => type === 'webhook.test');
    expect(test && eventExample(test)).toMatchObject({
      type: 'webhook.test',
      resource: { type: 'webhook_endpoint' },
      data: null,
    });
  });

  test('add less than a tenth to the document, and nothing to the documents of areas', () => {
    const { webhooks: _, ...without } = openApi;
    const size = (value: unknown): number => JSON.stringify(value, null, 2).length;
    expect(size(openApi) - size(without)).toBeLessThan(size(without) / 10);
    expect(documentOfTag(openApi, 'events')).not.toHaveProperty('webhooks');
  });
});

describe('the AsyncAPI document', () => {
  test('is valid by the official schema of AsyncAPI 3.0', () => {
    // the schema contains its own copy of the meta schema
    const ajv = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false });
    addFormats.default(ajv);
    const validate = ajv.compile(specs.schemas['3.0.0'] as object);
    validate(asyncApi);
    expect(validate.errors).toBeNull();
    expect(validate({ ...asyncApi, channels: { webhooks: { address: 1 } } })).toBe(false);
  });

  test('has a message for every type, on both channels; tests of an endpoint are webhooks only', () => {
    const { channels, components } = asyncApi as {
      channels: Record<string, { messages: object }>;
      components: { messages: object };
    };
    expect(Object.keys(components.messages)).toEqual(types);
    expect(Object.keys(channels['webhooks']?.messages ?? {})).toEqual(types);
    expect(Object.keys(channels['stream']?.messages ?? {})).toEqual(types.filter((type) => type !== 'webhook.test'));
  });

  test('refers only to what it contains, and has the schemas of events unchanged', () => {
    const references = [...JSON.stringify(asyncApi).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = '']) => pointer);
    expect(references.length).toBeGreaterThan(types.length);
    const lost = references.filter(
      (pointer) =>
        pointer.split('/').reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], asyncApi) ===
        undefined,
    );
    expect(lost).toEqual([]);
    const { schemas } = asyncApi['components'] as { schemas: Record<string, unknown> };
    expect(schemas['MatchEvent']).toEqual(openApi.components['schemas']?.['MatchEvent']);
  });

  test('has the filters of the feed for the stream, and the public host', () => {
    expect(asyncApi).toMatchObject({
      servers: { platform: { host: 'api.talent.test', protocol: 'https', pathname: '/api/v1' } },
      operations: { streamEvents: { bindings: { http: { method: 'GET' } } } },
    });
    const { operations } = asyncApi as { operations: Record<string, { bindings: { http: { query: { properties: object } } } }> };
    expect(Object.keys(operations['streamEvents']?.bindings.http.query.properties ?? {})).toEqual([
      'type',
      'area',
      'sport',
      'competitionId',
      'organizationId',
      'resourceId',
      'since',
    ]);
  });
});
