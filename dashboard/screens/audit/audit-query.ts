/** The query of the audit log, for its screen and its export. */
import type { AuditEntriesQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';

export const auditQuery = graphql(`
  query AuditEntries($first: Int!, $after: String, $filter: AuditFilter) {
    auditEntries(first: $first, after: $after, filter: $filter) {
      nodes {
        id
        at
        area
        resourceType
        resourceId
        version
        action
        reason
        actor {
          kind
          administratorId
          administrator {
            name
            email
          }
          user {
            name
          }
          keyId
          accountId
          address
        }
        changes {
          field
          before
          after
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

export type AuditEntry = NonNullable<AuditEntriesQuery['auditEntries']>['nodes'][number];
