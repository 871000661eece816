/** The query of the request log, for its pages and for the live view. */
import type { LoggedRequestsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';

export const requestsQuery = graphql(`
  query LoggedRequests($first: Int!, $after: String, $filter: LoggedRequestFilter) {
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
        requestId
        account {
          id
          name
        }
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

export type RequestRow = NonNullable<LoggedRequestsQuery['requests']>['nodes'][number];
