/** The filter of the event feed for new events, with the meaning that it has for the list (subgraphs/accounts/events/filter.ts). */
import { Problem } from '../../schema/errors.ts';
import { events as eventTypes } from '../../schema/events.ts';
import { suggestionFor, truncated } from '../../schema/violations.ts';
import { owns, type Viewer } from '../../schema/viewer.ts';
import type { FeedEvent } from '../streams/event-hub.ts';

/** A coerced `EventFilter`. */
export interface EventFilter {
  readonly type?: readonly string[] | null;
  readonly area?: readonly string[] | null;
  readonly sport?: readonly string[] | null;
  readonly competitionId?: string | null;
  readonly organizationId?: string | null;
  readonly resourceId?: string | null;
  readonly since?: string | null;
}

/** Throws Problem parameter_invalid for unknown types. */
export function requireKnownTypes({ type }: EventFilter): void {
  const unknown = (type ?? []).filter((each) => !Object.hasOwn(eventTypes, each));
  const errors = unknown.map((each) => ({
    parameter: 'type',
    code: 'unknown_value',
    detail: `There is no event type \`${truncated(each)}\`${suggestionFor(each, Object.keys(eventTypes)) || '.'}`,
  }));
  const [first] = errors;
  if (first !== undefined) throw new Problem('parameter_invalid', `${first.detail} GET /event-types lists all.`, { errors });
}

const isId = (wanted: string | null | undefined, actual: string | null): boolean => !wanted || wanted.toLowerCase() === actual;

/** Whether an event has the properties that a filter requires. */
export function matchesFilter(event: FeedEvent, filter: EventFilter): boolean {
  const { type, area, sport, since } = filter;
  return (
    (!type || type.includes(event.type)) &&
    (!area || area.includes(event.area.toUpperCase())) &&
    (!sport || sport.some((each) => event.sports.includes(each))) &&
    isId(filter.competitionId, event.competitionId) &&
    isId(filter.organizationId, event.organizationId) &&
    isId(filter.resourceId, event.resourceId) &&
    (!since || Date.parse(event.at) >= Date.parse(since))
  );
}

/** Whether a viewer may be able to read an event. The query of the event decides: it looks at the subject. */
export function mayBeReadBy(viewer: Viewer, { accountId, audience, subjectId, sports }: FeedEvent): boolean {
  const isAtHost = viewer.sport === null || sports.length === 0 || sports.includes(viewer.sport);
  const isNamed = owns(viewer, accountId) || (viewer.accountId !== null && audience.includes(viewer.accountId));
  return isAtHost && (isNamed || subjectId !== null);
}
