/** Creates an account, or changes its facts. */
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../graph/ask.ts';
import { violationsByField } from '../../graph/failure.ts';
import { graphql } from '../../graph/graphql.ts';
import { ChangedMeanwhile, Fresh, isChangedMeanwhile } from '../../parts/changed-meanwhile.tsx';

const createAccountMutation = graphql(`
  mutation CreateAccount($input: CreateAccountInput!) {
    createAccount(input: $input) {
      id
    }
  }
`);
const updateAccountMutation = graphql(`
  mutation UpdateAccount($id: ID!, $input: UpdateAccountInput!, $ifMatch: String!) {
    updateAccount(id: $id, input: $input, ifMatch: $ifMatch) {
      id
    }
  }
`);

interface Values {
  readonly name: string;
  readonly email: string;
  readonly organizationId: string;
}

interface Told {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly email: string | null;
  readonly organizationId: string | null;
}

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const inputOf = ({ name, email, organizationId }: Values) => ({
  name,
  email: textOrNull(email),
  organizationId: textOrNull(organizationId),
});

interface DialogProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export const CreateAccount = ({ opened, close }: DialogProps) => (
  <Modal opened={opened} onClose={close} title="Create account">
    {opened && <CreateForm close={close} />}
  </Modal>
);

function CreateForm({ close }: Pick<DialogProps, 'close'>) {
  const navigate = useNavigate();
  const form = useForm<Values>({ initialValues: { name: '', email: '', organizationId: '' } });
  const { mutate, isPending } = useChange(createAccountMutation, {
    said: 'Account created',
    done: ({ createAccount: { id } }) => {
      close();
      void navigate({ to: '/accounts/$id', params: { id } });
    },
    refused: (failure) => form.setErrors(violationsByField(failure)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate({ input: inputOf(values) }))}>
      <Stack>
        <Fields form={form} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export const EditAccount = ({ opened, close, of }: DialogProps & { readonly of: Told }) => (
  <Modal opened={opened} onClose={close} title="Edit the account">
    {opened && <Fresh>{(reload) => <EditForm of={of} close={close} reload={reload} />}</Fresh>}
  </Modal>
);

interface EditFormProps {
  readonly of: Told;
  readonly close: () => void;
  readonly reload: () => void;
}

function EditForm({ of, close, reload }: EditFormProps) {
  const [read] = useState(of);
  const form = useForm<Values>({
    initialValues: { name: read.name, email: read.email ?? '', organizationId: read.organizationId ?? '' },
  });
  const { mutate, isPending, error } = useChange(updateAccountMutation, {
    said: 'Account changed',
    done: close,
    refused: (failure) => {
      form.setErrors(violationsByField(failure));
      return isChangedMeanwhile(failure);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate({ id: read.id, ifMatch: String(read.version), input: inputOf(values) }))}>
      <Stack>
        <Fields form={form} />
        {isChangedMeanwhile(error) && <ChangedMeanwhile reload={reload} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const Fields = ({ form }: { readonly form: UseFormReturnType<Values> }) => (
  <>
    <TextInput data-autofocus label="Name" required maxLength={200} autoComplete="off" {...form.getInputProps('name')} />
    <TextInput label="E-mail" type="email" maxLength={320} autoComplete="off" {...form.getInputProps('email')} />
    <TextInput
      label="Organization"
      description="Id of the organization it acts for."
      maxLength={36}
      autoComplete="off"
      {...form.getInputProps('organizationId')}
    />
  </>
);
