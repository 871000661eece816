/** The quota of an API key, and its requests over time by status. Live keys that members create share one quota, and test keys another one. */
import { Button, Group, SimpleGrid, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import { QuotaWindow } from '../../../components/usage/quota-window.tsx';
import { TimeRangeSwitch } from '../../../components/usage/time-range-switch.tsx';
import { UsageChart } from '../../../components/usage/usage-chart.tsx';
import { periodsOf, periodStarts, statusSeries, type TimeRange } from '../../../components/usage/usage-periods.ts';
import { useGraphQuery } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';

const quotaQuery = graphql(`
  query OwnKeyQuota($id: ID!) {
    ownKey(id: $id) {
      quota {
        day {
          used
          limit
          resetAt
        }
        month {
          used
          limit
          resetAt
        }
      }
    }
  }
`);

const usageQuery = graphql(`
  query OwnKeyUsage($id: ID!, $granularity: UsageGranularity!, $from: DateTime) {
    ownKey(id: $id) {
      usage(granularity: $granularity, from: $from, groupBy: [STATUS]) {
        startsAt
        status
        requests
      }
    }
  }
`);

export function KeyQuota({ id }: { readonly id: string }) {
  const quota = useGraphQuery(quotaQuery, { id }, { refetchEveryMs });
  return (
    <Section title="Quota">
      <QueryResult query={quota} name="quota" lines={2}>
        {({ ownKey }) =>
          ownKey?.quota ? (
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
              <QuotaWindow label="Today" {...ownKey.quota.day} />
              <QuotaWindow label="This month" {...ownKey.quota.month} />
            </SimpleGrid>
          ) : (
            <Text c="dimmed">No usage yet.</Text>
          )
        }
      </QueryResult>
    </Section>
  );
}

interface KeyUsageProps {
  readonly id: string;
  readonly publicId: string;
  readonly perDay: number;
}

export function KeyUsage({ id, publicId, perDay }: KeyUsageProps) {
  const [range, setRange] = useState<TimeRange>('DAY');
  const starts = periodStarts(range);
  const usage = useGraphQuery(usageQuery, { id, granularity: range, from: starts[0] ?? null }, { refetchEveryMs });
  return (
    <Section
      title="Usage"
      controls={
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link to="/requests" search={{ key: publicId }} {...props} />}
          >
            Open request log
          </Button>
          <TimeRangeSwitch value={range} onChange={setRange} />
        </Group>
      }
    >
      <QueryResult query={usage} name="usage" lines={6}>
        {({ ownKey }) => {
          const points = (ownKey?.usage ?? []).map(({ startsAt, requests, status }) => ({ startsAt, requests, group: status }));
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
