/** The dialog that replaces the secret of a webhook endpoint. The previous secret signs deliveries for 24 hours more. */
import { Text } from '@mantine/core';
import { ActionDialog } from '../action-dialog.tsx';
import { SecretDialog } from '../secret-dialog.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';

const rotateMutation = graphql(`
  mutation RotateWebhookSecret($id: ID!) {
    rotateWebhookSecret(id: $id) {
      id
      secret
    }
  }
`);

interface RotateSecretProps {
  readonly id: string;
  readonly opened: boolean;
  readonly close: () => void;
}

export function RotateSecret({ id, opened, close }: RotateSecretProps) {
  const rotate = useGraphMutation(rotateMutation, { isSecret: true, onSuccess: close });
  return (
    <>
      <ActionDialog
        opened={opened}
        close={close}
        title="Rotate the secret?"
        action="Rotate"
        isPending={rotate.isPending}
        onConfirm={() => rotate.mutate({ id })}
      >
        <Text>
          The new secret is displayed once. For 24 hours, deliveries have the signatures of both secrets. Older secrets end at
          once.
        </Text>
      </ActionDialog>
      <SecretDialog
        kind="WEBHOOK"
        title="New secret created"
        secret={rotate.data?.rotateWebhookSecret.secret ?? null}
        close={rotate.reset}
      />
    </>
  );
}
