/** The dialog that deletes a webhook endpoint, after its name was typed. */
import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { webhookName } from './webhook-status.ts';
import type { WebhookDetails } from './webhook-details.tsx';

const deleteMutation = graphql(`
  mutation DeleteWebhookEndpoint($id: ID!, $ifMatch: String!) {
    deleteWebhookEndpoint(id: $id, ifMatch: $ifMatch) {
      id
    }
  }
`);

interface DeleteWebhookProps {
  readonly endpoint: WebhookDetails;
  readonly opened: boolean;
  readonly close: () => void;
}

export function DeleteWebhook({ endpoint, opened, close }: DeleteWebhookProps) {
  const navigate = useNavigate();
  const { mutate, isPending } = useGraphMutation(deleteMutation, {
    successMessage: 'Webhook endpoint deleted',
    onSuccess: () => void navigate({ to: '/webhooks' }),
  });
  return (
    <ConfirmDialog
      opened={opened}
      close={close}
      title="Delete this webhook endpoint?"
      name={webhookName(endpoint)}
      action="Delete"
      isPending={isPending}
      onConfirm={() => mutate({ id: endpoint.id, ifMatch: String(endpoint.version) })}
    >
      <Text inherit>
        It receives no more events, and its deliveries and secrets are deleted. This cannot be undone. To stop the deliveries for
        a while, disable it instead.
      </Text>
    </ConfirmDialog>
  );
}
