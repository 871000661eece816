/** The dialog that creates a webhook endpoint. The secret is displayed once and exists in memory only. */
import { Alert, Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { FormButtons } from '../../../components/form-buttons.tsx';
import { SecretDialog } from '../../../components/secret-dialog.tsx';
import { emptyWebhook, WebhookFields, webhookInputOf, type WebhookValues } from '../../../components/webhooks/webhook-form.tsx';
import { useGraphMutation } from '../../../graph/operations.ts';
import { violationsByField } from '../../../graph/request-error.ts';
import { graphql } from '../../graphql.ts';

const createMutation = graphql(`
  mutation CreateOwnWebhookEndpoint($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) {
      id
      secret
    }
  }
`);

interface CreateWebhookProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export function CreateWebhook({ opened, close }: CreateWebhookProps) {
  const navigate = useNavigate();
  const form = useForm<WebhookValues>({ initialValues: emptyWebhook });
  const create = useGraphMutation(createMutation, {
    isSecret: true,
    onSuccess: close,
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  const created = create.data?.createWebhookEndpoint;
  const openEndpoint = (): void => {
    if (created) void navigate({ to: '/webhooks/$id', params: { id: created.id } });
    create.reset();
    form.reset();
  };
  return (
    <>
      <Modal opened={opened} onClose={close} title="Create webhook endpoint" size="lg">
        <form onSubmit={form.onSubmit((values) => create.mutate({ input: webhookInputOf(values) }))}>
          <Stack>
            <WebhookFields form={form} autoFocus />
            <Alert color="blue" icon={<IconInfoCircle />}>
              Deliveries contain no data of minors until a key with the scope minors:read updates the webhook endpoint.
            </Alert>
            <FormButtons submit="Create" isPending={create.isPending} cancel={close} />
          </Stack>
        </form>
      </Modal>
      <SecretDialog kind="WEBHOOK" title="Webhook endpoint created" secret={created?.secret ?? null} close={openEndpoint} />
    </>
  );
}
