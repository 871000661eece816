/** The search parameters of the lists of events in the dashboard and the portal, and the filter of the API that they stand for. */
import { sportNames } from '../../../schema/sports.ts';
import { areas } from '../areas.ts';
import { instantOf } from '../instant.ts';
import { idPattern, minutePattern, type ListSearch } from '../list-search.ts';

export const eventSearch = {
  type: /^[a-z_.]{1,60}$/,
  area: areas,
  sport: sportNames,
  resource: idPattern,
  since: minutePattern,
  /** The event whose details are open. */
  event: idPattern,
} as const;

export type EventSearch = ListSearch<typeof eventSearch>;

/** The filter without the time. */
export const eventFilterOf = ({ type, area, sport, resource }: EventSearch) => ({
  ...(type !== undefined && { type: [type] }),
  ...(area !== undefined && { area: [area] }),
  ...(sport !== undefined && { sport: [sport] }),
  ...(resource !== undefined && { resourceId: resource }),
});

/** The member of the filter for the time. */
export function sinceOf({ since }: EventSearch): { since?: string } {
  const start = instantOf(since);
  return start === null ? {} : { since: start };
}
