/** Points of usage as the periods of a chart: each period of the span is there, also where nothing was asked. */
import type { UsagePeriod, UsageSeries } from './usage-chart.tsx';

/** A point as the graph tells it, with the part it is of: a status, a key, an area. */
export interface UsagePart {
  readonly startsAt: string;
  readonly requests: number;
  readonly part: string | null | undefined;
}

const hourMs = 3_600_000;

/** How far back a chart goes, by the length of its periods. */
export const spans = {
  HOUR: { label: '24 hours', lengthMs: hourMs, periods: 24 },
  DAY: { label: '30 days', lengthMs: 24 * hourMs, periods: 30 },
} as const;

export type Span = keyof typeof spans;

/** When each period of a span that ends now begins, oldest first. */
export function periodStarts(span: Span, now = Date.now()): readonly string[] {
  const { lengthMs, periods } = spans[span];
  const last = Math.floor(now / lengthMs) * lengthMs;
  return Array.from({ length: periods }, (_, index) => new Date(last - (periods - 1 - index) * lengthMs).toISOString());
}

/** How requests ended, in the order in which they are stacked. */
export const statusSeries: readonly UsageSeries[] = [
  { name: 'SUCCESS', label: 'Succeeded (2xx)', color: 'teal.6' },
  { name: 'REDIRECTION', label: 'Not modified, moved (3xx)', color: 'blue.5' },
  { name: 'CLIENT_ERROR', label: 'Refused (4xx)', color: 'orange.5' },
  { name: 'SERVER_ERROR', label: 'Failed (5xx)', color: 'red.7' },
];

const partColors = ['indigo.6', 'teal.6', 'orange.5', 'grape.6', 'cyan.6', 'pink.6', 'lime.7'];
/** What has no part: of several areas, or of none. */
const noPart = 'Other';

/** The series of the parts that were asked most; the rest are one series, `Other`. */
export function largestSeries(points: readonly UsagePart[], labelOf: (part: string) => string): readonly UsageSeries[] {
  const totals = new Map<string, number>();
  for (const { part, requests } of points) totals.set(part ?? noPart, (totals.get(part ?? noPart) ?? 0) + requests);
  const ordered = [...totals.keys()]
    .filter((part) => part !== noPart)
    .sort((one, other) => Number(totals.get(other)) - Number(totals.get(one)));
  const shown = ordered.slice(0, partColors.length);
  const rest = ordered.length > shown.length || totals.has(noPart);
  return [
    ...shown.map((name, index) => ({ name, label: labelOf(name), color: partColors[index] ?? 'gray.6' })),
    ...(rest ? [{ name: noPart, label: noPart, color: 'gray.6' }] : []),
  ];
}

/** Periods of which each has a number for each series. */
export function periodsOf(
  starts: readonly string[],
  points: readonly UsagePart[],
  series: readonly UsageSeries[],
): readonly UsagePeriod[] {
  const known = new Set(series.map(({ name }) => name));
  const periods = new Map(starts.map((startsAt) => [Date.parse(startsAt), new Map<string, number>()]));
  for (const { startsAt, part, requests } of points) {
    const period = periods.get(Date.parse(startsAt));
    const name = part !== null && part !== undefined && known.has(part) ? part : noPart;
    period?.set(name, (period.get(name) ?? 0) + requests);
  }
  return starts.map((startsAt) => {
    const numbers = periods.get(Date.parse(startsAt));
    return { ...Object.fromEntries(series.map(({ name }) => [name, numbers?.get(name) ?? 0])), startsAt };
  });
}
