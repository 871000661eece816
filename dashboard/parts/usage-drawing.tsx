/** The drawing of a usage chart, with the library that draws: loaded by parts/usage-chart.tsx when it is looked at. */
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { compact, count } from './numbers.ts';
import { utc } from './moment.tsx';
import type { UsageChartProps } from './usage-chart.tsx';

/** A limit that is more than so many times what was asked would press the bars flat: then it is told in words only. */
const farTimes = 10;

export default function UsageDrawing({ periods, series, limit: told, height }: UsageChartProps & { readonly height: number }) {
  const peak = Math.max(...periods.map((period) => series.reduce((sum, { name }) => sum + Number(period[name] ?? 0), 0)));
  const limit = told !== undefined && told <= peak * farTimes ? told : undefined;
  const isDays = periods.every(({ startsAt }) => startsAt.includes('T00:00'));
  return (
    <BarChart
      h={height}
      data={periods.map(({ startsAt, ...numbers }) => ({ ...numbers, startsAt: utc(startsAt) }))}
      dataKey="startsAt"
      type="stacked"
      series={[...series]}
      valueFormatter={count}
      withLegend
      // as they are stacked, not by the alphabet
      legendProps={{ itemSorter: null }}
      // below a bar what tells it from its neighbours; pointed at, it says all
      xAxisProps={{ tickFormatter: (when: string) => (isDays ? when.slice(5, 10) : when.slice(11, 16)) }}
      referenceLines={limit === undefined ? [] : [{ y: limit, label: 'Limit', color: 'red.7' }]}
      yAxisProps={{
        allowDecimals: false,
        tickFormatter: compact,
        width: 48,
        ...(limit !== undefined && { domain: [0, (max: number) => Math.max(max, limit)] }),
      }}
      barProps={{ isAnimationActive: false }}
      // who cannot see it has the summary and the table
      barChartProps={{ accessibilityLayer: false }}
    />
  );
}
