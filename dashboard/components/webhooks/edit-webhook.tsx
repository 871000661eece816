/** The dialog that edits a webhook endpoint. */
import { sports } from '../../../schema/sports.ts';
import { Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState, type ReactNode } from 'react';
import { EditConflict, isEditConflict, ReloadableForm, type ConflictFields } from '../edit-conflict.tsx';
import { FormButtons } from '../form-buttons.tsx';
import { enumLabel } from '../enum-label.ts';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { emptyWebhook, WebhookFields, webhookInputOf, type WebhookValues } from './webhook-form.tsx';
import type { WebhookDetails } from './webhook-details.tsx';

const updateMutation = graphql(`
  mutation UpdateWebhookEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!, $ifMatch: String!) {
    updateWebhookEndpoint(id: $id, input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);

interface EditWebhookProps {
  readonly endpoint: WebhookDetails;
  /** What else the change affects. */
  readonly notice?: ReactNode;
  readonly opened: boolean;
  readonly close: () => void;
}

export const EditWebhook = ({ opened, close, ...rest }: EditWebhookProps) => (
  <Modal opened={opened} onClose={close} title="Edit webhook endpoint" size="lg">
    {opened && <ReloadableForm>{(reload) => <EditForm {...rest} close={close} reload={reload} />}</ReloadableForm>}
  </Modal>
);

const valuesOf = (endpoint: WebhookDetails): WebhookValues => ({
  ...emptyWebhook,
  url: endpoint.url,
  description: endpoint.description ?? '',
  types: [...endpoint.types],
  areas: [...endpoint.areas],
  sports: [...endpoint.sports],
  competitionIds: endpoint.competitionIds.join('\n'),
  organizationIds: endpoint.organizationIds.join('\n'),
});

const fieldsOf = (values: WebhookValues): ConflictFields => ({
  URL: values.url,
  Description: values.description,
  'Event types': [...values.types].sort().join('\n'),
  Areas: values.areas.map(enumLabel).sort().join('\n'),
  Sports: values.sports
    .map((sport) => sports[sport].title)
    .sort()
    .join('\n'),
  'Competition IDs': values.competitionIds.trim(),
  'Organization IDs': values.organizationIds.trim(),
});

interface EditFormProps extends Omit<EditWebhookProps, 'opened'> {
  readonly reload: () => void;
}

function EditForm({ endpoint, notice, close, reload }: EditFormProps) {
  // the version at the time the form was opened, even when the query refetches
  const [initial] = useState(endpoint);
  const form = useForm<WebhookValues>({
    initialValues: valuesOf(initial),
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
        {isEditConflict(error) && (
          <EditConflict
            reload={reload}
            latest={endpoint.version === initial.version ? null : fieldsOf(valuesOf(endpoint))}
            yours={fieldsOf(form.values)}
          />
        )}
        <WebhookFields form={form} autoFocus />
        {notice}
        <FormButtons submit="Save" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
