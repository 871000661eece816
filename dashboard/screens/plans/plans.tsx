/** The list of plans. */
import { Code } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { PlansQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PlanLink } from '../../components/links.tsx';
import { formatCount, formatMoney } from '../../components/number-format.ts';
import { Screen } from '../../components/screen.tsx';
import { CreatePlan } from './plan-forms.tsx';

const plansQuery = graphql(`
  query Plans($after: String) {
    plans(first: 50, after: $after) {
      nodes {
        code
        name
        version
        writes
        liveKeys
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
  { title: 'Plan', cell: ({ code, name }) => <PlanLink code={code} name={name} /> },
  { title: 'Code', cell: ({ code }) => <Code>{code}</Code> },
  { title: 'Version', cell: ({ version }) => version, numeric: true },
  { title: 'Per minute', cell: ({ limits }) => formatCount(limits.burstPerMinute), numeric: true },
  { title: 'Per day', cell: ({ limits }) => formatCount(limits.perDay), numeric: true },
  { title: 'Per month', cell: ({ limits }) => formatCount(limits.perMonth), numeric: true },
  { title: 'Write access', cell: ({ writes }) => (writes ? 'Yes' : 'No') },
  { title: 'Price per month', cell: ({ price }) => formatMoney(price), numeric: true },
  { title: 'Live API keys', cell: ({ liveKeys }) => formatCount(liveKeys), numeric: true },
];

const route = getRouteApi('/signed-in/plans');

export function Plans() {
  const { after = null } = route.useSearch();
  const plans = useGraphQuery(plansQuery, { after });
  return (
    <Screen
      title="Plans"
      description="The limits and prices of API keys. Editing a plan creates a new version; existing keys stay on theirs."
      actions={<CreateButton label="Create plan" dialog={CreatePlan} />}
    >
      <QueryResult query={plans} name="plans">
        {({ plans: page }) => (
          <DataTable
            label="Plans"
            columns={columns}
            rows={page?.nodes ?? []}
            rowKey={({ code }) => code}
            pageInfo={page?.pageInfo}
            empty={<EmptyState title="No plans">Create a plan to issue API keys.</EmptyState>}
          />
        )}
      </QueryResult>
    </Screen>
  );
}
