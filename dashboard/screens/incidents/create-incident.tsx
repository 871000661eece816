/** The dialog that publishes an incident or announces maintenance. */
import { Modal, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormButtons } from '../../components/form-buttons.tsx';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { emptyIncident, IncidentFields, incidentInputOf, type IncidentValues } from './incident-fields.tsx';

const createMutation = graphql(`
  mutation CreateIncident($input: CreateIncidentInput!) {
    createIncident(input: $input) {
      id
    }
  }
`);

interface DialogProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export const CreateIncident = ({ opened, close }: DialogProps) => (
  <Modal opened={opened} onClose={close} title="Create incident" size="lg">
    {opened && <Form close={close} />}
  </Modal>
);

function Form({ close }: Pick<DialogProps, 'close'>) {
  const navigate = useNavigate();
  const form = useForm<IncidentValues>({ initialValues: emptyIncident });
  const [text, setText] = useState('');
  const { mutate, isPending } = useGraphMutation(createMutation, {
    successMessage: 'Incident published',
    onSuccess: ({ createIncident: { id } }) => {
      close();
      void navigate({ to: '/incidents/$id', params: { id } });
    },
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate({ input: { ...incidentInputOf(values), text } }))}>
      <Stack>
        <IncidentFields form={form} />
        <Textarea
          label="First update"
          description="Public. An empty line starts a paragraph."
          required
          maxLength={5000}
          autosize
          minRows={4}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <FormButtons submit="Publish" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
