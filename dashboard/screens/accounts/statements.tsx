/** The monthly statements of an account: months, and the lines of the one that is looked at. */
import { Accordion, Group, Stack, Table, Text } from '@mantine/core';
import type { StatementsQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { count, money } from '../../parts/numbers.ts';
import { Section } from '../../parts/section.tsx';

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
  const statements = useAsk(statementsQuery, { id });
  return (
    <Section title="Statements">
      <Answered of={statements} name="the statements" lines={3}>
        {({ account }) => {
          const months = account?.statements?.nodes ?? [];
          if (months.length === 0)
            return <Empty title="No statements yet">A month closes at 02:00 UTC of the day after it.</Empty>;
          return (
            <Accordion variant="contained" order={3}>
              {months.map((statement) => (
                <Month key={statement.id} of={statement} />
              ))}
            </Accordion>
          );
        }}
      </Answered>
    </Section>
  );
}

function Month({ of: { month, totals, requests, units, lines, closedAt, lateRequests } }: { readonly of: Statement }) {
  return (
    <Accordion.Item value={month}>
      <Accordion.Control>
        <Group justify="space-between" gap="xs" pr="sm">
          <Text fw={500}>{month}</Text>
          <Text size="sm">{count(requests)} requests</Text>
          <Text size="sm">{totals.length === 0 ? 'Nothing to pay' : totals.map(money).join(' + ')}</Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="xs">
          <div role="region" aria-label={`Lines of ${month}`} tabIndex={0} style={{ overflowX: 'auto' }}>
            <Table aria-label={`Lines of ${month}`}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Key</Table.Th>
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
                    <Table.Td ta="right">{count(line.requests)}</Table.Td>
                    <Table.Td ta="right">{count(line.units)}</Table.Td>
                    <Table.Td ta="right">{money(line.price)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
              <Table.Tfoot>
                <Table.Tr>
                  <Table.Th colSpan={2}>Total</Table.Th>
                  <Table.Th ta="right">{count(requests)}</Table.Th>
                  <Table.Th ta="right">{count(units)}</Table.Th>
                  <Table.Th ta="right">{totals.map(money).join(' + ')}</Table.Th>
                </Table.Tr>
              </Table.Tfoot>
            </Table>
          </div>
          <Text size="xs" c="dimmed">
            Closed <Moment at={closedAt} />
            {lateRequests > 0 && `; ${count(lateRequests)} requests of earlier months came late and cost nothing`}
          </Text>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
