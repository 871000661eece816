/** One monthly statement with its lines and its invoice; as JSON, as CSV, and as a page for print. */
import { Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CopyableId } from '../../../components/copyable-id.tsx';
import { DescriptionList } from '../../../components/description-list.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { formatCount } from '../../../components/number-format.ts';
import { QueryResult } from '../../../components/query-result.tsx';
import { Screen } from '../../../components/screen.tsx';
import { Section } from '../../../components/section.tsx';
import { StatementLines } from '../../../components/statement-lines.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import type { OwnStatementQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { InvoiceSection } from './invoice.tsx';
import { StatementDownloads } from './statement-downloads.tsx';

const statementQuery = graphql(`
  query OwnStatement($month: String!) {
    usageStatement(month: $month) {
      id
      month
      closedAt
      requests
      units
      lateRequests
      lateUnits
      totals {
        amountMinor
        currency
      }
      lines {
        name
        publicId
        plan
        planVersion
        quantity
        requests
        units
        price {
          amountMinor
          currency
        }
        amount {
          amountMinor
          currency
        }
      }
      invoice {
        number
        issuedOn
        periodStart
        periodEnd
        vatBasisPoints
        note
        seller {
          name
          address
          vatId
        }
        buyer {
          name
          address
          vatId
        }
        totals {
          currency
          netMinor
          vatMinor
          grossMinor
        }
      }
    }
  }
`);

export type StatementDetails = NonNullable<OwnStatementQuery['usageStatement']>;

const monthPattern = /^[1-9]\d{3}-(0[1-9]|1[0-2])$/;

const route = getRouteApi('/signed-in/statements/$month');

export function Statement() {
  const { month } = route.useParams();
  const isMonth = monthPattern.test(month);
  const query = useGraphQuery(statementQuery, { month }, { enabled: isMonth });
  const statement = query.data?.usageStatement;
  return (
    <Screen
      title={`Statement ${month}`}
      description={
        statement && (
          <>
            Closed <Timestamp at={statement.closedAt} />. A closed statement never changes.
          </>
        )
      }
      actions={statement && <StatementDownloads statement={statement} />}
    >
      {isMonth ? (
        <QueryResult query={query} name="statement">
          {({ usageStatement }) => (usageStatement === null ? <NotFound /> : <Content statement={usageStatement} />)}
        </QueryResult>
      ) : (
        <NotFound />
      )}
    </Screen>
  );
}

const NotFound = () => (
  <EmptyState title="Statement not found">The account has no statement of this month. Months without a key have none.</EmptyState>
);

function Content({ statement }: { readonly statement: StatementDetails }) {
  const { invoice, lateRequests, lateUnits } = statement;
  return (
    <Stack gap="lg">
      {invoice !== null && <InvoiceSection invoice={invoice} />}
      <Section title="Lines">
        <StatementLines statement={statement} />
        {lateRequests > 0 && (
          <Text size="sm">
            Reported late for earlier months, without cost: {formatCount(lateRequests)} requests, {formatCount(lateUnits)} units.
          </Text>
        )}
        <DescriptionList items={[['Statement ID', <CopyableId key="id" label="statement ID" id={statement.id} />]]} />
      </Section>
    </Stack>
  );
}
