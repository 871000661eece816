/** One delivery of a webhook endpoint of the account. */
import { getRouteApi } from '@tanstack/react-router';
import { EventLink } from '../../../components/events/event-link.tsx';
import { useWatch } from '../../../components/use-watch.ts';
import { DeliveryScreen } from '../../../components/webhooks/delivery-screen.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { useWriteAccess } from '../../session/write-access.tsx';

const deliveryQuery = graphql(`
  query OwnWebhookDelivery($endpointId: ID!, $id: ID!) {
    webhookEndpoint(id: $endpointId) {
      id
      url
      status
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
  const { watch, ...interval } = useWatch(refetchEveryMs);
  const query = useGraphQuery(deliveryQuery, { endpointId, id }, interval);
  const { isAllowed, notice } = useWriteAccess('webhooks:write');
  return (
    <DeliveryScreen
      query={query}
      endpointId={endpointId}
      id={id}
      onRequested={watch}
      notice={isAllowed ? null : notice}
      eventLink={(eventId) => <EventLink key="event" id={eventId} />}
    />
  );
}
