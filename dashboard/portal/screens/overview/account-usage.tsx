/** The requests of all keys of the account over time, by status. */
import { useState } from 'react';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import { TimeRangeSwitch } from '../../../components/usage/time-range-switch.tsx';
import { UsageChart } from '../../../components/usage/usage-chart.tsx';
import { periodsOf, periodStarts, statusSeries, type TimeRange } from '../../../components/usage/usage-periods.ts';
import { useGraphQuery } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';

const usageQuery = graphql(`
  query PortalAccountUsage($granularity: UsageGranularity!, $from: DateTime) {
    member {
      account {
        usage(granularity: $granularity, from: $from, groupBy: [STATUS]) {
          startsAt
          status
          requests
        }
      }
    }
  }
`);

export function AccountUsage() {
  const [range, setRange] = useState<TimeRange>('DAY');
  const starts = periodStarts(range);
  const usage = useGraphQuery(usageQuery, { granularity: range, from: starts[0] ?? null }, { refetchEveryMs });
  return (
    <Section title="Usage" controls={<TimeRangeSwitch value={range} onChange={setRange} />}>
      <QueryResult query={usage} name="usage" lines={6}>
        {({ member }) => {
          const points = (member?.account.usage ?? []).map(({ startsAt, requests, status }) => ({
            startsAt,
            requests,
            group: status,
          }));
          return (
            <UsageChart
              label={range === 'DAY' ? 'Requests by day' : 'Requests by hour'}
              periods={periodsOf(starts, points, statusSeries)}
              series={statusSeries}
            />
          );
        }}
      </QueryResult>
    </Section>
  );
}
