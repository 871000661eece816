/** Resolvers of the event feed. */
import { eventResources, events } from '../../../schema/events.ts';
import { entriesOf } from '../../../schema/records.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forPlatform } from '../access.ts';
import { areaNames } from '../area-names.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createEventReads, representationOf, subjectOf } from './reads.ts';

const types = entriesOf(events)
  .map(([type, { resource, description }]) => {
    const { area, subject } = eventResources[resource];
    const visibility: 'PUBLIC' | 'ACCOUNT' = subject === null ? 'ACCOUNT' : 'PUBLIC';
    return { type, description, area: areaNames[area], resource, visibility };
  })
  .sort((one, other) => (one.type < other.type ? -1 : 1));

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
