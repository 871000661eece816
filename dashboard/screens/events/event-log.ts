/** The query of the event log, for its pages and for the live tail. */
import type { EventLogQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';

export const eventLogQuery = graphql(`
  query EventLog($first: Int!, $after: String, $filter: EventLogFilter) {
    eventLog(first: $first, after: $after, filter: $filter) {
      nodes {
        id
        type
        timestamp
        sequence
        area
        resource {
          type
          id
        }
        account {
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

export type LogEvent = NonNullable<EventLogQuery['eventLog']>['nodes'][number];
