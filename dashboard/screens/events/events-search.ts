/** The search parameters of the event explorer, and the filter of the API that they stand for. */
import { eventFilterOf, eventSearch, sinceOf } from '../../components/events/event-search.ts';
import { idPattern, type ListSearch } from '../../components/list-search.ts';
import type { EventLogFilter } from '../../generated/graphql.ts';

export const eventsSearch = {
  ...eventSearch,
  /** Absent: the pages of the log. */
  view: ['LIVE'],
  account: idPattern,
} as const;

export type EventsSearch = ListSearch<typeof eventsSearch>;

/** The filter of both views. */
export const logFilterOf = ({ account, ...search }: EventsSearch): EventLogFilter => ({
  ...eventFilterOf(search),
  ...(account !== undefined && { accountId: account }),
});

/** The filter of the pages. */
export const pageFilterOf = (search: EventsSearch): EventLogFilter => ({ ...logFilterOf(search), ...sinceOf(search) });
