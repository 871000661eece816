/** The search parameters of the list of saved searches, and the filter of the API that they stand for. */
import type { SavedSearchFilter, SavedSearchKind } from '../../generated/graphql.ts';
import { idPattern, type ListSearch } from '../../components/list-search.ts';

export const searchKinds = ['ATHLETES', 'PROSPECTS', 'OPPORTUNITIES'] as const satisfies readonly SavedSearchKind[];

export const savedSearchesSearch = {
  kind: searchKinds,
  account: idPattern,
  /** The saved search whose details are open. */
  search: idPattern,
} as const;

export const searchFilterOf = ({ kind, account }: ListSearch<typeof savedSearchesSearch>): SavedSearchFilter => ({
  kind: kind === undefined ? null : [kind],
  accountId: account ?? null,
});
