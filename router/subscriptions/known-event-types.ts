/** Checks the types in a filter of events, as the list does (subgraphs/accounts/events/filter.ts). */
import { Problem } from '../../schema/errors.ts';
import { events } from '../../schema/events.ts';
import { suggestionFor, truncated } from '../../schema/violations.ts';
import type { EventFilter } from '../streams/event-filter.ts';

/** Throws Problem parameter_invalid for unknown types. */
export function requireKnownTypes({ type }: EventFilter): void {
  const errors = (type ?? [])
    .filter((each) => !Object.hasOwn(events, each))
    .map((each) => ({
      parameter: 'type',
      code: 'unknown_value',
      detail: `There is no event type \`${truncated(each)}\`${suggestionFor(each, Object.keys(events)) || '.'}`,
    }));
  const [first] = errors;
  if (first !== undefined) throw new Problem('parameter_invalid', `${first.detail} GET /event-types lists all.`, { errors });
}
