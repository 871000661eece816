/** Changes the name or the role of an administrator. */
import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../graph/ask.ts';
import { faultsByField } from '../graph/failure.ts';
import { graphql } from '../graph/graphql.ts';
import type { Administrator } from './administrators.tsx';
import { RoleChoice } from './role-choice.tsx';

const updateMutation = graphql(`
  mutation UpdateAdministrator($id: ID!, $input: UpdateAdministratorInput!, $ifMatch: String!) {
    updateAdministrator(id: $id, input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);

interface ChangeProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly who: Administrator;
}

export const ChangeAdministrator = ({ opened, close, who }: ChangeProps) => (
  <Modal opened={opened} onClose={close} title={`Change ${who.name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
    {opened && <Form close={close} who={who} />}
  </Modal>
);

function Form({ close, who: { id, version, name, role } }: Omit<ChangeProps, 'opened'>) {
  const form = useForm({ initialValues: { name, role } });
  const update = useChange(updateMutation, {
    done: close,
    said: 'Changed',
    refused: (failure) => form.setErrors(faultsByField(failure)),
  });
  // what was read when the form was opened: whoever changed it since is not overwritten
  const [ifMatch] = useState(String(version));
  return (
    <form onSubmit={form.onSubmit((input) => update.mutate({ id, input, ifMatch }))}>
      <Stack>
        {update.error?.code === 'precondition_failed' && (
          <Alert color="orange" role="alert">
            Somebody changed this meanwhile, and nothing was overwritten. Close, look, and change it again.
          </Alert>
        )}
        <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <RoleChoice {...form.getInputProps('role')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={update.isPending}>
            Change
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
