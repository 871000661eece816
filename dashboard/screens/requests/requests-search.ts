/** The search parameters of the request log of all accounts, and the filters of the API that they stand for. */
import { pageFilterOf, requestFilterOf, requestsSearch } from '../../components/requests/requests-search.ts';
import type { ListSearch } from '../../components/list-search.ts';
import type { LoggedRequestFilter } from '../../generated/graphql.ts';

export const allRequestsSearch = { ...requestsSearch, account: 'text' } as const;

export type AllRequestsSearch = ListSearch<typeof allRequestsSearch>;

const accountFilterOf = ({ account }: AllRequestsSearch): LoggedRequestFilter =>
  account === undefined ? {} : { accountId: account };

/** The filter of both views. */
export const allFilterOf = (search: AllRequestsSearch): LoggedRequestFilter => ({
  ...requestFilterOf(search),
  ...accountFilterOf(search),
});

/** The filter of the pages. */
export const allPageFilterOf = (search: AllRequestsSearch): LoggedRequestFilter => ({
  ...pageFilterOf(search),
  ...accountFilterOf(search),
});
