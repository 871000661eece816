/** Usage and limits of the account: quotas of its keys, the plan, usage over time, and operations with errors and durations. */
import { SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { enumLabel } from '../../../components/enum-label.ts';
import { useListState } from '../../../components/list-search.ts';
import { AnalyticsSection } from '../../../components/requests/analytics-section.tsx';
import { Screen } from '../../../components/screen.tsx';
import { GroupedUsage, type UsageGroup } from '../../../components/usage/grouped-usage.tsx';
import { periodStarts, type TimeRange } from '../../../components/usage/usage-periods.ts';
import { useGraphQuery } from '../../../graph/operations.ts';
import type { OwnUsageQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { useOwnKeyNames } from '../keys/own-key-names.ts';
import { KeyQuotas } from './key-quotas.tsx';
import { PlanLimits } from './plan-limits.tsx';

const usageQuery = graphql(`
  query OwnUsage($granularity: UsageGranularity!, $from: DateTime, $groupBy: [UsageDimension!]) {
    member {
      account {
        usage(granularity: $granularity, from: $from, groupBy: $groupBy) {
          startsAt
          requests
          units
          status
          key
          area
        }
      }
    }
  }
`);

const analyticsQuery = graphql(`
  query OwnAnalytics($since: DateTime!) {
    requestAnalytics(since: $since, by: OPERATION) {
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
      markers {
        at
        kind
        name
      }
    }
  }
`);

const route = getRouteApi('/signed-in/usage');

export function Usage() {
  return (
    <Screen title="Usage and limits" description="Usage is complete some seconds after a response. Days and months are in UTC.">
      <KeyQuotas />
      <PlanLimits />
      <UsageOverTime />
      <Operations />
    </Screen>
  );
}

/** The time range of the charts, in the URL. */
function useRange(): readonly [TimeRange, (range: TimeRange) => void] {
  const { range = 'DAY' } = route.useSearch();
  const { set } = useListState();
  return [range, (selected) => set({ range: selected === 'HOUR' ? selected : undefined })];
}

function UsageOverTime() {
  const { group: selectedGroup, measure = 'UNITS' } = route.useSearch();
  const group: UsageGroup = selectedGroup ?? 'STATUS';
  const [range, setRange] = useRange();
  const { set } = useListState();
  const names = useOwnKeyNames();
  const variables = { granularity: range, from: periodStarts(range)[0] ?? null, groupBy: [group] };
  const usage = useGraphQuery(usageQuery, variables, { refetchEveryMs });
  const pointsOf = ({ member }: OwnUsageQuery) =>
    (member?.account.usage ?? []).map((point) => ({ ...point, value: measure === 'UNITS' ? point.units : point.requests }));
  return (
    <GroupedUsage
      query={usage}
      pointsOf={pointsOf}
      measure={measure === 'UNITS' ? 'Units' : 'Requests'}
      range={range}
      setRange={setRange}
      group={group}
      setGroup={(selected) => set({ group: selected === 'STATUS' ? undefined : selected })}
      labelOf={(name) => (group === 'KEY' ? (names.get(name) ?? name) : enumLabel(name))}
      controls={
        <SegmentedControl
          size="xs"
          aria-label="Measure"
          data={[
            { value: 'UNITS', label: 'Units' },
            { value: 'REQUESTS', label: 'Requests' },
          ]}
          value={measure}
          onChange={(selected) => set({ measure: selected === 'REQUESTS' ? selected : undefined })}
        />
      }
    />
  );
}

function Operations() {
  const [range, setRange] = useRange();
  const analytics = useGraphQuery(analyticsQuery, { since: periodStarts(range)[0] ?? '' }, { refetchEveryMs });
  return <AnalyticsSection query={analytics} range={range} setRange={setRange} search={{}} />;
}
