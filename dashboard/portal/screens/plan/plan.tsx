/** The plan of the account, the available plans, and the requests for another plan. */
import { Stack } from '@mantine/core';
import { DescriptionList } from '../../../components/description-list.tsx';
import { formatMoney } from '../../../components/number-format.ts';
import { QueryResult } from '../../../components/query-result.tsx';
import { Screen } from '../../../components/screen.tsx';
import { Section } from '../../../components/section.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { limitsSummary } from '../../../screens/plans/plan-summary.ts';
import { useHasScope } from '../../../session/session.ts';
import type { PortalPlansQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { OwnerNotice } from '../partner-requests/owner-notice.tsx';
import { AvailablePlans } from './available-plans.tsx';
import { PlanRequests } from './plan-requests.tsx';

const plansQuery = graphql(`
  query PortalPlans {
    keyAllowance {
      limits {
        burstPerMinute
        perDay
        perMonth
      }
      plan {
        code
        name
        price {
          amountMinor
          currency
        }
        writes
        webhooks
        streams
        requestLogDays
      }
    }
    plans(first: 100) {
      nodes {
        code
        name
        price {
          amountMinor
          currency
        }
        limits {
          burstPerMinute
          perDay
          perMonth
        }
        writes
        webhooks
        streams
        requestLogDays
      }
    }
    planRequests(first: 1, filter: { status: [OPEN] }) {
      nodes {
        planCode
        plan {
          name
        }
      }
    }
  }
`);

export type AvailablePlan = NonNullable<PortalPlansQuery['plans']>['nodes'][number];
type Allowance = NonNullable<PortalPlansQuery['keyAllowance']>;

export function Plan() {
  const plans = useGraphQuery(plansQuery, {});
  const canRequest = useHasScope('requests:write');
  return (
    <Screen
      title="Plan"
      description="The plan of the account decides the limits of its keys. The operator changes it on request."
      actions={canRequest ? undefined : <OwnerNotice />}
    >
      <QueryResult query={plans} name="plans">
        {({ keyAllowance, plans: page, planRequests }) => (
          <Stack gap="lg">
            {keyAllowance !== null && <CurrentPlan allowance={keyAllowance} />}
            <AvailablePlans
              plans={page?.nodes ?? []}
              currentCode={keyAllowance?.plan.code ?? null}
              openRequest={planRequests?.nodes[0] ?? null}
            />
          </Stack>
        )}
      </QueryResult>
      <PlanRequests />
    </Screen>
  );
}

const CurrentPlan = ({ allowance: { plan, limits } }: { readonly allowance: Allowance }) => (
  <Section title="Current plan">
    <DescriptionList
      items={[
        ['Plan', plan.name],
        ['Price', `${formatMoney(plan.price)} per month`],
        ['Limits', limitsSummary(limits)],
        ['Access', plan.writes ? 'Read and write' : 'Read-only'],
        ['Webhook endpoints', plan.webhooks],
        ['Concurrent event streams', plan.streams],
        ['Request log', `${plan.requestLogDays} days`],
      ]}
    />
  </Section>
);
