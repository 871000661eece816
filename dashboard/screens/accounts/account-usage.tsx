/** The requests of the API keys of an account over time, grouped by status, key or area. */
import { useState } from 'react';
import { GroupedUsage, type UsageGroup } from '../../components/usage/grouped-usage.tsx';
import { periodStarts, type TimeRange } from '../../components/usage/usage-periods.ts';
import { graphql } from '../../graph/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';

const accountUsageQuery = graphql(`
  query AccountUsage($id: ID!, $granularity: UsageGranularity!, $from: DateTime, $groupBy: [UsageDimension!]) {
    account(id: $id) {
      usage(granularity: $granularity, from: $from, groupBy: $groupBy) {
        startsAt
        requests
        status
        key
        area
      }
    }
  }
`);

export function AccountUsage({ id }: { readonly id: string }) {
  const [range, setRange] = useState<TimeRange>('DAY');
  const [group, setGroup] = useState<UsageGroup>('STATUS');
  const variables = { id, granularity: range, from: periodStarts(range)[0] ?? null, groupBy: [group] };
  const usage = useGraphQuery(accountUsageQuery, variables);
  return (
    <GroupedUsage
      query={usage}
      pointsOf={({ account }) => (account?.usage ?? []).map(({ requests, ...point }) => ({ ...point, value: requests }))}
      range={range}
      setRange={setRange}
      group={group}
      setGroup={setGroup}
    />
  );
}
