/** Which events cause an update of a subscription, and the arguments of the query that reads it. */
import { isRecord } from '../../schema/records.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Variables } from '../operations/conditions.ts';
import type { SubscriptionField } from '../operations/subscription-query.ts';
import { matchOf, mayRead, type EventMatch } from '../streams/event-filter.ts';
import type { FeedEvent } from '../streams/event-hub.ts';

/** Delivers the state of one resource: first the current one, then each later one. */
export interface StateSource {
  readonly kind: 'STATE';
  /** ID of the resource: the subject of the events. */
  readonly subjectOf: (given: Variables) => string;
  readonly argumentsOf: (given: Variables) => Variables;
}

/** Delivers an item per event. */
export interface ItemSource {
  readonly kind: 'ITEMS';
  readonly causesOf: (given: Variables, viewer: Viewer) => EventMatch;
  /** Events that one execution reads at most. */
  readonly batchSize: number;
  readonly argumentsOf: (given: Variables, events: readonly FeedEvent[]) => Variables;
}

const idOf = (value: unknown): string => String(value).toLowerCase();

const filterOf = ({ filter }: Variables): Variables => (isRecord(filter) ? filter : {});
const listOf = (value: unknown): readonly string[] | null => (Array.isArray(value) ? value.map(String) : null);

/** Changes after which an opportunity can be published for the first time, or again; the query looks at its status. */
const publishing: ReadonlySet<string> = new Set(['opportunity.created', 'opportunity.status_changed']);

export const subscriptionSources: Readonly<Record<SubscriptionField, StateSource | ItemSource>> = {
  matchUpdated: {
    kind: 'STATE',
    subjectOf: ({ id }) => idOf(id),
    argumentsOf: ({ id }) => ({ id }),
  },
  standingsUpdated: {
    kind: 'STATE',
    subjectOf: ({ seasonId }) => idOf(seasonId),
    argumentsOf: ({ seasonId, first }) => ({ first, filter: { seasonId } }),
  },
  opportunityPublished: {
    kind: 'ITEMS',
    batchSize: 1,
    causesOf(given) {
      const filter = filterOf(given);
      const ids = listOf(filter['ids'])?.map(idOf);
      const isPossible = listOf(filter['status'])?.includes('PUBLISHED') !== false;
      return ({ type, resourceId }) => isPossible && publishing.has(type) && ids?.includes(resourceId) !== false;
    },
    argumentsOf: (given, events) => ({
      first: 1,
      filter: { ...filterOf(given), ids: events.map(({ resourceId }) => resourceId), status: ['PUBLISHED'] },
    }),
  },
  events: {
    kind: 'ITEMS',
    batchSize: 20,
    causesOf(given, viewer) {
      const matches = matchOf(filterOf(given));
      return (event) => mayRead(viewer, event) && matches(event);
    },
    argumentsOf: (_, events) => ({ ids: events.map(({ id }) => id) }),
  },
};
