/** The requests of the account for another plan, with the decisions of the operator. */
import { getRouteApi } from '@tanstack/react-router';
import type { Column } from '../../../components/data-table.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import type { OwnPlanRequestsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { Decision, Requested, RequestText } from '../partner-requests/decision.tsx';
import { RequestList } from '../partner-requests/request-list.tsx';
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

const withdrawal: Column<Request> = {
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
  return (
    <RequestList
      query={requests}
      pageOf={({ planRequests }) => planRequests}
      columns={columns}
      withdrawal={withdrawal}
      status={status}
      hint="Request a plan above."
      readOnlyHint="An owner of the account requests a plan."
    />
  );
}
