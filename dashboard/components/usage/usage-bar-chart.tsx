/** The bar chart of usage-chart.tsx, in its own chunk because of the chart library. */
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { formatCompact, formatCount } from '../number-format.ts';
import { formatUtc } from '../timestamp.tsx';
import type { UsageChartProps, UsageMarker } from './usage-chart.tsx';

/** Limits above this multiple of the peak are not drawn, because they would flatten the bars. */
const limitToPeakMax = 10;

/** The line of each period with markers, with the labels of all of them. */
function linesOf(periods: UsageChartProps['periods'], markers: readonly UsageMarker[]) {
  const starts = periods.map(({ startsAt }) => startsAt);
  const byPeriod = Map.groupBy(markers, ({ at }) => starts.findLast((start) => Date.parse(start) <= Date.parse(at)));
  return [...byPeriod].flatMap(([start, inPeriod]) => {
    const [first, ...others] = inPeriod;
    if (start === undefined || first === undefined) return [];
    const label = others.length === 0 ? first.label : `${inPeriod.length} changes`;
    // the label is on the side with more space, so that the edge of the chart does not cut it
    const isLeft = starts.indexOf(start) < starts.length / 2;
    const labelPosition = isLeft ? ('insideTopLeft' as const) : ('insideTopRight' as const);
    return [{ x: formatUtc(start), label, color: 'var(--mantine-color-text)', labelPosition }];
  });
}

export default function UsageBarChart(props: UsageChartProps & { readonly height: number }) {
  const { periods, series, dailyLimit, height, markers = [] } = props;
  const peak = Math.max(...periods.map((period) => series.reduce((sum, { name }) => sum + Number(period[name] ?? 0), 0)));
  const limit = dailyLimit !== undefined && dailyLimit <= peak * limitToPeakMax ? dailyLimit : undefined;
  const isDays = periods.every(({ startsAt }) => startsAt.includes('T00:00'));
  return (
    <BarChart
      h={height}
      data={periods.map(({ startsAt, ...values }) => ({ ...values, startsAt: formatUtc(startsAt) }))}
      dataKey="startsAt"
      type="stacked"
      series={[...series]}
      valueFormatter={formatCount}
      withLegend
      // in the order of the stack, not alphabetical
      legendProps={{ itemSorter: null }}
      // short labels; the tooltip has the full timestamp
      xAxisProps={{ tickFormatter: (time: string) => (isDays ? time.slice(5, 10) : time.slice(11, 16)) }}
      referenceLines={[
        ...(limit === undefined ? [] : [{ y: limit, label: 'Limit', color: 'red.7' }]),
        ...linesOf(periods, markers),
      ]}
      yAxisProps={{
        allowDecimals: false,
        tickFormatter: formatCompact,
        width: 48,
        ...(limit !== undefined && { domain: [0, (max: number) => Math.max(max, limit)] }),
      }}
      barProps={{ isAnimationActive: false }}
      // screen readers use the summary and the table
      barChartProps={{ accessibilityLayer: false }}
    />
  );
}
