/** The monthly statements of the account, newest first, and the data for its invoices. */
import { Anchor } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { formatCount } from '../../../components/number-format.ts';
import { QueryResult } from '../../../components/query-result.tsx';
import { Screen } from '../../../components/screen.tsx';
import { formatTotals } from '../../../components/statement-lines.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import type { OwnStatementsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { UsageButton } from '../usage/usage-button.tsx';
import { BillingData } from './billing-data.tsx';

const statementsQuery = graphql(`
  query OwnStatements($after: String) {
    usageStatements(first: 24, after: $after) {
      nodes {
        id
        month
        closedAt
        requests
        units
        totals {
          amountMinor
          currency
        }
        invoice {
          number
          totals {
            grossMinor
            currency
          }
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Statement = NonNullable<OwnStatementsQuery['usageStatements']>['nodes'][number];

/** The amount of the invoice with VAT, or the total of the lines without an invoice. */
const amountOf = ({ invoice, totals }: Statement): string =>
  formatTotals(
    invoice === null ? totals : invoice.totals.map(({ grossMinor, currency }) => ({ amountMinor: grossMinor, currency })),
  );

const Unbroken = ({ children }: { readonly children: string }) => <span style={{ whiteSpace: 'nowrap' }}>{children}</span>;

const columns: readonly Column<Statement>[] = [
  {
    title: 'Month',
    cell: ({ month }) => (
      <Anchor
        inherit
        fw={500}
        underline="always"
        renderRoot={(props) => <Link to="/statements/$month" params={{ month }} {...props} />}
      >
        <Unbroken>{month}</Unbroken>
      </Anchor>
    ),
  },
  { title: 'Invoice', cell: ({ invoice }) => <Unbroken>{invoice?.number ?? '–'}</Unbroken> },
  { title: 'Closed', cell: ({ closedAt }) => <Timestamp at={closedAt} /> },
  { title: 'Requests', cell: ({ requests }) => formatCount(requests), numeric: true },
  { title: 'Units', cell: ({ units }) => formatCount(units), numeric: true },
  { title: 'Amount', cell: amountOf, numeric: true },
];

const route = getRouteApi('/signed-in/statements');

export function Statements() {
  const { after = null } = route.useSearch();
  const statements = useGraphQuery(statementsQuery, { after });
  return (
    <Screen
      title="Statements"
      description="Usage and price of each closed month. A month (UTC) closes at 02:00 UTC on the first day of the next month."
    >
      <QueryResult query={statements} name="statements">
        {({ usageStatements: page }) => (
          <DataTable
            label="Statements"
            columns={columns}
            rows={page?.nodes ?? []}
            rowKey={({ id }) => id}
            {...(page && { pageInfo: page.pageInfo })}
            empty={
              <EmptyState title="No statements yet" action={<UsageButton />}>
                The usage of the current month is on the screen Usage and limits.
              </EmptyState>
            }
          />
        )}
      </QueryResult>
      <BillingData />
    </Screen>
  );
}
