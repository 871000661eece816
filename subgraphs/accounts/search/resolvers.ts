/** Resolvers of the search over all resources: each area finds its best matches, and this one ranks them together. */
import { findNames, type FoundName } from '../../clients/names.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { NodeReference } from '../nodes/resolvers.ts';
import type { QuerySearchArgs, Resolvers, SearchType } from '../generated/resolvers.ts';
import { rankNames } from './ranking.ts';

/** The parent object of the `SearchResult` resolvers. */
export type SearchResultRow = FoundName;

const firstDefault = 20;
const types: readonly SearchType[] = ['ATHLETE', 'TEAM', 'ORGANIZATION', 'COMPETITION', 'OPPORTUNITY'];
const typeNames: Readonly<Record<SearchType, string>> = {
  ATHLETE: 'Athlete',
  TEAM: 'Team',
  ORGANIZATION: 'Organization',
  COMPETITION: 'Competition',
  OPPORTUNITY: 'Opportunity',
};

/** Throws the error of the areas when none of them could search. */
async function search(context: Context, { q, first, type, sport }: QuerySearchArgs) {
  const limit = first ?? firstDefault;
  const wanted = types.filter((each) => type?.includes(each) ?? true);
  const searches = await Promise.allSettled(
    wanted.map((each) => findNames(context, each, { q, first: limit, sport: sport ? [...sport] : null })),
  );
  const unavailable = wanted.filter((_, index) => searches[index]?.status === 'rejected');
  const failed = searches.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected' && unavailable.length === wanted.length) throw failed.reason;
  const found = searches.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  return { nodes: rankNames(found, q).slice(0, limit), unavailable };
}

export function searchResolvers(): Resolvers {
  return {
    Query: { search: (_, args, context) => search(context, args) },
    SearchResult: {
      sports: ({ sports }) => [...sports],
      node: ({ type, id }): NodeReference => ({ __typename: typeNames[type], id, ref: id }),
    },
  };
}
