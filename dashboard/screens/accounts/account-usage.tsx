/** The requests of the API keys of an account over time, grouped by status, key or area. */
import { Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { AccountUsageQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Section } from '../../components/section.tsx';
import { TimeRangeSwitch } from '../../components/usage/time-range-switch.tsx';
import { UsageChart } from '../../components/usage/usage-chart.tsx';
import { largestSeries, periodsOf, periodStarts, statusSeries, type TimeRange } from '../../components/usage/usage-periods.ts';

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

type Point = NonNullable<NonNullable<AccountUsageQuery['account']>['usage']>[number];

type Dimension = 'STATUS' | 'KEY' | 'AREA';

const dimensionOptions: { value: Dimension; label: string }[] = [
  { value: 'STATUS', label: 'By status' },
  { value: 'KEY', label: 'By API key' },
  { value: 'AREA', label: 'By area' },
];

const groupOf: Readonly<Record<Dimension, (point: Point) => string | null>> = {
  STATUS: ({ status }) => status,
  KEY: ({ key }) => key,
  AREA: ({ area }) => area,
};

export function AccountUsage({ id }: { readonly id: string }) {
  const [range, setRange] = useState<TimeRange>('DAY');
  const [dimension, setDimension] = useState<Dimension>('STATUS');
  const starts = periodStarts(range);
  const usage = useGraphQuery(accountUsageQuery, { id, granularity: range, from: starts[0] ?? null, groupBy: [dimension] });
  return (
    <Section
      title="Usage"
      controls={
        <Group gap="xs">
          <SegmentedControl size="xs" aria-label="Group by" data={dimensionOptions} value={dimension} onChange={setDimension} />
          <TimeRangeSwitch value={range} onChange={setRange} />
        </Group>
      }
    >
      <QueryResult query={usage} name="usage" lines={6}>
        {({ account }) => {
          const points = (account?.usage ?? []).map((point) => ({ ...point, group: groupOf[dimension](point) }));
          const series = dimension === 'STATUS' ? statusSeries : largestSeries(points, (group) => group);
          return (
            <UsageChart
              label={range === 'DAY' ? 'Requests by day' : 'Requests by hour'}
              periods={periodsOf(starts, points, series)}
              series={series}
            />
          );
        }}
      </QueryResult>
    </Section>
  );
}
