/** The dialogs that add an update to an incident and edit it. */
import { Modal, Select, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { EditConflict, isEditConflict, ReloadableForm, type ConflictFields } from '../../components/edit-conflict.tsx';
import { enumLabel, enumOptions } from '../../components/enum-label.ts';
import { FormButtons } from '../../components/form-buttons.tsx';
import { minuteOfInstant } from '../../components/instant.ts';
import type { IncidentStatus } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import type { IncidentDetails } from './incident.tsx';
import { IncidentFields, incidentInputOf, statusesOf, type IncidentValues } from './incident-fields.tsx';

const addUpdateMutation = graphql(`
  mutation AddIncidentUpdate($id: ID!, $input: IncidentUpdateInput!) {
    addIncidentUpdate(id: $id, input: $input) {
      id
    }
  }
`);

const updateMutation = graphql(`
  mutation UpdateIncident($id: ID!, $input: UpdateIncidentInput!, $ifMatch: String!) {
    updateIncident(id: $id, input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);

interface DialogProps {
  readonly incident: IncidentDetails;
  readonly opened: boolean;
  readonly close: () => void;
}

export const AddIncidentUpdate = ({ incident, opened, close }: DialogProps) => (
  <Modal opened={opened} onClose={close} title="Add update" size="lg">
    {opened && <UpdateForm incident={incident} close={close} />}
  </Modal>
);

function UpdateForm({ incident: { id, impact, status }, close }: Omit<DialogProps, 'opened'>) {
  const form = useForm<{ status: IncidentStatus; text: string }>({ initialValues: { status, text: '' } });
  const { mutate, isPending } = useGraphMutation(addUpdateMutation, {
    successMessage: 'Update published',
    onSuccess: close,
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  return (
    <form onSubmit={form.onSubmit((input) => mutate({ id, input }))}>
      <Stack>
        <Select
          label="Status"
          required
          allowDeselect={false}
          data={enumOptions(statusesOf(impact))}
          {...form.getInputProps('status')}
        />
        <Textarea
          data-autofocus
          label="Update"
          description="Public. An empty line starts a paragraph."
          required
          maxLength={5000}
          autosize
          minRows={4}
          {...form.getInputProps('text')}
        />
        <FormButtons submit="Publish" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}

export const EditIncident = ({ incident, opened, close }: DialogProps) => (
  <Modal opened={opened} onClose={close} title="Edit incident" size="lg">
    {opened && <ReloadableForm>{(reload) => <EditForm incident={incident} close={close} reload={reload} />}</ReloadableForm>}
  </Modal>
);

const valuesOf = ({ title, impact, components, startedAt, endsAt }: IncidentDetails): IncidentValues => ({
  title,
  impact,
  components: [...components],
  startedAt: minuteOfInstant(startedAt),
  endsAt: minuteOfInstant(endsAt),
});

const fieldsOf = ({ title, impact, components, startedAt, endsAt }: IncidentValues): ConflictFields => ({
  Title: title,
  Impact: enumLabel(impact),
  Components: components.map(enumLabel).sort().join('\n'),
  'Started at (UTC)': startedAt,
  'Ends at (UTC)': endsAt,
});

interface EditFormProps extends Omit<DialogProps, 'opened'> {
  readonly reload: () => void;
}

function EditForm({ incident, close, reload }: EditFormProps) {
  // the version at the time the form was opened, even when the query refetches
  const [initial] = useState(incident);
  const { startedAt } = initial;
  const form = useForm<IncidentValues>({ initialValues: valuesOf(initial) });
  const { mutate, isPending, error } = useGraphMutation(updateMutation, {
    successMessage: 'Incident updated',
    onSuccess: close,
    onError: (requestError) => {
      form.setErrors(violationsByField(requestError));
      return isEditConflict(requestError);
    },
  });
  const submit = (values: IncidentValues): void => {
    // the field has no seconds, so an unchanged start is not sent
    const isSameStart = values.startedAt === minuteOfInstant(startedAt);
    const input = incidentInputOf(isSameStart ? { ...values, startedAt: '' } : values);
    mutate({ id: initial.id, ifMatch: String(initial.version), input });
  };
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {isEditConflict(error) && (
          <EditConflict
            reload={reload}
            latest={incident.version === initial.version ? null : fieldsOf(valuesOf(incident))}
            yours={fieldsOf(form.values)}
          />
        )}
        <IncidentFields form={form} />
        <FormButtons submit="Save" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
