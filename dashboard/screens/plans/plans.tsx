/** The plans: what keys may ask, and for how much. */
import { Code } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import type { PlansQuery } from '../../generated/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { count, money } from '../../parts/numbers.ts';
import { Screen } from '../../parts/screen.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';

const plansQuery = graphql(`
  query Plans($after: String) {
    plans(first: 50, after: $after) {
      nodes {
        code
        name
        version
        status
        writes
        price {
          amountMinor
          currency
        }
        limits {
          burstPerMinute
          perDay
          perMonth
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Plan = NonNullable<PlansQuery['plans']>['nodes'][number];

const columns: readonly Column<Plan>[] = [
  { title: 'Plan', cell: ({ name }) => name },
  { title: 'Code', cell: ({ code }) => <Code>{code}</Code> },
  { title: 'Version', cell: ({ version }) => version, numeric: true },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'A minute', cell: ({ limits }) => count(limits.burstPerMinute), numeric: true },
  { title: 'A day', cell: ({ limits }) => count(limits.perDay), numeric: true },
  { title: 'A month', cell: ({ limits }) => count(limits.perMonth), numeric: true },
  { title: 'Writes', cell: ({ writes }) => (writes ? 'Yes' : 'No') },
  { title: 'Price a month', cell: ({ price }) => money(price), numeric: true },
];

const route = getRouteApi('/signed-in/plans');

export function Plans() {
  const { after = null } = route.useSearch();
  const plans = useAsk(plansQuery, { after });
  return (
    <Screen title="Plans" says="What a key may ask, and for how much. A changed plan is a new version; keys keep theirs.">
      <Answered of={plans} name="plans">
        {({ plans: page }) => (
          <DataTable
            label="Plans"
            columns={columns}
            rows={page?.nodes ?? []}
            rowKey={({ code }) => code}
            pageInfo={page?.pageInfo}
            empty={<Empty title="No plans">The migrations bring four; create one to begin.</Empty>}
          />
        )}
      </Answered>
    </Screen>
  );
}
