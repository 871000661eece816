/** The deliveries of a webhook endpoint, with filters and retries. */
import { Anchor, Badge, Button, Group } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { WebhookDeliveriesQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { DataTable, type Column } from '../data-table.tsx';
import { EmptyState } from '../empty-state.tsx';
import { NoMatches } from '../no-matches.tsx';
import { enumOptions } from '../enum-label.ts';
import { ChoiceFilter, ListFilters, TimeFilter } from '../list-filters.tsx';
import { formatCount } from '../number-format.ts';
import { hasFilter } from '../list-search.ts';
import { QueryResult } from '../query-result.tsx';
import { Section } from '../section.tsx';
import { StatusBadge } from '../status-badge.tsx';
import { Timestamp } from '../timestamp.tsx';
import { deliveryTypes } from '../events/event-types.ts';
import { useRetryDelivery } from './retry-delivery.ts';
import type { WebhookDetails } from './webhook-details.tsx';
import { deliveryFilterOf, deliveryStatuses } from './webhook-search.ts';

const deliveriesQuery = graphql(`
  query WebhookDeliveries($endpointId: ID!, $after: String, $filter: WebhookDeliveryFilter) {
    webhookDeliveries(endpointId: $endpointId, first: 25, after: $after, filter: $filter) {
      nodes {
        id
        createdAt
        type
        isReplay
        status
        attemptCount
        lastAttemptAt
        nextAttemptAt
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Delivery = NonNullable<WebhookDeliveriesQuery['webhookDeliveries']>['nodes'][number];

const columnsOf = (endpointId: string): readonly Column<Delivery>[] => [
  {
    title: 'Event',
    cell: ({ id, type }) => (
      <Anchor
        inherit
        underline="always"
        ff="monospace"
        fz="sm"
        renderRoot={(props) => (
          <Link to="/webhooks/$id/deliveries/$delivery" params={{ id: endpointId, delivery: id }} {...props} />
        )}
      >
        {type}
      </Anchor>
    ),
  },
  {
    title: 'Status',
    cell: ({ status, isReplay }) => (
      <Group gap={4} wrap="nowrap">
        <StatusBadge status={status} />
        {isReplay && (
          <Badge variant="default" tt="none" miw="max-content">
            Replay
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'Attempts', cell: ({ attemptCount }) => formatCount(attemptCount), numeric: true },
  { title: 'Scheduled', cell: ({ createdAt }) => <Timestamp at={createdAt} seconds /> },
  { title: 'Last attempt', cell: ({ lastAttemptAt }) => <Timestamp at={lastAttemptAt} seconds /> },
  { title: 'Next attempt', cell: ({ nextAttemptAt }) => <Timestamp at={nextAttemptAt} seconds /> },
];

interface DeliveriesProps {
  readonly endpoint: WebhookDetails;
  /** Whether the person can retry deliveries. */
  readonly canRetry: boolean;
  readonly interval: { readonly refetchEveryMs: number };
  readonly onRequested: () => void;
}

const route = getRouteApi('/signed-in/webhooks/$id');

export function Deliveries({ endpoint, canRetry, interval, onRequested }: DeliveriesProps) {
  const { after = null, ...search } = route.useSearch();
  const deliveries = useGraphQuery(
    deliveriesQuery,
    { endpointId: endpoint.id, after, filter: deliveryFilterOf(search) },
    interval,
  );
  const { retry, pendingId } = useRetryDelivery(endpoint.id, onRequested);
  const retryColumn: Column<Delivery> = {
    title: 'Actions',
    cell: ({ id, type, createdAt }) => (
      <Button
        size="compact-xs"
        variant="default"
        loading={pendingId === id}
        onClick={() => retry(id)}
        aria-label={`Retry ${type} of ${createdAt}`}
      >
        Retry
      </Button>
    ),
  };
  const columns = columnsOf(endpoint.id);
  const isFiltered = hasFilter(search);
  return (
    <Section title="Deliveries">
      <ListFilters>
        <ChoiceFilter name="status" label="Status" value={search.status} choices={enumOptions(deliveryStatuses)} />
        <ChoiceFilter name="type" label="Event type" value={search.type} choices={deliveryTypes} searchable />
        <TimeFilter name="since" label="From (UTC)" value={search.since} />
      </ListFilters>
      <QueryResult query={deliveries} name="deliveries">
        {({ webhookDeliveries: page }) => (
          <DataTable
            label="Deliveries"
            columns={canRetry && endpoint.status === 'ENABLED' ? [...columns, retryColumn] : columns}
            rows={page?.nodes ?? []}
            rowKey={({ id }) => id}
            pageInfo={page?.pageInfo}
            empty={
              isFiltered ? (
                <NoMatches title="No matching deliveries" />
              ) : (
                <EmptyState title="No deliveries yet">A delivery appears here after its first attempt.</EmptyState>
              )
            }
          />
        )}
      </QueryResult>
    </Section>
  );
}
