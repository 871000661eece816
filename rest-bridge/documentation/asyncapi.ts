/** The AsyncAPI 3.0 document of a major version: the events of webhooks and of the stream, derived from the OpenAPI document. */
import { eventCatalogue, eventScope, type CatalogueEntry } from '../../schema/event-catalogue.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isRecord } from '../../schema/records.ts';
import { versionPath } from '../versions.ts';
import type { OpenApiDocument } from './openapi.ts';
import { referencesIn } from './openapi-parts.ts';
import { webhookParameters } from './openapi-webhooks.ts';

export interface AsyncApiOptions {
  readonly major: number;
  readonly publicUrl?: string | null | undefined;
}

const streamPath = '/events/stream';
const headersComponent = 'WebhookHeaders';

/** Parameters of `GET /events` that the stream does not have: it has no pages. */
const pageParameters: ReadonlySet<unknown> = new Set(['limit', 'cursor', 'fields', 'include']);

const reference = (pointer: string): JsonSchema => ({ $ref: `#/${pointer}` });
const channelMessages = (channel: string): readonly JsonSchema[] =>
  eventCatalogue.filter(isIn(channel)).map(({ type }) => reference(`channels/${channel}/messages/${type}`));

/** Tests of an endpoint are sent to it only. */
function isIn(channel: string): (entry: CatalogueEntry) => boolean {
  return ({ type }) => channel === 'webhooks' || type !== 'webhook.test';
}

function messageOf({ type, description, area, visibility, schema }: CatalogueEntry): JsonSchema {
  return {
    name: type,
    title: type,
    summary: description,
    contentType: 'application/json',
    headers: reference(`components/schemas/${headersComponent}`),
    payload: { allOf: [reference(`components/schemas/${schema}`), { type: 'object', properties: { type: { const: type } } }] },
    tags: [{ name: area }],
    'x-visibility': visibility,
    'x-required-scopes': [eventScope],
  };
}

const messagesOf = (channel: string): JsonSchema =>
  Object.fromEntries(eventCatalogue.filter(isIn(channel)).map(({ type }) => [type, reference(`components/messages/${type}`)]));

/** The filters of the stream, which are those of the feed. */
function streamQuery(document: OpenApiDocument): JsonSchema {
  const parameters = (document.paths['/events']?.['get']?.parameters ?? []).filter(
    ({ name, in: place }) => place === 'query' && !pageParameters.has(name),
  );
  const properties = parameters.map(({ name, description, schema }) => [
    String(name),
    { ...(isRecord(schema) ? schema : {}), description },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** The headers of webhooks. Events of the stream have none. */
const webhookHeaders: JsonSchema = {
  type: 'object',
  description: 'The headers of a webhook (Standard Webhooks). Events of the stream have none.',
  properties: Object.fromEntries(
    Object.values(webhookParameters).map(({ name, description, schema }) => [
      String(name),
      { ...(isRecord(schema) ? schema : {}), description },
    ]),
  ),
};

function serversOf({ major, publicUrl }: AsyncApiOptions): JsonSchema {
  const url = URL.parse(publicUrl ?? '') ?? new URL('http://localhost:4000');
  return {
    platform: {
      host: url.host,
      protocol: url.protocol.replace(':', ''),
      pathname: versionPath(major),
      description: 'The REST API.',
      security: [reference('components/securitySchemes/apiKey'), reference('components/securitySchemes/bearer')],
    },
    endpoint: {
      host: '{host}',
      protocol: 'https',
      description: 'A webhook endpoint of an account.',
      variables: { host: { description: 'Host of the URL of the endpoint.', examples: ['example.com'] } },
    },
  };
}

const channels: JsonSchema = {
  webhooks: {
    // each endpoint has its own URL
    address: null,
    title: 'Webhooks',
    description: 'The URL of a webhook endpoint. A message is the body of one POST request.',
    servers: [reference('servers/endpoint')],
    messages: messagesOf('webhooks'),
  },
  stream: {
    address: streamPath,
    title: 'Event stream',
    description: 'Server-sent events. `data` is a message, `id` is sent as `Last-Event-ID` to resume.',
    servers: [reference('servers/platform')],
    messages: messagesOf('stream'),
  },
};

const operationsOf = (document: OpenApiDocument): JsonSchema => ({
  sendWebhook: {
    action: 'send',
    title: 'Send an event to an endpoint',
    summary:
      'A 2xx response within 15 s is a success. Other responses are retried for about three days; 410 disables the endpoint.',
    channel: reference('channels/webhooks'),
    messages: channelMessages('webhooks'),
    bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
  },
  streamEvents: {
    action: 'send',
    title: 'Stream events',
    summary: 'Sends the events that the account of the key can read, in the order of the feed.',
    channel: reference('channels/stream'),
    messages: channelMessages('stream'),
    bindings: { http: { method: 'GET', query: streamQuery(document), bindingVersion: '0.3.0' } },
  },
});

/** Self-contained: it has the schemas of the OpenAPI document that events use. Deterministic. */
export function asyncApiDocument(document: OpenApiDocument, options: AsyncApiOptions): JsonSchema {
  const operations = operationsOf(document);
  const messages = Object.fromEntries(eventCatalogue.map((entry) => [entry.type, messageOf(entry)]));
  const used = referencesIn([operations, messages], document.components);
  const schemas = Object.entries(document.components['schemas'] ?? {}).filter(([name]) => used.has(`schemas/${name}`));
  const { title, version, license } = document.info;
  return {
    asyncapi: '3.0.0',
    id: 'urn:talent-platform:events',
    info: {
      title: `${String(title)} events`,
      version,
      description: 'Changes of resources, sent to webhook endpoints and over a stream. An event is one item of `GET /events`.',
      license: { name: isRecord(license) ? license['name'] : '' },
    },
    defaultContentType: 'application/json',
    servers: serversOf(options),
    channels,
    operations,
    components: {
      schemas: { ...Object.fromEntries(schemas), [headersComponent]: webhookHeaders },
      messages,
      securitySchemes: {
        apiKey: { type: 'httpApiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}
