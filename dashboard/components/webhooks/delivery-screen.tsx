/** One delivery of a webhook endpoint: details, attempts, and the button that retries it. */
import { Button, Code, Group, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WebhookDeliveryQuery, WebhookEndpointStatus } from '../../generated/graphql.ts';
import { useDataMode } from '../../graph/data-mode.ts';
import type { RequestError } from '../../graph/request-error.ts';
import { CopyableId } from '../copyable-id.tsx';
import { DescriptionList } from '../description-list.tsx';
import { EmptyState } from '../empty-state.tsx';
import { testType } from '../events/event-types.ts';
import { formatCount } from '../number-format.ts';
import { QueryResult } from '../query-result.tsx';
import { Screen } from '../screen.tsx';
import { Section } from '../section.tsx';
import { StatusBadge } from '../status-badge.tsx';
import { TestBadge } from '../test-badge.tsx';
import { Timestamp } from '../timestamp.tsx';
import { Attempts } from './attempts.tsx';
import { useRetryDelivery } from './retry-delivery.ts';
import { WebhookLink } from './webhook-link.tsx';

type DeliveryDetails = NonNullable<WebhookDeliveryQuery['webhookDelivery']>;

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly status: WebhookEndpointStatus;
}

interface Data<Selected extends Endpoint> {
  readonly webhookEndpoint: Selected | null;
  readonly webhookDelivery: DeliveryDetails | null;
}

interface DeliveryScreenProps<Selected extends Endpoint> {
  readonly query: UseQueryResult<Data<Selected>, RequestError>;
  readonly endpointId: string;
  readonly id: string;
  /** Called when the platform accepted a retry. */
  readonly onRequested: () => void;
  /** Replaces the button for a person who cannot retry; null otherwise. */
  readonly notice: ReactNode;
  readonly eventLink: (eventId: string) => ReactNode;
  /** Further details. */
  readonly itemsOf?: (endpoint: Selected) => readonly (readonly [name: string, value: ReactNode])[];
}

export function DeliveryScreen<Selected extends Endpoint>(props: DeliveryScreenProps<Selected>) {
  const { query, endpointId, id, onRequested, notice } = props;
  const mode = useDataMode();
  const { retry, pendingId } = useRetryDelivery(endpointId, onRequested);
  const { webhookDelivery: delivery, webhookEndpoint: endpoint } = query.data ?? {};
  const retryButton = endpoint?.status === 'ENABLED' && (
    <Button loading={pendingId === id} onClick={() => retry(id)}>
      Retry
    </Button>
  );
  return (
    <Screen
      title={delivery ? `Delivery of ${delivery.type}` : 'Delivery'}
      description={
        delivery && (
          <Group component="span" gap="xs">
            <StatusBadge status={delivery.status} />
            <TestBadge mode={mode} />
          </Group>
        )
      }
      actions={delivery && (notice ?? retryButton)}
    >
      <QueryResult query={query} name="delivery">
        {({ webhookDelivery, webhookEndpoint }) =>
          webhookDelivery === null || webhookEndpoint === null ? (
            <EmptyState title="Delivery not found">Deliveries are retained for 30 days.</EmptyState>
          ) : (
            <Stack gap="lg">
              <Details {...props} delivery={webhookDelivery} endpoint={webhookEndpoint} />
              <Attempts attempts={webhookDelivery.attempts} />
            </Stack>
          )
        }
      </QueryResult>
    </Screen>
  );
}

interface DetailsProps<Selected extends Endpoint> extends Pick<DeliveryScreenProps<Selected>, 'eventLink' | 'itemsOf'> {
  readonly delivery: DeliveryDetails;
  readonly endpoint: Selected;
}

const Details = <Selected extends Endpoint>({ delivery, endpoint, eventLink, itemsOf }: DetailsProps<Selected>) => (
  <Section title="Details">
    <DescriptionList
      items={[
        ['Webhook endpoint', <WebhookLink key="endpoint" id={endpoint.id} name={endpoint.url} />],
        ...(itemsOf?.(endpoint) ?? []),
        ['Event ID', delivery.type === testType ? <Code key="event">{delivery.eventId}</Code> : eventLink(delivery.eventId)],
        ['Resource ID', <CopyableId key="resource" label="resource ID" id={delivery.resourceId} />],
        ['Replay', delivery.isReplay ? 'Yes' : 'No'],
        ['Attempts', formatCount(delivery.attemptCount)],
        ['Scheduled', <Timestamp key="scheduled" at={delivery.createdAt} seconds />],
        ['Last attempt', <Timestamp key="last" at={delivery.lastAttemptAt} seconds />],
        ['Next attempt', <Timestamp key="next" at={delivery.nextAttemptAt} seconds fallback="None" />],
      ]}
    />
  </Section>
);
