/** The dialog that changes the name or the role of an administrator. */
import { Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useGraphMutation } from '../../graph/operations.ts';
import { enumLabel } from '../../components/enum-label.ts';
import { FormButtons } from '../../components/form-buttons.tsx';
import { violationsByField } from '../../graph/request-error.ts';
import { graphql } from '../../graph/graphql.ts';
import { EditConflict, ReloadableForm, isEditConflict } from '../../components/edit-conflict.tsx';
import type { Administrator } from './administrators.tsx';
import { RoleField } from './role-field.tsx';

const updateMutation = graphql(`
  mutation UpdateAdministrator($id: ID!, $input: UpdateAdministratorInput!, $ifMatch: String!) {
    updateAdministrator(id: $id, input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);

interface EditAdministratorProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly administrator: Administrator;
}

export const EditAdministrator = ({ opened, close, administrator }: EditAdministratorProps) => (
  <Modal opened={opened} onClose={close} title={`Edit ${administrator.name}`}>
    {opened && (
      <ReloadableForm>{(reload) => <Form close={close} administrator={administrator} reload={reload} />}</ReloadableForm>
    )}
  </Modal>
);

interface FormProps extends Omit<EditAdministratorProps, 'opened'> {
  readonly reload: () => void;
}

const fieldsOf = ({ name, role }: Pick<Administrator, 'name' | 'role'>) => ({ Name: name, Role: enumLabel(role) });

function Form({ close, reload, administrator: latest }: FormProps) {
  const { id, version, name, role } = latest;
  const form = useForm({ initialValues: { name, role } });
  const update = useGraphMutation(updateMutation, {
    onSuccess: close,
    successMessage: 'Administrator updated',
    onError: (error) => {
      form.setErrors(violationsByField(error));
      return isEditConflict(error);
    },
  });
  // the version at the time the form was opened, so that later changes are not overwritten
  const [ifMatch] = useState(String(version));
  return (
    <form onSubmit={form.onSubmit((input) => update.mutate({ id, input, ifMatch }))}>
      <Stack>
        {isEditConflict(update.error) && (
          <EditConflict
            reload={reload}
            latest={String(version) === ifMatch ? null : fieldsOf(latest)}
            yours={fieldsOf(form.values)}
          />
        )}
        <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <RoleField {...form.getInputProps('role')} />
        <FormButtons submit="Save" isPending={update.isPending} cancel={close} />
      </Stack>
    </form>
  );
}
