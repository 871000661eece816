/** The `webhooks` section of the OpenAPI document: one entry per event type, whose body is one item of `GET /events`. */
import { eventCatalogue, eventSchemaName, exampleEvent, eventScope, type CatalogueEntry } from '../../schema/event-catalogue.ts';
import { subjectOperations, type SubjectType } from '../../schema/event-subjects.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isRecord, keysOf } from '../../schema/records.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts';
import { requiredWithoutFields } from './response-schema.ts';

/** The component of the items of `GET /events`, and that of their `data`. */
const eventComponent = 'EventCardSelection';
const dataComponent = 'EventData';

const reference = (group: string, name: string): JsonSchema => ({ $ref: `#/components/${group}/${name}` });
const recordOf = (value: unknown): JsonSchema => (isRecord(value) ? value : {});
const nameOf = (value: unknown): string => String(recordOf(value)['$ref']).split('/').at(-1) ?? '';

const header = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

/** The headers of Standard Webhooks (https://www.standardwebhooks.com). */
export const webhookParameters: Readonly<Record<string, JsonSchema>> = {
  WebhookId: header(
    'webhook-id',
    'Id of the message, the same for all attempts. For events it is the id of the event. Ignore a message whose id you have processed.',
    { type: 'string' },
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'Time of the attempt in seconds since 1970-01-01 UTC. Reject a message that is more than five minutes old.',
    { type: 'string', pattern: String.raw`^\d+$` },
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures of id, timestamp and body, separated by spaces: `v1,` and an HMAC-SHA256 in base64. One of them must be valid.',
    { type: 'string' },
  ),
};

/** Not components: generated clients expect a problem in each response component. */
const webhookResponses: Readonly<Record<string, JsonSchema>> = {
  '2XX': { description: 'The endpoint has received the event. Respond within 15 s, and process the event afterwards.' },
  '410': { description: 'The endpoint no longer exists. It is disabled and receives no further events.' },
};

/** A copy of the members of a component, in which some are replaced. All members are required. */
function withMembers(component: JsonSchema, description: string, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const properties = recordOf(component['properties']);
  const replaced = Object.entries(members).map(([name, schema]) => {
    const { description: text } = recordOf(properties[name]);
    return [name, text === undefined ? schema : { ...schema, description: text }] as const;
  });
  const required = component['required'] ?? component[requiredWithoutFields];
  return { type: 'object', description, properties: { ...properties, ...Object.fromEntries(replaced) }, required };
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

interface Subject {
  readonly type: SubjectType;
  /** The component of the representation, which `GET` returns. */
  readonly component: string;
  readonly path: string;
}

/** The subjects of events with the schema of the operation that returns them; null if the document lacks one. */
function subjectsOf(document: OpenApiDocument): readonly Subject[] | null {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => [operation.operationId, { path, operation }] as const),
  );
  const byName = new Map(operations);
  const subjects = keysOf(subjectOperations).flatMap((type): Subject[] => {
    const found = byName.get(subjectOperations[type]);
    if (found === undefined) return [];
    const media = recordOf(recordOf(recordOf(found.operation.responses['200'])['content'])['application/json']);
    return [{ type, component: nameOf(media['schema']), path: found.path }];
  });
  return subjects.length === keysOf(subjectOperations).length ? subjects : null;
}

/** The components of the events of each subject, and of those without one. */
function eventSchemas(schemas: Readonly<Record<string, JsonSchema>>, subjects: readonly Subject[]): Record<string, JsonSchema> {
  const [event, data] = [recordOf(schemas[eventComponent]), recordOf(schemas[dataComponent])];
  const components = subjects.flatMap(({ type, component, path }): [string, JsonSchema][] => [
    [
      `${eventSchemaName(type)}Data`,
      withMembers(data, `What \`GET ${path}\` returns.`, { representation: orNull(reference('schemas', component)) }),
    ],
    [
      eventSchemaName(type),
      withMembers(event, `An event with \`data\` of the type ${type}.`, {
        data: orNull(reference('schemas', `${eventSchemaName(type)}Data`)),
      }),
    ],
  ]);
  const without = withMembers(event, 'An event that contains ids only.', { data: { type: 'null' } });
  return Object.fromEntries([...components, [eventSchemaName(null), without]]);
}

/** `match.status_changed` is onMatchStatusChanged. */
const operationIdOf = (type: string): string =>
  `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase())}`;

/** The members that are neither objects nor lists: the complete examples are those of the operations and of `GET /event-types`. */
const shortened = (representation: unknown): JsonSchema =>
  Object.fromEntries(Object.entries(recordOf(representation)).filter(([, value]) => typeof value !== 'object'));

function webhookOf(entry: CatalogueEntry, representation: unknown): OpenApiOperation {
  const { type, description, visibility, subject, schema } = entry;
  const receivers = visibility === 'PUBLIC' ? 'accounts that can read the resource' : 'the accounts of the resource';
  const example = {
    ...(subject === null ? {} : { summary: 'The representation is shortened.' }),
    value: exampleEvent(entry, shortened(representation)),
  };
  return {
    operationId: operationIdOf(type),
    summary: description,
    description: `${description}. Sent to ${receivers}.`,
    tags: ['events'],
    parameters: Object.keys(webhookParameters).map((name) => reference('parameters', name)),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { allOf: [reference('schemas', schema), { type: 'object', properties: { type: { const: type } } }] },
          examples: { default: example },
        },
      },
    },
    responses: webhookResponses,
    security: [],
    'x-required-scopes': [eventScope],
  };
}

/** A copy of a document with its webhooks. A document without the event feed is returned unchanged. */
export function withWebhooks(document: OpenApiDocument): OpenApiDocument {
  const { schemas = {}, examples = {} } = document.components;
  const subjects = subjectsOf(document);
  if (subjects === null || schemas[eventComponent] === undefined || schemas[dataComponent] === undefined) return document;
  const representations = new Map(subjects.map(({ type, component }) => [type, recordOf(examples[component])['value']]));
  const webhooks = eventCatalogue.map((entry) => {
    const representation = entry.subject === null ? null : representations.get(entry.subject);
    return [entry.type, { post: webhookOf(entry, representation) }] as const;
  });
  return {
    ...document,
    webhooks: Object.fromEntries(webhooks),
    components: {
      ...document.components,
      schemas: { ...schemas, ...eventSchemas(schemas, subjects) },
      parameters: webhookParameters,
    },
  };
}

/** Examples of the representation of each subject. Throws Error for a document without the event feed. */
export function subjectExamples(document: OpenApiDocument): Readonly<Record<string, unknown>> {
  const subjects = subjectsOf(document);
  if (subjects === null) throw new Error('The document lacks an operation of schema/event-subjects.ts.');
  const examples = document.components['examples'] ?? {};
  return Object.fromEntries(subjects.map(({ type, component }) => [type, recordOf(examples[component])['value']]));
}
