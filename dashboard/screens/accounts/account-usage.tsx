/** What the keys of an account asked over time, told apart by outcome, key or area. */
import { Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { AccountUsageQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { Section } from '../../parts/section.tsx';
import { SpanSwitch } from '../../parts/span-switch.tsx';
import { UsageChart } from '../../parts/usage-chart.tsx';
import { largestSeries, periodsOf, periodStarts, statusSeries, type Span } from '../../parts/usage-periods.ts';

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

/** What the requests are told apart by. */
const dimensions = {
  STATUS: { label: 'By outcome', partOf: ({ status }: Point) => status },
  KEY: { label: 'By key', partOf: ({ key }: Point) => key },
  AREA: { label: 'By area', partOf: ({ area }: Point) => area },
} as const;

type Dimension = keyof typeof dimensions;

const choices = Object.entries(dimensions).map(([value, { label }]) => ({ value: value as Dimension, label }));

export function AccountUsage({ id }: { readonly id: string }) {
  const [span, setSpan] = useState<Span>('DAY');
  const [dimension, setDimension] = useState<Dimension>('STATUS');
  const starts = periodStarts(span);
  const usage = useAsk(accountUsageQuery, { id, granularity: span, from: starts[0] ?? null, groupBy: [dimension] });
  return (
    <Section
      title="Usage"
      tools={
        <Group gap="xs">
          <SegmentedControl size="xs" aria-label="Told apart" data={choices} value={dimension} onChange={setDimension} />
          <SpanSwitch value={span} onChange={setSpan} />
        </Group>
      }
    >
      <Answered of={usage} name="the usage" lines={6}>
        {({ account }) => {
          const points = (account?.usage ?? []).map((point) => ({ ...point, part: dimensions[dimension].partOf(point) }));
          const series = dimension === 'STATUS' ? statusSeries : largestSeries(points, (part) => part);
          return (
            <UsageChart
              label={span === 'DAY' ? 'Requests by day' : 'Requests by hour'}
              periods={periodsOf(starts, points, series)}
              series={series}
            />
          );
        }}
      </Answered>
    </Section>
  );
}
