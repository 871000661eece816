/** Groups usage data into the periods of a chart, including periods without requests. */
import type { UsagePeriod, UsageSeries } from './usage-chart.tsx';

/** The requests of one period and one group: a status, an API key or an area. */
export interface UsagePoint {
  readonly startsAt: string;
  readonly requests: number;
  readonly group: string | null | undefined;
}

const hourMs = 3_600_000;

/** The time ranges of a chart, by the length of their periods. */
export const timeRanges = {
  HOUR: { label: '24 hours', lengthMs: hourMs, periods: 24 },
  DAY: { label: '30 days', lengthMs: 24 * hourMs, periods: 30 },
} as const;

export const timeRangeNames = ['HOUR', 'DAY'] as const satisfies readonly (keyof typeof timeRanges)[];
export type TimeRange = (typeof timeRangeNames)[number];

/** The start of each period in a time range that ends now, oldest first. */
export function periodStarts(range: TimeRange, now = Date.now()): readonly string[] {
  const { lengthMs, periods } = timeRanges[range];
  const last = Math.floor(now / lengthMs) * lengthMs;
  return Array.from({ length: periods }, (_, index) => new Date(last - (periods - 1 - index) * lengthMs).toISOString());
}

/** Requests by response status, in the order of the stacked bars. */
export const statusSeries: readonly UsageSeries[] = [
  { name: 'SUCCESS', label: 'Success (2xx)', color: 'teal.6' },
  { name: 'REDIRECTION', label: 'Redirect or not modified (3xx)', color: 'blue.5' },
  { name: 'CLIENT_ERROR', label: 'Client error (4xx)', color: 'orange.5' },
  { name: 'SERVER_ERROR', label: 'Server error (5xx)', color: 'red.7' },
];

const groupColors = ['indigo.6', 'teal.6', 'orange.5', 'grape.6', 'cyan.6', 'pink.6', 'lime.7'];
/** Requests without a group, for example of several areas. */
const otherGroup = 'Other';

/** One series for each of the largest groups. The rest are combined as `Other`. */
export function largestSeries(points: readonly UsagePoint[], labelOf: (group: string) => string): readonly UsageSeries[] {
  const totals = new Map<string, number>();
  for (const { group, requests } of points) totals.set(group ?? otherGroup, (totals.get(group ?? otherGroup) ?? 0) + requests);
  const ordered = [...totals.keys()]
    .filter((group) => group !== otherGroup)
    .sort((one, other) => Number(totals.get(other)) - Number(totals.get(one)));
  const largest = ordered.slice(0, groupColors.length);
  const hasOther = ordered.length > largest.length || totals.has(otherGroup);
  return [
    ...largest.map((name, index) => ({ name, label: labelOf(name), color: groupColors[index] ?? 'gray.6' })),
    ...(hasOther ? [{ name: otherGroup, label: otherGroup, color: 'gray.6' }] : []),
  ];
}

/** The periods of a chart, with a value for each series. */
export function periodsOf(
  starts: readonly string[],
  points: readonly UsagePoint[],
  series: readonly UsageSeries[],
): readonly UsagePeriod[] {
  const known = new Set(series.map(({ name }) => name));
  const periods = new Map(starts.map((startsAt) => [Date.parse(startsAt), new Map<string, number>()]));
  for (const { startsAt, group, requests } of points) {
    const period = periods.get(Date.parse(startsAt));
    const name = group !== null && group !== undefined && known.has(group) ? group : otherGroup;
    period?.set(name, (period.get(name) ?? 0) + requests);
  }
  return starts.map((startsAt) => {
    const values = periods.get(Date.parse(startsAt));
    return { ...Object.fromEntries(series.map(({ name }) => [name, values?.get(name) ?? 0])), startsAt };
  });
}
