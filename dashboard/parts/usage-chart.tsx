/** Usage over time against a limit: as a chart, and as a table for who cannot see it or wants the numbers. */
import { SegmentedControl, Skeleton, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { count } from './numbers.ts';
import { utc } from './moment.tsx';

// Recharts is larger than everything else together: it is loaded where there is something to draw
const Drawing = lazy(() => import('./usage-drawing.tsx'));

export interface UsageSeries {
  /** The member of a point: "requests". */
  readonly name: string;
  readonly label: string;
  readonly color: string;
}

/** When a period begins, and a number for each series. */
export type UsagePeriod = { readonly startsAt: string } & Readonly<Record<string, number | string>>;

export interface UsageChartProps {
  /** What is shown: "Requests by day". */
  readonly label: string;
  readonly periods: readonly UsagePeriod[];
  readonly series: readonly UsageSeries[];
  readonly limit?: number | undefined;
}

const chartHeight = 240;

export function UsageChart(props: UsageChartProps) {
  const [shown, setShown] = useState('Chart');
  const { label, periods, series, limit } = props;
  return (
    <Stack component="figure" m={0} gap="xs" aria-label={label}>
      <SegmentedControl
        size="xs"
        data={['Chart', 'Table']}
        value={shown}
        onChange={setShown}
        aria-label={`${label}: how`}
        w={160}
      />
      {shown === 'Chart' ? (
        <>
          <VisuallyHidden>{summary(props)}</VisuallyHidden>
          <div aria-hidden style={{ height: chartHeight }}>
            <Suspense fallback={<Skeleton height={chartHeight} />}>
              <Drawing {...props} height={chartHeight} />
            </Suspense>
          </div>
        </>
      ) : (
        <div role="region" tabIndex={0} aria-label={`${label}, as a table`} style={{ maxHeight: chartHeight, overflow: 'auto' }}>
          <Table stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>From</Table.Th>
                {series.map((one) => (
                  <Table.Th key={one.name} ta="right">
                    {one.label}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {periods.map((period) => (
                <Table.Tr key={period.startsAt}>
                  <Table.Td>{utc(period.startsAt)}</Table.Td>
                  {series.map(({ name }) => (
                    <Table.Td key={name} ta="right">
                      {count(Number(period[name] ?? 0))}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {limit !== undefined && (
        <Text size="sm" c="dimmed">
          Limit: {count(limit)}
        </Text>
      )}
    </Stack>
  );
}

function summary({ label, periods, series, limit }: UsageChartProps): string {
  const totals = series.map(({ name, label: said }) => {
    const total = periods.reduce((sum, period) => sum + Number(period[name] ?? 0), 0);
    return `${said} ${count(total)}`;
  });
  const against = limit === undefined ? '' : ` The limit is ${count(limit)}.`;
  return `${label}: ${totals.join(', ')} over ${periods.length} periods.${against} The table has each.`;
}
