/** The dialog that adds a passkey: a name and the password, with the code of a second factor. */
import { Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FormButtons } from '../components/form-buttons.tsx';
import { ErrorAlert } from '../components/query-result.tsx';
import { violationsByField, type RequestError } from '../graph/request-error.ts';
import { browserName } from './browser-name.ts';
import { registerPasskey, type PasskeyProof } from './browser-passkeys.ts';
import { CodeField } from './code-field.tsx';

interface PasskeyRegistrationProps {
  readonly opened: boolean;
  /** Whether the person has a second factor. */
  readonly needsCode: boolean;
  readonly close: () => void;
}

export const PasskeyRegistration = ({ opened, ...form }: PasskeyRegistrationProps) => (
  <Modal opened={opened} onClose={form.close} title="Add passkey">
    {opened && <RegistrationForm {...form} />}
  </Modal>
);

function RegistrationForm({ needsCode, close }: Omit<PasskeyRegistrationProps, 'opened'>) {
  const client = useQueryClient();
  const form = useForm({ initialValues: { name: browserName(window.navigator.userAgent), current: '', code: '' } });
  const { mutate, isPending, error } = useMutation<unknown, RequestError, PasskeyProof>({
    mutationFn: registerPasskey,
    onSuccess: (_, { name }) => {
      notifications.show({ message: `Passkey ${name} added`, color: 'teal' });
      void client.invalidateQueries();
      close();
    },
    onError: (requestError) => form.setErrors(violationsByField(requestError)),
    gcTime: 0,
  });
  return (
    <form onSubmit={form.onSubmit(({ code, ...proof }) => mutate({ ...proof, ...(needsCode && { code: code.trim() }) }))}>
      <Stack>
        {error !== null && error.violations.length === 0 && <ErrorAlert error={error} />}
        <TextInput
          label="Name"
          description="To recognize the passkey in the list."
          required
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('current')}
        />
        {needsCode && <CodeField {...form.getInputProps('code')} />}
        <FormButtons submit="Continue" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
