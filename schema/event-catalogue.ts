/** The catalogue of event types: what each type is about, who receives it, the schema of its events, and an example. */
import { readFileSync } from 'node:fs';
import type { Area } from './areas.ts';
import { eventResources, events, type EventResourceType, type EventType } from './events.ts';
import { subjectTypeOf, type SubjectType } from './event-subjects.ts';
import { entriesOf, isRecord } from './records.ts';
import type { Scope } from './scopes.ts';

export interface CatalogueEntry {
  readonly type: EventType;
  readonly description: string;
  readonly area: Area;
  readonly resource: EventResourceType;
  /** The type whose representation is in `data`; null: `data` is null. */
  readonly subject: SubjectType | null;
  readonly visibility: 'PUBLIC' | 'ACCOUNT';
  /** Whether the events have the sports of the resource. */
  readonly hasSport: boolean;
  /** The component of the OpenAPI document that describes the events. */
  readonly schema: string;
}

/** The scope of keys that receive events. */
export const eventScope: Scope = 'events:read';

/** The component that describes the events of a type of subject. */
export const eventSchemaName = (subject: SubjectType | null): string =>
  subject === null ? 'EventWithoutData' : `${subject}Event`;

/** All types, by name. */
export const eventCatalogue: readonly CatalogueEntry[] = entriesOf(events)
  .map(([type, { resource, description }]): CatalogueEntry => {
    const row = eventResources[resource];
    const subject = subjectTypeOf(resource);
    const visibility = row.subject === null ? 'ACCOUNT' : 'PUBLIC';
    const schema = eventSchemaName(subject);
    return { type, description, area: row.area, resource, subject, visibility, hasSport: 'hasSport' in row, schema };
  })
  .sort((one, other) => (one.type < other.type ? -1 : 1));

const resourceId = '0197a2c4-5d3e-7b61-9f20-3c8de1a4b752';
const partId = '0197a2c4-5d3e-7b61-9f20-3c8de1a4b753';
const eventId = '0197a2c4-6a10-7c44-8b1d-52f0c7d9e310';

/** An event of a type, as the feed, webhooks and streams contain it. `representation` is an example of its subject. */
export function exampleEvent(
  { type, resource, subject }: CatalogueEntry,
  representation: unknown,
): Readonly<Record<string, unknown>> {
  const isPart = subject !== null && eventResources[resource].subject !== 'id';
  return {
    id: eventId,
    type,
    timestamp: '2026-07-01T10:00:00.000Z',
    mode: 'LIVE',
    apiVersion: 1,
    sequence: 48_211,
    resource: { type: resource, id: isPart ? partId : resourceId, version: 3 },
    data: subject === null ? null : { type: subject, id: resourceId, deleted: false, representation },
  };
}

let representations: unknown = null;

/** The example of a type with the generated representation of its subject. */
export function eventExample(entry: CatalogueEntry): Readonly<Record<string, unknown>> {
  representations ??= JSON.parse(readFileSync(new URL('generated/event-examples.json', import.meta.url), 'utf8'));
  const { subject } = entry;
  return exampleEvent(entry, subject !== null && isRecord(representations) ? representations[subject] : null);
}
