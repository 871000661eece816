/** The list of requests for another plan. */
import { PlanRequestLink } from '../../components/links.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { requestFilterOf, type PartnerRequestsSearch } from './partner-requests-search.ts';
import { RequestTable } from './request-table.tsx';

const planRequestsQuery = graphql(`
  query PlanRequests($after: String, $filter: PlanRequestFilter) {
    planRequests(first: 25, after: $after, filter: $filter) {
      nodes {
        id
        createdAt
        planCode
        plan {
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

export function PlanRequests(search: PartnerRequestsSearch) {
  const query = useGraphQuery(planRequestsQuery, { after: search.after ?? null, filter: requestFilterOf(search) });
  return (
    <QueryResult query={query} name="requests">
      {({ planRequests: page }) => (
        <RequestTable
          kind="plans"
          title="Requested plan"
          link={({ id, plan, planCode }) => <PlanRequestLink id={id} name={plan?.name ?? planCode} />}
          rows={page?.nodes ?? []}
          pageInfo={page?.pageInfo}
          search={search}
        />
      )}
    </QueryResult>
  );
}
