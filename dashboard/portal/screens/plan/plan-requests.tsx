/** The requests of the account for another plan, with the decisions of the operator. */
import { getRouteApi } from '@tanstack/react-router';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { enumOptions } from '../../../components/enum-label.ts';
import { ChoiceFilter, ListFilters } from '../../../components/list-filters.tsx';
import { NoMatches } from '../../../components/no-matches.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { useHasScope } from '../../../session/session.ts';
import type { OwnPlanRequestsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { Decision, Requested, RequestText } from '../partner-requests/decision.tsx';
import { requestStatuses } from '../partner-requests/partner-requests-search.ts';
import { WithdrawRequest } from '../partner-requests/withdraw-request.tsx';

const requestsQuery = graphql(`
  query OwnPlanRequests($after: String, $filter: PlanRequestFilter) {
    planRequests(first: 20, after: $after, filter: $filter) {
      nodes {
        id
        createdAt
        planCode
        plan {
          name
        }
        note
        status
        reason
        decidedAt
        requestedBy
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

const withdrawMutation = graphql(`
  mutation WithdrawPlanRequest($id: ID!) {
    withdrawPlanRequest(id: $id) {
      id
    }
  }
`);

type Request = NonNullable<OwnPlanRequestsQuery['planRequests']>['nodes'][number];

const planName = ({ plan, planCode }: Request): string => plan?.name ?? planCode;

const columns: readonly Column<Request>[] = [
  { title: 'Plan', cell: planName },
  { title: 'Status and answer', cell: (request) => <Decision request={request} /> },
  { title: 'Reason', cell: ({ note }) => <RequestText text={note} /> },
  { title: 'Requested', cell: (request) => <Requested request={request} /> },
];

const actions: Column<Request> = {
  title: 'Actions',
  cell: (request) =>
    request.status === 'OPEN' && (
      <WithdrawRequest id={request.id} name={`the request for the plan ${planName(request)}`} document={withdrawMutation} />
    ),
};

const route = getRouteApi('/signed-in/plan');

export function PlanRequests() {
  const { after = null, status } = route.useSearch();
  const filter = status === undefined ? null : { status: [status] };
  const requests = useGraphQuery(requestsQuery, { after, filter }, { refetchEveryMs });
  const canRequest = useHasScope('requests:write');
  return (
    <Section title="Requests">
      <ListFilters>
        <ChoiceFilter name="status" label="Status" value={status} choices={enumOptions(requestStatuses)} />
      </ListFilters>
      <QueryResult query={requests} name="requests" lines={3}>
        {({ planRequests: page }) => (
          <DataTable
            label="Requests"
            columns={canRequest ? [...columns, actions] : columns}
            rows={page?.nodes ?? []}
            rowKey={({ id }) => id}
            pageInfo={page?.pageInfo}
            empty={
              status === undefined ? (
                <EmptyState title="No requests yet">
                  {canRequest ? 'Request a plan above.' : 'An owner of the account requests a plan.'}
                </EmptyState>
              ) : (
                <NoMatches title="No matching requests" />
              )
            }
          />
        )}
      </QueryResult>
    </Section>
  );
}
