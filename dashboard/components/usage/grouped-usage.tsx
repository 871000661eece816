/** Usage of the API keys of an account over time, grouped by status, key or area, in the dashboard and the portal. */
import { Group, SegmentedControl } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RequestError } from '../../graph/request-error.ts';
import { QueryResult } from '../query-result.tsx';
import { Section } from '../section.tsx';
import { TimeRangeSwitch } from './time-range-switch.tsx';
import { UsageChart } from './usage-chart.tsx';
import { largestSeries, periodsOf, periodStarts, statusSeries, type TimeRange } from './usage-periods.ts';

export const usageGroups = ['STATUS', 'KEY', 'AREA'] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** The usage of a period, grouped by one dimension. */
export interface GroupedUsagePoint {
  readonly startsAt: string;
  readonly value: number;
  readonly status: string | null;
  readonly key: string | null;
  readonly area: string | null;
}

const groupLabels: Readonly<Record<UsageGroup, string>> = { STATUS: 'By status', KEY: 'By API key', AREA: 'By area' };
const groupOptions = usageGroups.map((value) => ({ value, label: groupLabels[value] }));

const groupOf: Readonly<Record<UsageGroup, (point: GroupedUsagePoint) => string | null>> = {
  STATUS: ({ status }) => status,
  KEY: ({ key }) => key,
  AREA: ({ area }) => area,
};

interface GroupedUsageProps<Data> {
  readonly query: UseQueryResult<Data, RequestError>;
  readonly pointsOf: (data: Data) => readonly GroupedUsagePoint[];
  /** What the points count. */
  readonly measure?: 'Requests' | 'Units';
  readonly range: TimeRange;
  readonly setRange: (range: TimeRange) => void;
  readonly group: UsageGroup;
  readonly setGroup: (group: UsageGroup) => void;
  /** The name of a key or an area. Default: its identifier. */
  readonly labelOf?: (group: string) => string;
  /** Further switches. */
  readonly controls?: ReactNode;
}

export function GroupedUsage<Data>(props: GroupedUsageProps<Data>) {
  const {
    query,
    pointsOf,
    measure = 'Requests',
    range,
    setRange,
    group,
    setGroup,
    labelOf = (name: string) => name,
    controls,
  } = props;
  return (
    <Section
      title="Usage"
      controls={
        <Group gap="xs">
          {controls}
          <SegmentedControl size="xs" aria-label="Group by" data={groupOptions} value={group} onChange={setGroup} />
          <TimeRangeSwitch value={range} onChange={setRange} />
        </Group>
      }
    >
      <QueryResult query={query} name="usage" lines={6}>
        {(data) => {
          const points = pointsOf(data).map((point) => ({
            startsAt: point.startsAt,
            requests: point.value,
            group: groupOf[group](point),
          }));
          const series = group === 'STATUS' ? statusSeries : largestSeries(points, labelOf);
          return (
            <UsageChart
              label={`${measure} by ${range === 'DAY' ? 'day' : 'hour'}`}
              periods={periodsOf(periodStarts(range), points, series)}
              series={series}
            />
          );
        }}
      </QueryResult>
    </Section>
  );
}
