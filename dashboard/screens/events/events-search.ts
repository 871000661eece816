/** The search parameters of the event explorer, and the filter of the API that they stand for. */
import { sportNames } from '../../../schema/sports.ts';
import type { EventLogFilter } from '../../generated/graphql.ts';
import { instantOf } from '../../components/instant.ts';
import { idPattern, minutePattern, type ListSearch } from '../../components/list-search.ts';
import { areas } from '../../components/areas.ts';

export const eventsSearch = {
  /** Absent: the pages of the log. */
  view: ['LIVE'],
  type: /^[a-z_.]{1,60}$/,
  area: areas,
  sport: sportNames,
  resource: idPattern,
  account: idPattern,
  since: minutePattern,
  /** The event whose details are open. */
  event: idPattern,
} as const;

export type EventsSearch = ListSearch<typeof eventsSearch>;

/** The filter of both views. */
export const eventFilterOf = ({ type, area, sport, resource, account }: EventsSearch): EventLogFilter => ({
  ...(type !== undefined && { type: [type] }),
  ...(area !== undefined && { area: [area] }),
  ...(sport !== undefined && { sport: [sport] }),
  ...(resource !== undefined && { resourceId: resource }),
  ...(account !== undefined && { accountId: account }),
});

/** The filter of the pages. */
export function pageFilterOf(search: EventsSearch): EventLogFilter {
  const since = instantOf(search.since);
  return { ...eventFilterOf(search), ...(since !== null && { since }) };
}
