/** The list of requests for the verification of an organization. */
import { VerificationRequestLink } from '../../components/links.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { requestFilterOf, type PartnerRequestsSearch } from './partner-requests-search.ts';
import { RequestTable } from './request-table.tsx';

const verificationRequestsQuery = graphql(`
  query VerificationRequests($after: String, $filter: VerificationRequestFilter) {
    verificationRequests(first: 25, after: $after, filter: $filter) {
      nodes {
        id
        createdAt
        organizationId
        organization {
          name
        }
        note
        status
        decidedAt
        requestedBy
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

export function VerificationRequests(search: PartnerRequestsSearch) {
  const query = useGraphQuery(verificationRequestsQuery, { after: search.after ?? null, filter: requestFilterOf(search) });
  return (
    <QueryResult query={query} name="requests">
      {({ verificationRequests: page }) => (
        <RequestTable
          kind="verifications"
          title="Organization"
          link={({ id, organization, organizationId }) => (
            <VerificationRequestLink id={id} name={organization?.name ?? organizationId} />
          )}
          rows={page?.nodes ?? []}
          pageInfo={page?.pageInfo}
          search={search}
        />
      )}
    </QueryResult>
  );
}
