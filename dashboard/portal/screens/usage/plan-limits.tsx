/** The plan of the account: what new keys get. */
import { Text } from '@mantine/core';
import { DescriptionList } from '../../../components/description-list.tsx';
import { formatCount, formatMoney } from '../../../components/number-format.ts';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';

const planQuery = graphql(`
  query PlanLimits {
    keyAllowance {
      liveKeys
      liveKeysMax
      plan {
        name
        writes
        webhooks
        streams
        requestLogDays
        price {
          amountMinor
          currency
        }
      }
      limits {
        burstPerMinute
        perDay
        perMonth
      }
    }
  }
`);

export function PlanLimits() {
  const query = useGraphQuery(planQuery, {});
  return (
    <Section title="Plan">
      <QueryResult query={query} name="plan" lines={3}>
        {({ keyAllowance }) => {
          if (keyAllowance === null) return null;
          const { plan, limits, liveKeys, liveKeysMax } = keyAllowance;
          return (
            <>
              <DescriptionList
                items={[
                  ['Plan', plan.name],
                  ['Price of the plan', `${formatMoney(plan.price)} per month`],
                  ['Units per day', formatCount(limits.perDay)],
                  ['Units per month', formatCount(limits.perMonth)],
                  ['Requests per minute', formatCount(limits.burstPerMinute)],
                  ['Data', plan.writes ? 'Read and write' : 'Read-only'],
                  ['API keys', `${liveKeys} of ${liveKeysMax}`],
                  ['Webhook endpoints', formatCount(plan.webhooks)],
                  ['Concurrent event streams', formatCount(plan.streams)],
                  ['Request log', `${plan.requestLogDays} days`],
                ]}
              />
              <Text size="sm" c="dimmed" mt="sm">
                New keys get this plan. Limits and prices of a contract replace those of the plan. A request above a limit is
                rejected and costs nothing.
              </Text>
            </>
          );
        }}
      </QueryResult>
    </Section>
  );
}
