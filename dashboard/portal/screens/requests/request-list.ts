/** The query of the request log of the account, for its pages and for the live view. */
import type { OwnRequestsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';

export const requestsQuery = graphql(`
  query OwnRequests($first: Int!, $after: String, $filter: LoggedRequestFilter) {
    requests(first: $first, after: $after, filter: $filter) {
      nodes {
        id
        at
        api
        method
        path
        operation
        status
        errorCode
        durationMs
        units
        requestId
        apiKey {
          id
          name
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

export type RequestRow = NonNullable<OwnRequestsQuery['requests']>['nodes'][number];
