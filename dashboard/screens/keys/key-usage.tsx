/** What a key and its lineage asked over time, by how it ended, against what it may. */
import { useState } from 'react';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { Section } from '../../parts/section.tsx';
import { SpanSwitch } from '../../parts/span-switch.tsx';
import { UsageChart } from '../../parts/usage-chart.tsx';
import { periodsOf, periodStarts, statusSeries, type Span } from '../../parts/usage-periods.ts';

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

const refreshMs = 15_000;

export function KeyUsage({ id, perDay }: { readonly id: string; readonly perDay: number }) {
  const [span, setSpan] = useState<Span>('DAY');
  const starts = periodStarts(span);
  const usage = useAsk(keyUsageQuery, { id, granularity: span, from: starts[0] ?? null }, { everyMs: refreshMs });
  return (
    <Section title="Usage" tools={<SpanSwitch value={span} onChange={setSpan} />}>
      <Answered of={usage} name="the usage" lines={6}>
        {({ apiKey }) => {
          const points = (apiKey?.usage ?? []).map(({ startsAt, requests, status }) => ({ startsAt, requests, part: status }));
          return (
            <UsageChart
              label={span === 'DAY' ? 'Requests by day' : 'Requests by hour'}
              periods={periodsOf(starts, points, statusSeries)}
              series={statusSeries}
              limit={span === 'DAY' ? perDay : undefined}
            />
          );
        }}
      </Answered>
    </Section>
  );
}
