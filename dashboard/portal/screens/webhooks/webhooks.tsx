/** The list of the webhook endpoints of the account. Its filters are stored in the URL. */
import { Anchor, Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { enumOptions } from '../../../components/enum-label.ts';
import { ChoiceFilter, ListFilters } from '../../../components/list-filters.tsx';
import { hasFilter } from '../../../components/list-search.ts';
import { NoMatches } from '../../../components/no-matches.tsx';
import { formatCount } from '../../../components/number-format.ts';
import { QueryResult } from '../../../components/query-result.tsx';
import { Screen } from '../../../components/screen.tsx';
import { endpointColumn, endpointStateColumns, failingChoices } from '../../../components/webhooks/endpoint-columns.tsx';
import { endpointFilterOf, endpointStatuses } from '../../../components/webhooks/webhook-search.ts';
import { useDataMode } from '../../../graph/data-mode.ts';
import { useGraphQuery } from '../../../graph/operations.ts';
import type { OwnWebhookEndpointsQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { useWriteAccess } from '../../session/write-access.tsx';
import { ModeSwitch } from '../../shell/mode-switch.tsx';
import { CreateWebhook } from './create-webhook.tsx';

const webhooksQuery = graphql(`
  query OwnWebhookEndpoints($after: String, $filter: WebhookEndpointFilter) {
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
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Endpoint = NonNullable<OwnWebhookEndpointsQuery['webhookEndpoints']>['nodes'][number];

const columns: readonly Column<Endpoint>[] = [endpointColumn, ...endpointStateColumns];

const route = getRouteApi('/signed-in/webhooks');

export function Webhooks() {
  const { after = null, mode: _, ...search } = route.useSearch();
  const endpoints = useGraphQuery(webhooksQuery, { after, filter: endpointFilterOf(search) }, { refetchEveryMs });
  const { isAllowed, notice, webhooksMax, ...access } = useWriteAccess('webhooks:write');
  // test data needs no key of the platform
  const hasKey = useDataMode() === 'TEST' || access.hasKey;
  const [creating, setCreating] = useState(false);
  const createButton = isAllowed && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)} disabled={!hasKey}>
      Create webhook endpoint
    </Button>
  );
  return (
    <Screen
      title="Webhooks"
      description={<Description webhooksMax={webhooksMax} />}
      actions={
        <Group gap="xs">
          <ModeSwitch />
          {isAllowed ? createButton : notice}
        </Group>
      }
    >
      <div>
        <ListFilters>
          <ChoiceFilter name="status" label="Status" value={search.status} choices={enumOptions(endpointStatuses)} />
          <ChoiceFilter name="failing" label="Last attempt" value={search.failing} choices={failingChoices} />
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
                hasFilter(search) ? (
                  <NoMatches title="No matching webhook endpoints" />
                ) : (
                  <NoEndpoints isAllowed={isAllowed} hasKey={hasKey} createButton={createButton} />
                )
              }
            />
          )}
        </QueryResult>
      </div>
      <CreateWebhook opened={creating} close={() => setCreating(false)} />
    </Screen>
  );
}

const Description = ({ webhooksMax }: { readonly webhooksMax: number | null }) => (
  <>
    {useDataMode() === 'TEST'
      ? 'URLs that receive the events of your test data. Test keys of the account have the same ones. '
      : 'URLs that receive the events of the account. '}
    {webhooksMax !== null && `Your plan includes ${formatCount(webhooksMax)} webhook endpoints. `}
    <Anchor inherit href="/docs/guides/webhook-receivers" underline="always">
      Verify deliveries
    </Anchor>
  </>
);

interface NoEndpointsProps {
  readonly isAllowed: boolean;
  readonly hasKey: boolean;
  readonly createButton: ReactNode;
}

function NoEndpoints({ isAllowed, hasKey, createButton }: NoEndpointsProps) {
  if (isAllowed && !hasKey)
    return (
      <EmptyState
        title="No webhook endpoints yet"
        action={<Button renderRoot={(props) => <Link to="/keys/create" {...props} />}>Create API key</Button>}
      >
        Webhook endpoints need a valid API key of the account. Create a key first.
      </EmptyState>
    );
  return (
    <EmptyState title="No webhook endpoints yet" action={createButton}>
      {isAllowed
        ? 'Create one to receive events as they happen.'
        : 'An owner or developer creates them, in a plan with write access.'}
    </EmptyState>
  );
}
