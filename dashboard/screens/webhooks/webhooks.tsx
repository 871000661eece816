/** The list of the webhook endpoints of all accounts. Its filters are stored in the URL. */
import { getRouteApi } from '@tanstack/react-router';
import type { WebhookEndpointsQuery } from '../../generated/graphql.ts';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { enumOptions } from '../../components/enum-label.ts';
import { AccountLink } from '../../components/links.tsx';
import { ChoiceFilter, ListFilters } from '../../components/list-filters.tsx';
import { hasFilter, useListState } from '../../components/list-search.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Screen } from '../../components/screen.tsx';
import { endpointColumn, endpointStateColumns, failingChoices } from '../../components/webhooks/endpoint-columns.tsx';
import { endpointStatuses } from '../../components/webhooks/webhook-search.ts';
import { AccountSelect } from '../accounts/account-select.tsx';
import { CreateWebhook } from './create-webhook.tsx';
import { webhooksFilterOf } from './webhooks-search.ts';

const webhooksQuery = graphql(`
  query WebhookEndpoints($after: String, $filter: WebhookEndpointFilter) {
    webhookEndpoints(first: 25, after: $after, filter: $filter) {
      nodes {
        id
        url
        description
        types
        status
        disabledReason
        failingSince
        lastSuccessAt
        createdAt
        account {
          id
          name
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Endpoint = NonNullable<WebhookEndpointsQuery['webhookEndpoints']>['nodes'][number];

const columns: readonly Column<Endpoint>[] = [
  endpointColumn,
  { title: 'Account', cell: ({ account }) => <AccountLink {...account} /> },
  ...endpointStateColumns,
];

const route = getRouteApi('/signed-in/webhooks');

export function Webhooks() {
  const { after = null, ...search } = route.useSearch();
  const { set } = useListState();
  const endpoints = useGraphQuery(webhooksQuery, { after, filter: webhooksFilterOf(search) }, { refetchEveryMs });
  const isFiltered = hasFilter(search);
  return (
    <Screen
      title="Webhooks"
      description="Webhook endpoints of all accounts: URLs that receive events."
      actions={<CreateButton label="Create webhook endpoint" dialog={CreateWebhook} />}
    >
      <div>
        <ListFilters>
          <ChoiceFilter name="status" label="Status" value={search.status} choices={enumOptions(endpointStatuses)} />
          <ChoiceFilter name="failing" label="Last attempt" value={search.failing} choices={failingChoices} />
          <AccountSelect
            label="Account"
            placeholder="All"
            value={search.account ?? null}
            onChange={(account) => set({ account: account ?? undefined })}
            w={{ base: '100%', xs: 220 }}
          />
        </ListFilters>
        <QueryResult query={endpoints} name="webhook endpoints">
          {({ webhookEndpoints: page }) => (
            <DataTable
              label="Webhook endpoints"
              columns={columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={
                isFiltered ? (
                  <NoMatches title="No matching webhook endpoints" />
                ) : (
                  <EmptyState title="No webhook endpoints yet">
                    Accounts create them with their API key. You can create one for an account.
                  </EmptyState>
                )
              }
            />
          )}
        </QueryResult>
      </div>
    </Screen>
  );
}
