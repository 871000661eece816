/** One delivery of a webhook endpoint, with the account and a link to the event. */
import { getRouteApi } from '@tanstack/react-router';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { EventLink } from '../../components/events/event-link.tsx';
import { AccountLink } from '../../components/links.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { useWatch } from '../../components/use-watch.ts';
import { DeliveryScreen } from '../../components/webhooks/delivery-screen.tsx';
import { useHasScope } from '../../session/session.ts';

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

const route = getRouteApi('/signed-in/webhooks/$id/deliveries/$delivery');

export function Delivery() {
  const { id: endpointId, delivery: id } = route.useParams();
  const { watch, ...interval } = useWatch();
  const query = useGraphQuery(deliveryQuery, { endpointId, id }, interval);
  const canRetry = useHasScope('webhooks:write');
  return (
    <DeliveryScreen
      query={query}
      endpointId={endpointId}
      id={id}
      onRequested={watch}
      notice={canRetry ? null : <ReadOnlyNotice />}
      eventLink={(eventId) => <EventLink key="event" id={eventId} />}
      itemsOf={({ account }) => [['Account', <AccountLink key="account" {...account} />]]}
    />
  );
}
