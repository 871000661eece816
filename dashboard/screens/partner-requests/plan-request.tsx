/** One request for another plan: its facts, its history, and the decisions. */
import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { PlanChangeTime, PlanRequestQuery } from '../../generated/graphql.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { History } from '../../components/history.tsx';
import { PlanLink } from '../../components/links.tsx';
import { formatCount } from '../../components/number-format.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation, useGraphQuery } from '../../graph/operations.ts';
import { useHasScope } from '../../session/session.ts';
import { PlanChangeTimeField } from '../plans/plan-change-time.tsx';
import { planSummary } from '../plans/plan-summary.ts';
import { RequestDecision } from './request-decision.tsx';
import { RequestDetails } from './request-details.tsx';

const planRequestQuery = graphql(`
  query PlanRequest($id: ID!) {
    planRequest(id: $id) {
      id
      createdAt
      planCode
      plan {
        code
        name
        writes
        price {
          amountMinor
          currency
        }
        limits {
          burstPerMinute
          perDay
          perMonth
        }
      }
      note
      status
      reason
      decidedAt
      requestedBy
      decidedBy {
        name
      }
      account {
        id
        name
        liveKeys
        requestsLast24Hours
        keys(first: 50) {
          nodes {
            id
            status
            plan {
              name
            }
          }
        }
      }
    }
  }
`);

const grantMutation = graphql(`
  mutation GrantPlanRequest($id: ID!, $reason: String, $when: PlanChangeTime!) {
    grantPlanRequest(id: $id, reason: $reason, when: $when) {
      id
    }
  }
`);

const declineMutation = graphql(`
  mutation DeclinePlanRequest($id: ID!, $reason: String!) {
    declinePlanRequest(id: $id, reason: $reason) {
      id
    }
  }
`);

type Request = NonNullable<PlanRequestQuery['planRequest']>;

const route = getRouteApi('/signed-in/partner-requests/plans/$id');

export function PlanRequest() {
  const { id } = route.useParams();
  const query = useGraphQuery(planRequestQuery, { id });
  const request = query.data?.planRequest;
  const canDecide = useHasScope('administration:write');
  return (
    <Screen
      title={request ? `Plan request: ${planName(request)}` : 'Plan request'}
      description={request && <StatusBadge status={request.status} />}
      actions={request?.status === 'OPEN' && (canDecide ? <Decisions request={request} /> : <ReadOnlyNotice />)}
    >
      <QueryResult query={query} name="request">
        {({ planRequest }) =>
          planRequest === null ? <EmptyState title="Request not found" /> : <Details request={planRequest} />
        }
      </QueryResult>
      {request && <History resourceType="plan_request" resourceId={id} />}
    </Screen>
  );
}

const planName = ({ plan, planCode }: Request): string => plan?.name ?? planCode;

/** The names of the plans of the keys that are in use. */
function currentPlans({ account: { keys } }: Request): string {
  const names = (keys?.nodes ?? []).filter(({ status }) => status === 'ACTIVE').map(({ plan }) => plan.name);
  return names.length === 0 ? 'No active API keys' : [...new Set(names)].join(', ');
}

const Details = ({ request }: { readonly request: Request }) => (
  <RequestDetails
    request={request}
    items={[
      [
        'Requested plan',
        request.plan === null ? (
          `${request.planCode} (retired)`
        ) : (
          <>
            <PlanLink code={request.plan.code} name={request.plan.name} />
            <Text size="xs" c="dimmed">
              {planSummary(request.plan)}
            </Text>
          </>
        ),
      ],
      ['Current plans of the API keys', currentPlans(request)],
      ['Live API keys', formatCount(request.account.liveKeys)],
      ['Requests in the last 24 hours', formatCount(request.account.requestsLast24Hours)],
    ]}
  />
);

function Decisions({ request }: { readonly request: Request }) {
  const { id, account } = request;
  const [when, setWhen] = useState<PlanChangeTime>('BY_PRICE');
  const grant = useGraphMutation(grantMutation, { successMessage: 'Request granted' });
  const decline = useGraphMutation(declineMutation, { successMessage: 'Request declined' });
  return (
    <>
      <RequestDecision
        verb="Decline"
        isPending={decline.isPending}
        decide={(reason, close) => decline.mutate({ id, reason: reason ?? '' }, { onSuccess: close })}
      >
        <Text>The plan of {account.name} does not change.</Text>
      </RequestDecision>
      <RequestDecision
        verb="Grant"
        isPending={grant.isPending}
        decide={(reason, close) => grant.mutate({ id, reason, when }, { onSuccess: close })}
      >
        <Text>
          All live API keys of {account.name} change to the plan <strong>{planName(request)}</strong>. Keys that members create
          later get it too.
        </Text>
        <PlanChangeTimeField value={when} onChange={setWhen} />
      </RequestDecision>
    </>
  );
}
