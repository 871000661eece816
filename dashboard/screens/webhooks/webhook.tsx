/** One webhook endpoint: details, secrets, deliveries, history and actions. */
import { getRouteApi } from '@tanstack/react-router';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { History } from '../../components/history.tsx';
import { AccountLink } from '../../components/links.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { useWatch } from '../../components/use-watch.ts';
import { Deliveries } from '../../components/webhooks/deliveries.tsx';
import { WebhookActions } from '../../components/webhooks/webhook-actions.tsx';
import { WebhookDescription, WebhookHeader, WebhookSecrets } from '../../components/webhooks/webhook-details.tsx';
import { webhookName } from '../../components/webhooks/webhook-status.ts';
import { useHasScope } from '../../session/session.ts';

const webhookQuery = graphql(`
  query WebhookEndpoint($id: ID!) {
    webhookEndpoint(id: $id) {
      id
      version
      createdAt
      updatedAt
      url
      description
      types
      areas
      sports
      competitionIds
      organizationIds
      scopes
      status
      disabledReason
      disabledAt
      failingSince
      lastSuccessAt
      secrets {
        prefix
        createdAt
        expiresAt
      }
      account {
        id
        name
      }
    }
  }
`);

const route = getRouteApi('/signed-in/webhooks/$id');

export function Webhook() {
  const { id } = route.useParams();
  const canEdit = useHasScope('webhooks:write');
  const { watch, ...interval } = useWatch();
  const query = useGraphQuery(webhookQuery, { id }, interval);
  const endpoint = query.data?.webhookEndpoint;
  return (
    <Screen
      title={endpoint ? webhookName(endpoint) : 'Webhook endpoint'}
      description={endpoint && <WebhookHeader endpoint={endpoint} />}
      actions={endpoint && (canEdit ? <WebhookActions endpoint={endpoint} onRequested={watch} /> : <ReadOnlyNotice />)}
    >
      <QueryResult query={query} name="webhook endpoint">
        {({ webhookEndpoint }) =>
          webhookEndpoint === null ? (
            <EmptyState title="Webhook endpoint not found" />
          ) : (
            <WebhookDescription
              endpoint={webhookEndpoint}
              items={[['Account', <AccountLink key="account" {...webhookEndpoint.account} />]]}
            />
          )
        }
      </QueryResult>
      {endpoint && (
        <>
          <Deliveries endpoint={endpoint} canRetry={canEdit} interval={interval} onRequested={watch} />
          <WebhookSecrets secrets={endpoint.secrets} />
          <History resourceType="webhook_endpoint" resourceId={id} />
        </>
      )}
    </Screen>
  );
}
