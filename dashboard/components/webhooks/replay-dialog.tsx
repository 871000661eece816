/** The dialog that sends the events of a period to a webhook endpoint again. */
import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormButtons } from '../form-buttons.tsx';
import { instantOf, minuteOf } from '../instant.ts';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { TypesField } from './webhook-form.tsx';

const replayMutation = graphql(`
  mutation ReplayWebhookEvents($id: ID!, $input: ReplayWebhookEventsInput!) {
    replayWebhookEvents(id: $id, input: $input) {
      id
    }
  }
`);

interface ReplayDialogProps {
  readonly id: string;
  readonly opened: boolean;
  readonly close: () => void;
  readonly onRequested: () => void;
}

export const ReplayDialog = ({ opened, close, ...rest }: ReplayDialogProps) => (
  <Modal opened={opened} onClose={close} title="Replay events">
    {opened && <ReplayForm close={close} {...rest} />}
  </Modal>
);

const hourMs = 3_600_000;

interface Values {
  /** Minutes in UTC. */
  readonly since: string;
  readonly until: string;
  readonly types: string[];
}

function ReplayForm({ id, close, onRequested }: Omit<ReplayDialogProps, 'opened'>) {
  const form = useForm<Values>({
    initialValues: { since: minuteOf(Date.now() - hourMs), until: '', types: [] },
    validate: { since: (since) => (instantOf(since) === null ? 'Enter a date and time.' : null) },
  });
  const replay = useGraphMutation(replayMutation, {
    successMessage: 'Replay requested',
    onSuccess: () => {
      onRequested();
      close();
    },
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  const submit = ({ since, until, types }: Values): void => {
    const start = instantOf(since);
    if (start === null) return;
    replay.mutate({ id, input: { since: start, until: instantOf(until), ...(types.length > 0 && { types }) } });
  };
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Text>
          The events of the period are sent again with the same IDs, rendered as the account reads them now. At most 10,000 events
          of the last 30 days.
        </Text>
        <TextInput data-autofocus type="datetime-local" label="From (UTC)" required {...form.getInputProps('since')} />
        <TextInput type="datetime-local" label="To (UTC)" description="Default: now." {...form.getInputProps('until')} />
        <TypesField label="Event types" {...form.getInputProps('types')} value={form.values.types} />
        <FormButtons submit="Replay" isPending={replay.isPending} cancel={close} />
      </Stack>
    </form>
  );
}
