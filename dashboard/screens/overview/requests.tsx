/** Requests to the platform: over time, today, and by area. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { UseQueryResult } from '@tanstack/react-query';
import type { OverviewUsageQuery } from '../../generated/graphql.ts';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import type { RequestError } from '../../graph/request-error.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatCount, formatPercent } from '../../components/number-format.ts';
import { Section } from '../../components/section.tsx';
import { TimeRangeSwitch } from '../../components/usage/time-range-switch.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { UsageChart } from '../../components/usage/usage-chart.tsx';
import { periodsOf, periodStarts, timeRanges, statusSeries, type TimeRange } from '../../components/usage/usage-periods.ts';
import { startOfDay, totalsBy, type Totals } from './totals.ts';

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
  readonly usage: UseQueryResult<OverviewUsageQuery, RequestError>;
}

export interface RequestsProps extends Usage {
  readonly span: TimeRange;
}

const route = getRouteApi('/signed-in/');

export function useRequests(): RequestsProps {
  const { span = 'HOUR' } = route.useSearch();
  // without `from`, the API returns the last 24 hours
  const from = span === 'DAY' ? startOfDay(timeRanges.DAY.periods - 1) : null;
  const usage = useGraphQuery(usageQuery, { granularity: span, from, today: startOfDay() }, { refetchEveryMs });
  return { usage, span };
}

export function Requests({ usage, span }: RequestsProps) {
  const navigate = useNavigate();
  const select = (range: TimeRange): void => void navigate({ to: '/', search: { span: range }, replace: true });
  return (
    <Section title="Requests" controls={<TimeRangeSwitch value={span} onChange={select} />}>
      <QueryResult query={usage} name="requests">
        {({ series }) => {
          const points = (series ?? []).map(({ status, ...point }) => ({ ...point, group: status }));
          return (
            <UsageChart
              label={span === 'DAY' ? 'Requests by day' : 'Requests by hour'}
              periods={periodsOf(periodStarts(span, usage.dataUpdatedAt || Date.now()), points, statusSeries)}
              series={statusSeries}
            />
          );
        }}
      </QueryResult>
    </Section>
  );
}

export function Today({ usage, keysUsed }: Usage & { readonly keysUsed: number | null }) {
  const all = usage.data && totalsBy(usage.data.today ?? [], () => 'all')[0];
  const { requests = 0, clientErrors = 0, serverErrors = 0 } = all ?? {};
  const unavailable = usage.data === undefined ? '–' : null;
  return (
    <Section title="Today (UTC)">
      <SimpleGrid cols={{ base: 2, sm: 4 }} component="dl" m={0}>
        <Metric name="Requests" value={unavailable ?? formatCount(requests)} />
        <Metric name="Client errors (4xx)" value={unavailable ?? formatPercent(clientErrors, requests)} />
        <Metric name="Server errors (5xx)" value={unavailable ?? formatPercent(serverErrors, requests)} />
        <Metric
          name="Active API keys"
          value={keysUsed === null ? '–' : keysUsed === 100 ? '100 or more' : formatCount(keysUsed)}
        />
      </SimpleGrid>
    </Section>
  );
}

const Metric = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <Paper withBorder p="sm">
    <Text component="dt" size="sm" c="dimmed">
      {name}
    </Text>
    <Text component="dd" m={0} fz="1.5rem" fw={600}>
      {value}
    </Text>
  </Paper>
);

const areaColumns: readonly Column<Totals>[] = [
  { title: 'Area', cell: ({ name }) => name },
  { title: 'Requests', cell: ({ requests }) => formatCount(requests), numeric: true },
  { title: '4xx', cell: ({ requests, clientErrors }) => formatPercent(clientErrors, requests), numeric: true },
  { title: '5xx', cell: ({ requests, serverErrors }) => formatPercent(serverErrors, requests), numeric: true },
];

export const TopAreas = ({ usage }: Usage) => (
  <Section title="Top areas today">
    <QueryResult query={usage} name="areas" lines={4}>
      {({ today }) => (
        <DataTable
          label="Top areas today"
          columns={areaColumns}
          rows={totalsBy(today ?? [], ({ area }) => (area === null ? 'Other' : enumLabel(area)))}
          rowKey={({ name }) => name}
          empty={<EmptyState title="No requests today" />}
        />
      )}
    </QueryResult>
  </Section>
);
