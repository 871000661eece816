/** Usage over time with an optional limit, as a chart or as a table. */
import { Button, Group, List, SegmentedControl, Skeleton, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { csvOf, csvType, datedFileName, downloadFile, type CsvColumns } from '../csv.ts';
import { formatCount } from '../number-format.ts';
import { ScrollableTable } from '../scrollable-table.tsx';
import { formatUtc, Timestamp } from '../timestamp.tsx';

// Recharts is larger than the rest of the dashboard: load it only with a chart
const UsageBarChart = lazy(() => import('./usage-bar-chart.tsx'));

export interface UsageSeries {
  /** The field of a period: "SUCCESS". */
  readonly name: string;
  readonly label: string;
  readonly color: string;
}

/** The start of a period, and a value for each series. */
export type UsagePeriod = { readonly startsAt: string } & Readonly<Record<string, number | string>>;

/** What happened at a time: a line in the chart, and a text below it. */
export interface UsageMarker {
  readonly at: string;
  /** Short, for the line. */
  readonly label: string;
  readonly text: string;
}

export interface UsageChartProps {
  /** "Requests by day" */
  readonly label: string;
  readonly periods: readonly UsagePeriod[];
  readonly series: readonly UsageSeries[];
  readonly dailyLimit?: number | undefined;
  /** Oldest first. */
  readonly markers?: readonly UsageMarker[];
}

const chartHeight = 240;

export function UsageChart(props: UsageChartProps) {
  const [view, setView] = useState('Chart');
  const { label, periods, series, dailyLimit, markers = [] } = props;
  return (
    <Stack component="figure" m={0} gap="xs" aria-label={label}>
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          size="xs"
          data={['Chart', 'Table']}
          value={view}
          onChange={setView}
          aria-label={`${label}: view`}
          w={160}
        />
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconDownload size={14} aria-hidden />}
          aria-label={`Export CSV: ${label}`}
          onClick={() => exportUsage(props)}
        >
          Export CSV
        </Button>
      </Group>
      {view === 'Chart' ? (
        <>
          <VisuallyHidden>{summary(props)}</VisuallyHidden>
          <div aria-hidden style={{ height: chartHeight }}>
            <Suspense fallback={<Skeleton height={chartHeight} />}>
              <UsageBarChart {...props} height={chartHeight} />
            </Suspense>
          </div>
        </>
      ) : (
        <ScrollableTable label={label} maxHeight={chartHeight} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Start</Table.Th>
              {series.map(({ name, label: title }) => (
                <Table.Th key={name} ta="right">
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {periods.map((period) => (
              <Table.Tr key={period.startsAt}>
                <Table.Td>{formatUtc(period.startsAt)}</Table.Td>
                {series.map(({ name }) => (
                  <Table.Td key={name} ta="right">
                    {formatCount(Number(period[name] ?? 0))}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrollableTable>
      )}
      {dailyLimit !== undefined && (
        <Text size="sm" c="dimmed">
          Daily limit: {formatCount(dailyLimit)}
        </Text>
      )}
      {markers.length > 0 && <Markers markers={markers} />}
    </Stack>
  );
}

const Markers = ({ markers }: { readonly markers: readonly UsageMarker[] }) => (
  <List size="sm" aria-label="Changes in this range" listStyleType="none">
    {markers.map(({ at, text }) => (
      <List.Item key={`${at} ${text}`}>
        <Timestamp at={at} /> · {text}
      </List.Item>
    ))}
  </List>
);

/** Downloads the periods as a CSV file with a column for each series. */
function exportUsage({ periods, series }: UsageChartProps): void {
  const columns: CsvColumns<UsagePeriod> = [
    ['startsAt', ({ startsAt }) => startsAt],
    ...series.map(({ name, label }) => [label, (period: UsagePeriod) => Number(period[name] ?? 0)] as const),
  ];
  downloadFile(datedFileName('usage', 'csv'), csvType, csvOf(columns, periods));
}

function summary({ label, periods, series, dailyLimit }: UsageChartProps): string {
  const totals = series.map(({ name, label: title }) => {
    const total = periods.reduce((sum, period) => sum + Number(period[name] ?? 0), 0);
    return `${title}: ${formatCount(total)}`;
  });
  const limitText = dailyLimit === undefined ? '' : ` The daily limit is ${formatCount(dailyLimit)}.`;
  return `${label}: ${totals.join(', ')} in ${periods.length} periods.${limitText} Select the table for all values.`;
}
