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
        resourceName
        athlete {
          displayName
        }
        competition {
          name
        }
        opportunity {
          title
        }
        organization {
          name
        }
        replay {
          title
        }
        team {
          name
        }
        version
        action
        reason
        withheld
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
          key {
            id
            name
          }
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

/** The name of the changed resource; null for types without a name and for deleted resources. */
export const resourceNameOf = (entry: AuditEntry): string | null =>
  entry.resourceName ??
  entry.athlete?.displayName ??
  (entry.organization ?? entry.competition ?? entry.team)?.name ??
  (entry.opportunity ?? entry.replay)?.title ??
  null;

export type AuditEntry = NonNullable<AuditEntriesQuery['auditEntries']>['nodes'][number];
