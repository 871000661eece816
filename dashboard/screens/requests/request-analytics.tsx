/** Operations with their requests, error rate and durations, compared with the previous range: of an API key, an account or the platform. */
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { RequestAnalyticsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatChange, formatCount, formatDuration, formatRate } from '../../components/number-format.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Section } from '../../components/section.tsx';
import { TimeRangeSwitch } from '../../components/usage/time-range-switch.tsx';
import { UsageChart, type UsageSeries } from '../../components/usage/usage-chart.tsx';
import { periodsOf, periodStarts, type TimeRange } from '../../components/usage/usage-periods.ts';
import { OperationTable, TopErrors } from './operation-table.tsx';

const analyticsQuery = graphql(`
  query RequestAnalytics($since: DateTime!, $accountId: ID, $key: String) {
    requestAnalytics(since: $since, by: OPERATION, accountId: $accountId, key: $key) {
      total {
        requests
        errorRate
        p50Ms
        p95Ms
        p99Ms
      }
      previous {
        requests
        errorRate
        p50Ms
        p95Ms
        p99Ms
      }
      series {
        startsAt
        summary {
          requests
          errors
        }
      }
      groups {
        api
        name
        summary {
          requests
          errorRate
          p50Ms
          p95Ms
          p99Ms
        }
        previous {
          requests
          errorRate
          p95Ms
        }
      }
      errors {
        code
        requests
        previous
      }
    }
  }
`);

export type Analytics = NonNullable<RequestAnalyticsQuery['requestAnalytics']>;

const series: readonly UsageSeries[] = [
  { name: 'SUCCESS', label: 'Without an error', color: 'teal.6' },
  { name: 'ERROR', label: 'With an error', color: 'orange.5' },
];

/** Whose requests; none for the whole platform. */
export interface AnalyticsOwner {
  readonly accountId?: string;
  /** Public ID of an API key. */
  readonly publicId?: string;
}

export function RequestAnalytics({ accountId, publicId }: AnalyticsOwner) {
  const [range, setRange] = useState<TimeRange>('HOUR');
  const starts = periodStarts(range);
  const variables = { since: starts[0] ?? '', accountId: accountId ?? null, key: publicId ?? null };
  const analytics = useGraphQuery(analyticsQuery, variables, { refetchEveryMs });
  const search = { ...(accountId !== undefined && { account: accountId }), ...(publicId !== undefined && { key: publicId }) };
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
      <QueryResult query={analytics} name="operations" lines={6}>
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
                periods={periodsOf(starts, pointsOf(requestAnalytics), series)}
                series={series}
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
