/** The lines of a monthly statement with their totals, in the dashboard and the portal. */
import { Table, Text } from '@mantine/core';
import { formatCount, formatMoney } from './number-format.ts';
import { ScrollableTable } from './scrollable-table.tsx';

interface Money {
  readonly amountMinor: number;
  readonly currency: string;
}

interface StatementLine {
  readonly name: string;
  readonly publicId: string;
  readonly plan: string;
  readonly planVersion: number;
  readonly requests: number;
  readonly units: number;
  readonly price: Money;
}

interface StatementLinesProps {
  readonly statement: {
    readonly month: string;
    readonly requests: number;
    readonly units: number;
    readonly totals: readonly Money[];
    readonly lines: readonly StatementLine[];
  };
}

/** `EUR 29.00 + USD 5.00`; "No charges" without any. */
export const formatTotals = (totals: readonly Money[]): string =>
  totals.length === 0 ? 'No charges' : totals.map(formatMoney).join(' + ');

export function StatementLines({ statement: { month, lines, requests, units, totals } }: StatementLinesProps) {
  return (
    <ScrollableTable label={`Line items of ${month}`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>API key</Table.Th>
          <Table.Th>Plan</Table.Th>
          <Table.Th ta="right">Requests</Table.Th>
          <Table.Th ta="right">Units</Table.Th>
          <Table.Th ta="right">Price</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.publicId}>
            <Table.Td>
              {line.name}
              <Text size="xs" c="dimmed" ff="monospace">
                {line.publicId}
              </Text>
            </Table.Td>
            <Table.Td>
              {line.plan}, version {line.planVersion}
            </Table.Td>
            <Table.Td ta="right">{formatCount(line.requests)}</Table.Td>
            <Table.Td ta="right">{formatCount(line.units)}</Table.Td>
            <Table.Td ta="right">{formatMoney(line.price)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr>
          <Table.Th colSpan={2}>Total</Table.Th>
          <Table.Th ta="right">{formatCount(requests)}</Table.Th>
          <Table.Th ta="right">{formatCount(units)}</Table.Th>
          <Table.Th ta="right">{totals.map(formatMoney).join(' + ')}</Table.Th>
        </Table.Tr>
      </Table.Tfoot>
    </ScrollableTable>
  );
}
