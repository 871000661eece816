/** What everybody asks: over time, today, and in which areas. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { UseQueryResult } from '@tanstack/react-query';
import type { OverviewUsageQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import type { Failure } from '../../graph/failure.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { count, percent } from '../../parts/numbers.ts';
import { Section } from '../../parts/section.tsx';
import { SpanSwitch } from '../../parts/span-switch.tsx';
import { said } from '../../parts/status-badge.tsx';
import { UsageChart } from '../../parts/usage-chart.tsx';
import { periodsOf, periodStarts, spans, statusSeries, type Span } from '../../parts/usage-periods.ts';
import { refreshEveryMs, startOfDay, totalsBy, type Totals } from './totals.ts';

const usageQuery = graphql(`
  query OverviewUsage($granularity: UsageGranularity!, $from: DateTime, $today: DateTime!) {
    series: platformUsage(granularity: $granularity, from: $from, groupBy: [STATUS]) {
      startsAt
      status
      requests
    }
    today: platformUsage(granularity: DAY, from: $today, groupBy: [AREA, STATUS]) {
      area
      status
      requests
    }
  }
`);

interface Usage {
  readonly usage: UseQueryResult<OverviewUsageQuery, Failure>;
}

export interface RequestsProps extends Usage {
  readonly span: Span;
}

const route = getRouteApi('/signed-in/');

export function useRequests(): RequestsProps {
  const { span = 'HOUR' } = route.useSearch();
  // the hours that are shown are what is told when nobody says from when
  const from = span === 'DAY' ? startOfDay(spans.DAY.periods - 1) : null;
  const usage = useAsk(usageQuery, { granularity: span, from, today: startOfDay() }, { everyMs: refreshEveryMs });
  return { usage, span };
}

export function Requests({ usage, span }: RequestsProps) {
  const navigate = useNavigate();
  const choose = (chosen: Span): void => void navigate({ to: '/', search: { span: chosen }, replace: true });
  return (
    <Section title="Requests" tools={<SpanSwitch value={span} onChange={choose} />}>
      <Answered of={usage} name="requests">
        {({ series }) => {
          const points = (series ?? []).map(({ status, ...point }) => ({ ...point, part: status }));
          return (
            <UsageChart
              label={span === 'DAY' ? 'Requests by day' : 'Requests by hour'}
              periods={periodsOf(periodStarts(span, usage.dataUpdatedAt || Date.now()), points, statusSeries)}
              series={statusSeries}
            />
          );
        }}
      </Answered>
    </Section>
  );
}

export function Today({ usage, keysUsed }: Usage & { readonly keysUsed: number | null }) {
  const all = usage.data && totalsBy(usage.data.today ?? [], () => 'all')[0];
  const { requests = 0, refused = 0, failed = 0 } = all ?? {};
  const unknown = usage.data === undefined ? '–' : null;
  return (
    <Section title="Today (UTC)">
      <SimpleGrid cols={{ base: 2, sm: 4 }} component="dl" m={0}>
        <Number name="Requests" is={unknown ?? count(requests)} />
        <Number name="Refused (4xx)" is={unknown ?? percent(refused, requests)} />
        <Number name="Failed (5xx)" is={unknown ?? percent(failed, requests)} />
        <Number name="Keys used" is={keysUsed === null ? '–' : keysUsed === 100 ? '100 or more' : count(keysUsed)} />
      </SimpleGrid>
    </Section>
  );
}

const Number = ({ name, is }: { readonly name: string; readonly is: string }) => (
  <Paper withBorder p="sm">
    <Text component="dt" size="sm" c="dimmed">
      {name}
    </Text>
    <Text component="dd" m={0} fz="1.5rem" fw={600}>
      {is}
    </Text>
  </Paper>
);

const areaColumns: readonly Column<Totals>[] = [
  { title: 'Area', cell: ({ name }) => name },
  { title: 'Requests', cell: ({ requests }) => count(requests), numeric: true },
  { title: 'Refused', cell: ({ requests, refused }) => percent(refused, requests), numeric: true },
  { title: 'Failed', cell: ({ requests, failed }) => percent(failed, requests), numeric: true },
];

export const TopAreas = ({ usage }: Usage) => (
  <Section title="Areas asked most today">
    <Answered of={usage} name="areas" lines={4}>
      {({ today }) => (
        <DataTable
          label="Areas asked most today"
          columns={areaColumns}
          rows={totalsBy(today ?? [], ({ area }) => (area === null ? 'No area' : said(area)))}
          rowKey={({ name }) => name}
          empty={<Empty title="Nothing was asked today" />}
        />
      )}
    </Answered>
  </Section>
);
