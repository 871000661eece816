/** Operations with their requests, error rate and durations, compared with the previous range, in the dashboard and the portal. */
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AnalyticsMarkerKind, RequestAnalyticsQuery } from '../../generated/graphql.ts';
import type { RequestError } from '../../graph/request-error.ts';
import { EmptyState } from '../empty-state.tsx';
import { formatChange, formatCount, formatDuration, formatRate } from '../number-format.ts';
import { QueryResult } from '../query-result.tsx';
import { Section } from '../section.tsx';
import { TimeRangeSwitch } from '../usage/time-range-switch.tsx';
import { UsageChart, type UsageMarker, type UsageSeries } from '../usage/usage-chart.tsx';
import { periodsOf, periodStarts, type TimeRange } from '../usage/usage-periods.ts';
import { OperationTable, TopErrors, type AnalyticsSearch } from './operation-table.tsx';

export type Analytics = NonNullable<RequestAnalyticsQuery['requestAnalytics']>;

const series: readonly UsageSeries[] = [
  { name: 'SUCCESS', label: 'Without an error', color: 'teal.6' },
  { name: 'ERROR', label: 'With an error', color: 'orange.5' },
];

interface AnalyticsSectionProps {
  readonly query: UseQueryResult<{ readonly requestAnalytics: Analytics | null }, RequestError>;
  readonly range: TimeRange;
  readonly setRange: (range: TimeRange) => void;
  /** The filters of links to the request log. */
  readonly search: AnalyticsSearch;
}

export function AnalyticsSection({ query, range, setRange, search }: AnalyticsSectionProps) {
  return (
    <Section
      title="Operations"
      controls={
        <Group gap="xs">
          <Button size="xs" variant="default" renderRoot={(props) => <Link to="/requests" search={search} {...props} />}>
            Open request log
          </Button>
          <TimeRangeSwitch value={range} onChange={setRange} />
        </Group>
      }
    >
      <QueryResult query={query} name="operations" lines={6}>
        {({ requestAnalytics }) =>
          requestAnalytics === null || requestAnalytics.total.requests === 0 ? (
            <EmptyState title="No requests in this range">
              Operations appear here some seconds after their first request.
            </EmptyState>
          ) : (
            <Stack gap="md">
              <Totals {...requestAnalytics} />
              <UsageChart
                label={range === 'DAY' ? 'Requests and errors by day' : 'Requests and errors by hour'}
                periods={periodsOf(periodStarts(range), pointsOf(requestAnalytics), series)}
                series={series}
                markers={requestAnalytics.markers.map(markerOf)}
              />
              <OperationTable groups={requestAnalytics.groups} search={search} />
              <TopErrors errors={requestAnalytics.errors} search={search} />
            </Stack>
          )
        }
      </QueryResult>
    </Section>
  );
}

const pointsOf = ({ series: periods }: Analytics) =>
  periods.flatMap(({ startsAt, summary: { requests, errors } }) => [
    { startsAt, requests: requests - errors, group: 'SUCCESS' },
    { startsAt, requests: errors, group: 'ERROR' },
  ]);

const markerLabels = {
  DEPLOYMENT: (version) => ({ label: `Version ${version}`, text: `The platform started with version ${version}.` }),
  PLAN: (plan) => ({ label: `Plan ${plan}`, text: `Keys got the plan ${plan}, or another version of it.` }),
  CONTRACT: (plan) => ({ label: `Contract ${plan}`, text: `The contract for the plan ${plan} changed.` }),
} as const satisfies Record<AnalyticsMarkerKind, (name: string) => Omit<UsageMarker, 'at'>>;

const markerOf = ({ at, kind, name }: Analytics['markers'][number]): UsageMarker => ({ at, ...markerLabels[kind](name) });

const duration = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms));

function Totals({ total, previous }: Pick<Analytics, 'total' | 'previous'>) {
  const { requests, errorRate, p50Ms, p95Ms, p99Ms } = total;
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 5 }} m={0}>
      <Total name="Requests" value={formatCount(requests)} change={formatChange(requests, previous?.requests)} />
      <Total name="Error rate" value={formatRate(errorRate)} change={formatChange(errorRate, previous?.errorRate)} />
      <Total name="p50" value={duration(p50Ms)} change={formatChange(p50Ms, previous?.p50Ms)} />
      <Total name="p95" value={duration(p95Ms)} change={formatChange(p95Ms, previous?.p95Ms)} />
      <Total name="p99" value={duration(p99Ms)} change={formatChange(p99Ms, previous?.p99Ms)} />
    </SimpleGrid>
  );
}

const Total = ({ name, value, change }: { readonly name: string; readonly value: string; readonly change: string | null }) => (
  <div>
    <Text component="dt" size="sm" c="dimmed">
      {name}
    </Text>
    <Text component="dd" m={0} fw={600}>
      {value}
      {change !== null && (
        <Text component="span" size="sm" c="dimmed" ml={6}>
          {change} to the previous range
        </Text>
      )}
    </Text>
  </div>
);
