/** The second factor of the signed-in person: an authenticator app, in addition to the password. */
import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormButtons } from '../components/form-buttons.tsx';
import { ErrorAlert } from '../components/query-result.tsx';
import { Section } from '../components/section.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { app } from '../graph/app.ts';
import type { RequestError } from '../graph/request-error.ts';
import { requestJson } from '../graph/request.ts';
import { CodeField } from './code-field.tsx';
import { SecondFactorSetup } from './second-factor-setup.tsx';

export function SecondFactor({ isEnabled }: { readonly isEnabled: boolean }) {
  const [dialog, setDialog] = useState<'SET_UP' | 'REMOVE' | null>(null);
  const client = useQueryClient();
  const close = (): void => {
    setDialog(null);
    // the session says whether there is a second factor
    void client.invalidateQueries();
  };
  return (
    <Section title="Second factor" controls={<StatusBadge status={isEnabled ? 'ENABLED' : 'NOT_SET_UP'} />}>
      <Text>
        {isEnabled
          ? 'Sign-in with the password needs a code of your authenticator app.'
          : 'Protect your account with the codes of an authenticator app, in addition to your password.'}
      </Text>
      <Group>
        {isEnabled ? (
          <Button color="red" variant="outline" onClick={() => setDialog('REMOVE')}>
            Remove second factor
          </Button>
        ) : (
          <Button onClick={() => setDialog('SET_UP')}>Set up second factor</Button>
        )}
      </Group>
      <SecondFactorSetup opened={dialog === 'SET_UP'} close={close} />
      <Modal opened={dialog === 'REMOVE'} onClose={close} title="Remove second factor">
        {dialog === 'REMOVE' && <RemoveForm close={close} />}
      </Modal>
    </Section>
  );
}

function RemoveForm({ close }: { readonly close: () => void }) {
  const form = useForm({ initialValues: { current: '', code: '' } });
  const { mutate, isPending, error } = useMutation<unknown, RequestError, typeof form.values>({
    mutationFn: ({ current, code }) =>
      requestJson(`${app.base}/second-factor/removal`, { method: 'POST', body: { current, code: code.trim() } }),
    onSuccess: () => {
      notifications.show({ message: 'Second factor removed', color: 'teal' });
      close();
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))}>
      <Stack>
        <Alert color="orange">Then the password alone is sufficient to sign in.</Alert>
        {error !== null && <ErrorAlert error={error} />}
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('current')}
        />
        <CodeField {...form.getInputProps('code')} />
        <FormButtons submit="Remove" color="red" isPending={isPending} cancel={close} />
      </Stack>
    </form>
  );
}
