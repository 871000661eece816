/** The dialogs that create and edit an account. */
import { Modal, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useGraphMutation } from '../../graph/operations.ts';
import { violationsByField } from '../../graph/request-error.ts';
import { FormButtons } from '../../components/form-buttons.tsx';
import { OrganizationSelect } from './organization-select.tsx';
import { graphql } from '../../graph/graphql.ts';
import { EditConflict, ReloadableForm, isEditConflict, type ConflictFields } from '../../components/edit-conflict.tsx';

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
  readonly organizationId: string | null;
}

interface Account {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly email: string | null;
  readonly organizationId: string | null;
}

const valuesOf = ({ name, email, organizationId }: Account): Values => ({ name, email: email ?? '', organizationId });

const fieldsOf = ({ name, email, organizationId }: Values): ConflictFields => ({
  Name: name,
  Email: email,
  'Organization ID': organizationId ?? '',
});

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const inputOf = ({ name, email, organizationId }: Values) => ({
  name,
  email: textOrNull(email),
  organizationId,
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
  const form = useForm<Values>({ initialValues: { name: '', email: '', organizationId: null } });
  const { mutate, isPending } = useGraphMutation(createAccountMutation, {
    successMessage: 'Account created',
    onSuccess: ({ createAccount: { id } }) => {
      close();
      void navigate({ to: '/accounts/$id', params: { id } });
    },
    onError: (error) => form.setErrors(violationsByField(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate({ input: inputOf(values) }))}>
      <Stack>
        <Fields form={form} />
        <FormButtons submit="Create account" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}

interface EditAccountProps extends DialogProps {
  readonly account: Account;
}

export const EditAccount = ({ opened, close, account }: EditAccountProps) => (
  <Modal opened={opened} onClose={close} title="Edit account">
    {opened && <ReloadableForm>{(reload) => <EditForm account={account} close={close} reload={reload} />}</ReloadableForm>}
  </Modal>
);

interface EditFormProps extends Omit<EditAccountProps, 'opened'> {
  readonly reload: () => void;
}

function EditForm({ account, close, reload }: EditFormProps) {
  // the version at the time the form was opened, even when the query refetches
  const [initial] = useState(account);
  const form = useForm<Values>({
    initialValues: valuesOf(initial),
  });
  const { mutate, isPending, error } = useGraphMutation(updateAccountMutation, {
    successMessage: 'Account updated',
    onSuccess: close,
    onError: (error) => {
      form.setErrors(violationsByField(error));
      return isEditConflict(error);
    },
  });
  return (
    <form
      onSubmit={form.onSubmit((values) => mutate({ id: initial.id, ifMatch: String(initial.version), input: inputOf(values) }))}
    >
      <Stack>
        {isEditConflict(error) && (
          <EditConflict
            reload={reload}
            latest={account.version === initial.version ? null : fieldsOf(valuesOf(account))}
            yours={fieldsOf(form.values)}
          />
        )}
        <Fields form={form} />
        <FormButtons submit="Save" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}

const Fields = ({ form }: { readonly form: UseFormReturnType<Values> }) => (
  <>
    <TextInput data-autofocus label="Name" required maxLength={200} autoComplete="off" {...form.getInputProps('name')} />
    <TextInput label="Email" type="email" maxLength={320} autoComplete="off" {...form.getInputProps('email')} />
    <OrganizationSelect
      label="Organization"
      description="Optional. The organization that the account belongs to."
      {...form.getInputProps('organizationId')}
      value={form.values.organizationId}
    />
  </>
);
