/** The query of the list of accounts, for its screen and its export. */
import type { AccountsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';

export const accountsQuery = graphql(`
  query Accounts($first: Int! = 25, $after: String, $filter: AccountFilter, $sort: AccountSort!) {
    accounts(first: $first, after: $after, filter: $filter, sort: $sort) {
      nodes {
        id
        name
        email
        status
        createdAt
        liveKeys
        requestsLast24Hours
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

export type ListedAccount = NonNullable<AccountsQuery['accounts']>['nodes'][number];
