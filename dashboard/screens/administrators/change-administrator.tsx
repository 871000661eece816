/** Changes the name or the role of an administrator. */
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../../graph/ask.ts';
import { violationsByField } from '../../graph/failure.ts';
import { graphql } from '../../graph/graphql.ts';
import { ChangedMeanwhile, Fresh, isChangedMeanwhile } from '../../parts/changed-meanwhile.tsx';
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
  <Modal opened={opened} onClose={close} title={`Change ${who.name}`}>
    {opened && <Fresh>{(reload) => <Form close={close} who={who} reload={reload} />}</Fresh>}
  </Modal>
);

interface FormProps extends Omit<ChangeProps, 'opened'> {
  readonly reload: () => void;
}

function Form({ close, reload, who: { id, version, name, role } }: FormProps) {
  const form = useForm({ initialValues: { name, role } });
  const update = useChange(updateMutation, {
    done: close,
    said: 'Changed',
    refused: (failure) => {
      form.setErrors(violationsByField(failure));
      return isChangedMeanwhile(failure);
    },
  });
  // what was read when the form was opened: whoever changed it since is not overwritten
  const [ifMatch] = useState(String(version));
  return (
    <form onSubmit={form.onSubmit((input) => update.mutate({ id, input, ifMatch }))}>
      <Stack>
        {isChangedMeanwhile(update.error) && <ChangedMeanwhile reload={reload} />}
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
