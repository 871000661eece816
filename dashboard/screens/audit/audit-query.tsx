/** What is asked of the audit log, by its screen and by its export. */
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

/** Who did it, as a name. */
export function whoDid({ actor: { kind, administrator, administratorId, keyId } }: AuditEntry): string {
  if (kind === 'ADMINISTRATOR') return administrator?.name ?? administratorId ?? 'An administrator';
  return kind === 'KEY' ? (keyId ?? 'A key') : 'The platform or its command line';
}
