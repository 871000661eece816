/** The monthly statements of an account. A month expands to its line items. */
import { Accordion, Group, Stack, Table, Text } from '@mantine/core';
import type { StatementsQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { ScrollableTable } from '../../components/scrollable-table.tsx';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount, formatMoney } from '../../components/number-format.ts';
import { Section } from '../../components/section.tsx';

const statementsQuery = graphql(`
  query Statements($id: ID!) {
    account(id: $id) {
      statements(first: 36) {
        nodes {
          id
          month
          closedAt
          requests
          units
          lateRequests
          totals {
            amountMinor
            currency
          }
          lines {
            name
            publicId
            plan
            planVersion
            requests
            units
            price {
              amountMinor
              currency
            }
          }
        }
      }
    }
  }
`);

type Statement = NonNullable<NonNullable<StatementsQuery['account']>['statements']>['nodes'][number];

export function Statements({ id }: { readonly id: string }) {
  const statements = useGraphQuery(statementsQuery, { id });
  return (
    <Section title="Statements">
      <QueryResult query={statements} name="statements" lines={3}>
        {({ account }) => {
          const months = account?.statements?.nodes ?? [];
          if (months.length === 0)
            return (
              <EmptyState title="No statements yet">
                The statement of a month is created at 02:00 UTC on the first day of the next month.
              </EmptyState>
            );
          return (
            <Accordion variant="contained" order={3}>
              {months.map((statement) => (
                <Month key={statement.id} statement={statement} />
              ))}
            </Accordion>
          );
        }}
      </QueryResult>
    </Section>
  );
}

function Month({ statement }: { readonly statement: Statement }) {
  const { month, totals, requests, units, lines, closedAt, lateRequests } = statement;
  return (
    <Accordion.Item value={month}>
      <Accordion.Control>
        <Group justify="space-between" gap="xs" pr="sm">
          <Text fw={500}>{month}</Text>
          <Text size="sm">{formatCount(requests)} requests</Text>
          <Text size="sm">{totals.length === 0 ? 'No charges' : totals.map(formatMoney).join(' + ')}</Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="xs">
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
          <Text size="xs" c="dimmed">
            Closed at <Timestamp at={closedAt} />
            {lateRequests > 0 && `. ${formatCount(lateRequests)} late requests from earlier months were not charged.`}
          </Text>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
