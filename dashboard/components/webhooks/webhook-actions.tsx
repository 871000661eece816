/** The actions of a webhook endpoint that its status allows, with their dialogs. */
import { Button, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { DeleteWebhook } from './delete-webhook.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import type { WebhookDetails } from './webhook-details.tsx';

const testMutation = graphql(`
  mutation TestWebhookEndpoint($id: ID!) {
    testWebhookEndpoint(id: $id) {
      id
    }
  }
`);
const enableMutation = graphql(`
  mutation EnableWebhookEndpoint($id: ID!) {
    enableWebhookEndpoint(id: $id) {
      id
    }
  }
`);
const disableMutation = graphql(`
  mutation DisableWebhookEndpoint($id: ID!) {
    disableWebhookEndpoint(id: $id) {
      id
    }
  }
`);

interface WebhookActionsProps {
  readonly endpoint: WebhookDetails;
  /** What else an edit affects. */
  readonly editNotice?: ReactNode;
  /** Called when deliveries were requested. */
  readonly onRequested: () => void;
}

type Action = 'EDIT' | 'ROTATE' | 'REPLAY' | 'DISABLE' | 'DELETE';

export function WebhookActions({ endpoint, editNotice, onRequested }: WebhookActionsProps) {
  const [action, setAction] = useState<Action | null>(null);
  const close = (): void => setAction(null);
  const { id, status } = endpoint;
  const test = useGraphMutation(testMutation, { successMessage: 'Test event sent', onSuccess: onRequested });
  const enable = useGraphMutation(enableMutation, { successMessage: 'Webhook endpoint enabled' });
  const disable = useGraphMutation(disableMutation, { successMessage: 'Webhook endpoint disabled', onSuccess: close });
  const isEnabled = status === 'ENABLED';
  return (
    <>
      {!isEnabled && (
        <Button variant="default" loading={enable.isPending} onClick={() => enable.mutate({ id })}>
          Enable
        </Button>
      )}
      <Button variant="default" onClick={() => setAction('EDIT')}>
        Edit
      </Button>
      <Button variant="default" onClick={() => setAction('ROTATE')}>
        Rotate secret
      </Button>
      {isEnabled && (
        <>
          <Button variant="default" onClick={() => setAction('REPLAY')}>
            Replay events
          </Button>
          <Button variant="default" onClick={() => setAction('DISABLE')}>
            Disable
          </Button>
        </>
      )}
      <Button color="red" variant="outline" onClick={() => setAction('DELETE')}>
        Delete
      </Button>
      {isEnabled && (
        <Button loading={test.isPending} onClick={() => test.mutate({ id })}>
          Send test event
        </Button>
      )}
      <EditWebhook endpoint={endpoint} notice={editNotice} opened={action === 'EDIT'} close={close} />
      <RotateSecret id={id} opened={action === 'ROTATE'} close={close} />
      <ReplayDialog id={id} opened={action === 'REPLAY'} close={close} onRequested={onRequested} />
      <DeleteWebhook endpoint={endpoint} opened={action === 'DELETE'} close={close} />
      <ActionDialog
        opened={action === 'DISABLE'}
        close={close}
        title="Disable this webhook endpoint?"
        action="Disable"
        isPending={disable.isPending}
        onConfirm={() => disable.mutate({ id })}
      >
        <Text>
          It gets no new deliveries, and pending ones wait until you enable it again. To send what it misses, replay the events
          afterwards.
        </Text>
      </ActionDialog>
    </>
  );
}
