/** The monthly statements of an account. A month expands to its line items. */
import { Accordion, Group, Stack, Text } from '@mantine/core';
import type { StatementsQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount } from '../../components/number-format.ts';
import { Section } from '../../components/section.tsx';
import { formatTotals, StatementLines } from '../../components/statement-lines.tsx';

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
  const { month, totals, requests, closedAt, lateRequests } = statement;
  return (
    <Accordion.Item value={month}>
      <Accordion.Control>
        <Group justify="space-between" gap="xs" pr="sm">
          <Text fw={500}>{month}</Text>
          <Text size="sm">{formatCount(requests)} requests</Text>
          <Text size="sm">{formatTotals(totals)}</Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="xs">
          <StatementLines statement={statement} />
          <Text size="xs" c="dimmed">
            Closed at <Timestamp at={closedAt} />
            {lateRequests > 0 && `. ${formatCount(lateRequests)} late requests from earlier months were not charged.`}
          </Text>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
