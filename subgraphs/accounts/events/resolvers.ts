/** Resolvers of the event feed. */
import { eventCatalogue, eventExample, eventScope } from '../../../schema/event-catalogue.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forPlatform } from '../access.ts';
import { areaNames } from '../area-names.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createEventReads, representationOf, subjectOf } from './reads.ts';

const types = eventCatalogue.map((entry) => ({
  ...entry,
  area: areaNames[entry.area],
  scope: eventScope,
  schemaUrl: `/api/v1/openapi.json#/components/schemas/${entry.schema}`,
  // read when it is selected
  get example() {
    return eventExample(entry);
  },
}));

export function eventResolvers(services: AreaServices) {
  const reads = createEventReads(services);
  return {
    Query: {
      events: (_, args, context) => reads.list(context, args),
      eventsByIds: (_, { ids }, context) => reads.byIds(context, ids),
      feedEvents: forPlatform((args) => reads.after(args)),
      eventTypes: () => ({ nodes: types }),
    },
    Event: {
      timestamp: ({ at }) => at,
      mode: () => services.mode,
      apiVersion: () => 1,
      resource: ({ resourceType, resourceId, version }) => ({ type: resourceType, id: resourceId, version }),
      data: (event) => subjectOf(event),
      cursor: ({ sequence }) => reads.cursorAfter(sequence),
    },
    EventData: {
      representation: ({ type, id }, _, context) => (type === null ? null : representationOf(context, type, id)),
    },
  } satisfies Resolvers;
}
