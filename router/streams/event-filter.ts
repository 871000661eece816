/** The filter of a stream, and what a viewer may read, without a query: the conditions of subgraphs/accounts/events/filter.ts. */
import type { Viewer } from '../../schema/viewer.ts';
import type { FeedEvent } from './event-hub.ts';

/** EventFilter of the SDL. All given members must match. */
export interface EventFilter {
  readonly type?: readonly string[] | null | undefined;
  readonly area?: readonly string[] | null | undefined;
  readonly sport?: readonly string[] | null | undefined;
  readonly competitionId?: readonly string[] | null | undefined;
  readonly organizationId?: readonly string[] | null | undefined;
  readonly resourceId?: readonly string[] | null | undefined;
  readonly since?: string | null | undefined;
}

export type EventMatch = (event: FeedEvent) => boolean;

const isOneOf = (given: readonly string[], id: string | null): boolean => given.some((each) => each.toLowerCase() === id);

/** Whether a new event matches a filter. */
export function matchOf({ type, area, sport, competitionId, organizationId, resourceId, since }: EventFilter): EventMatch {
  const conditions: EventMatch[] = [];
  if (type) conditions.push((event) => type.includes(event.type));
  if (area) conditions.push((event) => area.includes(event.area.toUpperCase()));
  if (sport) conditions.push(({ sports }) => sports.some((each) => sport.includes(each)));
  if (competitionId) conditions.push((event) => isOneOf(competitionId, event.competitionId));
  if (organizationId) conditions.push((event) => isOneOf(organizationId, event.organizationId));
  if (resourceId) conditions.push((event) => isOneOf(resourceId, event.resourceId) || isOneOf(resourceId, event.subjectId));
  if (since) conditions.push(({ at }) => Date.parse(at) >= Date.parse(since));
  return (event) => conditions.every((condition) => condition(event));
}

/** False for events that the viewer cannot read in any case: no query is made for them. */
export function mayRead({ sport, accountId }: Viewer, event: FeedEvent): boolean {
  if (sport !== null && event.sports.length > 0 && !event.sports.includes(sport)) return false;
  return (
    event.subjectId !== null || (accountId !== null && (event.accountId === accountId || event.audience.includes(accountId)))
  );
}
