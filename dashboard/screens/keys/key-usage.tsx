/** The requests of an API key and its lineage over time, by status, with the daily limit. */
import { useState } from 'react';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Section } from '../../components/section.tsx';
import { TimeRangeSwitch } from '../../components/usage/time-range-switch.tsx';
import { UsageChart } from '../../components/usage/usage-chart.tsx';
import { periodsOf, periodStarts, statusSeries, type TimeRange } from '../../components/usage/usage-periods.ts';

const keyUsageQuery = graphql(`
  query ApiKeyUsage($id: ID!, $granularity: UsageGranularity!, $from: DateTime) {
    apiKey(id: $id) {
      usage(granularity: $granularity, from: $from, groupBy: [STATUS]) {
        startsAt
        status
        requests
      }
    }
  }
`);

export function KeyUsage({ id, perDay }: { readonly id: string; readonly perDay: number }) {
  const [range, setRange] = useState<TimeRange>('DAY');
  const starts = periodStarts(range);
  const usage = useGraphQuery(keyUsageQuery, { id, granularity: range, from: starts[0] ?? null }, { refetchEveryMs });
  return (
    <Section title="Usage" controls={<TimeRangeSwitch value={range} onChange={setRange} />}>
      <QueryResult query={usage} name="usage" lines={6}>
        {({ apiKey }) => {
          const points = (apiKey?.usage ?? []).map(({ startsAt, requests, status }) => ({ startsAt, requests, group: status }));
          return (
            <UsageChart
              label={range === 'DAY' ? 'Requests by day' : 'Requests by hour'}
              periods={periodsOf(starts, points, statusSeries)}
              series={statusSeries}
              dailyLimit={range === 'DAY' ? perDay : undefined}
            />
          );
        }}
      </QueryResult>
    </Section>
  );
}
