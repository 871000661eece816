/** The dialog that creates a webhook endpoint for an account. The secret is displayed once and exists in memory only. */
import { Alert, Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { FormButtons } from '../../components/form-buttons.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { AccountSelect } from '../accounts/account-select.tsx';
import { emptyWebhook, WebhookFields, webhookInputOf, type WebhookValues } from '../../components/webhooks/webhook-form.tsx';

const createMutation = graphql(`
  mutation CreateWebhookEndpoint($input: CreateWebhookEndpointInput!, $accountId: ID) {
    createWebhookEndpoint(input: $input, accountId: $accountId) {
      id
      secret
    }
  }
`);

interface DialogProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export function CreateWebhook({ opened, close }: DialogProps) {
  const navigate = useNavigate();
  const form = useForm<WebhookValues>({
    initialValues: emptyWebhook,
    validate: { accountId: (id) => (id === null ? 'Select an account.' : null) },
  });
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
        <form onSubmit={form.onSubmit((values) => create.mutate({ input: webhookInputOf(values), accountId: values.accountId }))}>
          <Stack>
            <AccountSelect
              label="Account"
              placeholder="Search accounts"
              required
              activeOnly
              autoFocus
              {...form.getInputProps('accountId')}
              value={form.values.accountId}
            />
            <WebhookFields form={form} />
            <Alert color="blue" icon={<IconInfoCircle />}>
              Deliveries contain no data of minors until a key of the account updates the webhook endpoint.
            </Alert>
            <FormButtons submit="Create" isPending={create.isPending} cancel={close} />
          </Stack>
        </form>
      </Modal>
      <SecretDialog kind="WEBHOOK" title="Webhook endpoint created" secret={created?.secret ?? null} close={openEndpoint} />
    </>
  );
}
