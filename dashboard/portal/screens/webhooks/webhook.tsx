/** One webhook endpoint of the account: details, deliveries, secrets and actions. */
import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../../../components/empty-state.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useWatch } from '../../../components/use-watch.ts';
import { Deliveries } from '../../../components/webhooks/deliveries.tsx';
import { WebhookActions } from '../../../components/webhooks/webhook-actions.tsx';
import { WebhookDescription, WebhookHeader, WebhookSecrets } from '../../../components/webhooks/webhook-details.tsx';
import { webhookName } from '../../../components/webhooks/webhook-status.ts';
import { useGraphQuery } from '../../../graph/operations.ts';
import { graphql } from '../../graphql.ts';
import { refetchEveryMs } from '../../live-data.ts';
import { useWriteAccess } from '../../session/write-access.tsx';

const webhookQuery = graphql(`
  query OwnWebhookEndpoint($id: ID!) {
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
    }
  }
`);

const route = getRouteApi('/signed-in/webhooks/$id');

export function Webhook() {
  const { id } = route.useParams();
  const { isAllowed, notice, scopes } = useWriteAccess('webhooks:write');
  const { watch, ...interval } = useWatch(refetchEveryMs);
  const query = useGraphQuery(webhookQuery, { id }, interval);
  const endpoint = query.data?.webhookEndpoint;
  const lost = endpoint?.scopes.filter((scope) => !scopes.includes(scope)) ?? [];
  return (
    <Screen
      title={endpoint ? webhookName(endpoint) : 'Webhook endpoint'}
      description={endpoint && <WebhookHeader endpoint={endpoint} />}
      actions={
        endpoint &&
        (isAllowed ? (
          <WebhookActions endpoint={endpoint} editNotice={lost.length > 0 && <LostScopes scopes={lost} />} onRequested={watch} />
        ) : (
          notice
        ))
      }
    >
      <QueryResult query={query} name="webhook endpoint">
        {({ webhookEndpoint }) =>
          webhookEndpoint === null ? (
            <EmptyState title="Webhook endpoint not found" />
          ) : (
            <WebhookDescription endpoint={webhookEndpoint} />
          )
        }
      </QueryResult>
      {endpoint && (
        <>
          <Deliveries endpoint={endpoint} canRetry={isAllowed} interval={interval} onRequested={watch} />
          <WebhookSecrets secrets={endpoint.secrets} />
        </>
      )}
    </Screen>
  );
}

const LostScopes = ({ scopes }: { readonly scopes: readonly string[] }) => (
  <Alert color="orange" icon={<IconInfoCircle />} title="Deliveries will contain less data">
    Your role does not have these scopes of the webhook endpoint: {scopes.join(', ')}. Saving removes them. To keep them, update
    the webhook endpoint with the API key that created it.
  </Alert>
);
