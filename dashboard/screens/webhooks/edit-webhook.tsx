/** The dialog that edits a webhook endpoint. */
import { Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { EditConflict, isEditConflict, ReloadableForm } from '../../components/edit-conflict.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { emptyWebhook, WebhookFields, webhookInputOf, type WebhookValues } from './webhook-form.tsx';
import type { WebhookDetails } from './webhook.tsx';

const updateMutation = graphql(`
  mutation UpdateWebhookEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!, $ifMatch: String!) {
    updateWebhookEndpoint(id: $id, input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);

interface EditWebhookProps {
  readonly endpoint: WebhookDetails;
  readonly opened: boolean;
  readonly close: () => void;
}

export const EditWebhook = ({ endpoint, opened, close }: EditWebhookProps) => (
  <Modal opened={opened} onClose={close} title="Edit webhook endpoint" size="lg">
    {opened && <ReloadableForm>{(reload) => <EditForm endpoint={endpoint} close={close} reload={reload} />}</ReloadableForm>}
  </Modal>
);

interface EditFormProps extends Omit<EditWebhookProps, 'opened'> {
  readonly reload: () => void;
}

function EditForm({ endpoint, close, reload }: EditFormProps) {
  // the version at the time the form was opened, even when the query refetches
  const [initial] = useState(endpoint);
  const form = useForm<WebhookValues>({
    initialValues: {
      ...emptyWebhook,
      url: initial.url,
      description: initial.description ?? '',
      types: [...initial.types],
      areas: [...initial.areas],
      sports: [...initial.sports],
      competitionIds: initial.competitionIds.join('\n'),
      organizationIds: initial.organizationIds.join('\n'),
    },
  });
  const { mutate, isPending, error } = useGraphMutation(updateMutation, {
    successMessage: 'Webhook endpoint updated',
    onSuccess: close,
    onError: (requestError) => {
      form.setErrors(violationsByField(requestError));
      return isEditConflict(requestError);
    },
  });
  const submit = (values: WebhookValues): void =>
    mutate({ id: initial.id, ifMatch: String(initial.version), input: webhookInputOf(values) });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <WebhookFields form={form} />
        {isEditConflict(error) && <EditConflict reload={reload} />}
        <FormButtons submit="Save" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
