/** One delivery of a webhook endpoint: details, and its attempts with the start of each request and response. */
import { Accordion, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { WebhookDeliveryQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyableId } from '../../components/copyable-id.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { AccountLink, WebhookLink } from '../../components/links.tsx';
import { formatCount, formatDuration } from '../../components/number-format.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatUtc, Timestamp } from '../../components/timestamp.tsx';
import { useWatch } from '../../components/use-watch.ts';
import { useHasScope } from '../../session/session.ts';
import { testType } from '../events/event-types.ts';
import { useRetryDelivery } from './retry-delivery.ts';

const deliveryQuery = graphql(`
  query WebhookDelivery($endpointId: ID!, $id: ID!) {
    webhookEndpoint(id: $endpointId) {
      id
      url
      status
      account {
        id
        name
      }
    }
    webhookDelivery(endpointId: $endpointId, id: $id) {
      id
      createdAt
      eventId
      type
      resourceId
      isReplay
      status
      attemptCount
      lastAttemptAt
      nextAttemptAt
      attempts {
        number
        at
        status
        durationMs
        error
        detail
        request
        response
      }
    }
  }
`);

type DeliveryDetails = NonNullable<WebhookDeliveryQuery['webhookDelivery']>;
type Endpoint = NonNullable<WebhookDeliveryQuery['webhookEndpoint']>;
type Attempt = DeliveryDetails['attempts'][number];

const route = getRouteApi('/signed-in/webhooks/$id/deliveries/$delivery');

export function Delivery() {
  const { id: endpointId, delivery: id } = route.useParams();
  const { watch, ...interval } = useWatch();
  const query = useGraphQuery(deliveryQuery, { endpointId, id }, interval);
  const canRetry = useHasScope('webhooks:write');
  const { retry, pendingId } = useRetryDelivery(endpointId, watch);
  const { webhookDelivery: delivery, webhookEndpoint: endpoint } = query.data ?? {};
  const retryButton = endpoint?.status === 'ENABLED' && (
    <Button loading={pendingId === id} onClick={() => retry(id)}>
      Retry
    </Button>
  );
  return (
    <Screen
      title={delivery ? `Delivery of ${delivery.type}` : 'Delivery'}
      description={delivery && <StatusBadge status={delivery.status} />}
      actions={delivery && (canRetry ? retryButton : <ReadOnlyNotice />)}
    >
      <QueryResult query={query} name="delivery">
        {({ webhookDelivery, webhookEndpoint }) =>
          webhookDelivery === null || webhookEndpoint === null ? (
            <EmptyState title="Delivery not found">Deliveries are retained for 30 days.</EmptyState>
          ) : (
            <Stack gap="lg">
              <Details delivery={webhookDelivery} endpoint={webhookEndpoint} />
              <Attempts attempts={webhookDelivery.attempts} />
            </Stack>
          )
        }
      </QueryResult>
    </Screen>
  );
}

interface DetailsProps {
  readonly delivery: DeliveryDetails;
  readonly endpoint: Endpoint;
}

const EventLink = ({ id }: { readonly id: string }) => (
  <Anchor
    inherit
    underline="always"
    ff="monospace"
    renderRoot={(props) => <Link to="/events" search={{ event: id }} {...props} />}
  >
    {id}
  </Anchor>
);

const Details = ({ delivery, endpoint }: DetailsProps) => (
  <Section title="Details">
    <DescriptionList
      items={[
        ['Webhook endpoint', <WebhookLink key="endpoint" id={endpoint.id} name={endpoint.url} />],
        ['Account', <AccountLink key="account" {...endpoint.account} />],
        [
          'Event ID',
          delivery.type === testType ? (
            <Code key="event">{delivery.eventId}</Code>
          ) : (
            <EventLink key="event" id={delivery.eventId} />
          ),
        ],
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

function Attempts({ attempts }: Pick<DeliveryDetails, 'attempts'>) {
  const latestFirst = attempts.toReversed();
  return (
    <Section title="Attempts">
      <Accordion
        key={latestFirst[0]?.number}
        multiple
        keepMounted={false}
        order={3}
        variant="separated"
        defaultValue={latestFirst.slice(0, 1).map(({ number }) => `${number}`)}
      >
        {latestFirst.map((attempt) => (
          <Accordion.Item key={attempt.number} value={`${attempt.number}`}>
            <Accordion.Control>
              <Group gap="sm">
                <Text component="span" inherit fw={600}>
                  Attempt {attempt.number}
                </Text>
                <StatusBadge status={attempt.error === null ? 'SUCCEEDED' : 'FAILED'} />
                <Text component="span" size="sm" c="dimmed">
                  {formatUtc(attempt.at, true)}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <AttemptDetails attempt={attempt} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Section>
  );
}

/** What the panel displays instead of a text that is absent. */
function missingResponse({ status }: Attempt): string {
  return status === null ? 'No response.' : 'Deleted, because the visibility of a resource changed.';
}

const AttemptDetails = ({ attempt }: { readonly attempt: Attempt }) => (
  <Stack>
    <DescriptionList
      items={[
        ['Time', <Timestamp key="at" at={attempt.at} seconds />],
        ['HTTP status', attempt.status ?? 'None'],
        ['Duration', formatDuration(attempt.durationMs)],
        ['Error', attempt.error && enumLabel(attempt.error)],
        ['Description of the error', attempt.detail],
      ]}
    />
    <CodeBlock
      label="Request body, first 1,024 bytes"
      text={attempt.request ?? 'Deleted, because the visibility of a resource changed.'}
    />
    <CodeBlock
      label="Response body, first 1,024 bytes"
      text={attempt.response === '' ? 'Empty.' : (attempt.response ?? missingResponse(attempt))}
    />
  </Stack>
);
