/** The list that a saved search reads: one list with its filter, as in the request. */
import { rejectInvalid, validationProblem } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { SavedSearchKind, SearchedListInput } from '../generated/resolvers.ts';

/** Exactly one member: the list with its filter. */
export type SearchedList = SearchedListInput;

/** What a search reads. */
export interface Searched {
  readonly kind: SavedSearchKind;
  readonly filter: SearchedList;
}

/** The member of each kind. */
export const listNames = { ATHLETES: 'athletes', PROSPECTS: 'prospects', OPPORTUNITIES: 'opportunities' } as const;

function kindOf({ athletes, prospects }: SearchedList): SavedSearchKind {
  if (athletes) return 'ATHLETES';
  return prospects ? 'PROSPECTS' : 'OPPORTUNITIES';
}

/** The filter without members that are null. At the host of a sport, a filter without a sport gets that sport. */
function normalized<Filter extends { sport?: Sport[] | null | undefined }>(filter: Filter, sport: Sport | null): Filter {
  const given = { ...filter };
  for (const [name, value] of Object.entries(filter))
    if (value === null || value === undefined) Reflect.deleteProperty(given, name);
  return sport === null || given.sport ? given : { ...given, sport: [sport] };
}

/**
 * The list of an input. @param sport the sport of the host
 * Throws Problem validation_failed (422) for a filter that only synchronization uses.
 */
export function searchedListOf(input: SearchedListInput, sport: Sport | null): Searched {
  const { athletes, prospects, opportunities } = input;
  const detail = 'A saved search finds what changes after it was saved. Omit `updatedSince`.';
  rejectInvalid([
    typeof (athletes ?? opportunities)?.updatedSince === 'string' && {
      pointer: `/filter/${listNames[kindOf(input)]}/updatedSince`,
      code: 'not_supported',
      detail,
    },
  ]);
  if (athletes) return { kind: 'ATHLETES', filter: { athletes: normalized(athletes, sport) } };
  if (prospects) return { kind: 'PROSPECTS', filter: { prospects: normalized(prospects, sport) } };
  return { kind: 'OPPORTUNITIES', filter: { opportunities: normalized(opportunities, sport) } };
}

/** The list after a merge patch (RFC 7396) of its filter. Throws Problem validation_failed (422) for another list. */
export function patchedList({ kind, filter }: Searched, patch: SearchedListInput, sport: Sport | null): Searched {
  if (filter.athletes && patch.athletes) return searchedListOf({ athletes: { ...filter.athletes, ...patch.athletes } }, sport);
  if (filter.prospects && patch.prospects)
    return searchedListOf({ prospects: { ...filter.prospects, ...patch.prospects } }, sport);
  if (filter.opportunities && patch.opportunities)
    return searchedListOf({ opportunities: { ...filter.opportunities, ...patch.opportunities } }, sport);
  const detail = `This search reads the list \`${listNames[kind]}\`, which cannot be changed. Save another search.`;
  throw validationProblem([{ pointer: '/filter', code: 'immutable', detail }]);
}
