/** The account of the signed-in administrator: password and sessions. */
import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { notifyError } from '../../graph/operations.ts';
import { violationsByField, type RequestError } from '../../graph/request-error.ts';
import { requestJson } from '../../graph/request.ts';
import { Screen } from '../../components/screen.tsx';
import { NewPassword } from '../../session/new-password.tsx';
import { useSignedIn } from '../../session/session.ts';
import { OwnSessions } from './own-sessions.tsx';

export function OwnAccount() {
  const session = useSignedIn();
  if (session === null) return null;
  const { id, name, email } = session.administrator;
  return (
    <Screen title="Your account" description={`${name}, ${email}`}>
      {session.signedInBy === 'PASSWORD' ? (
        <ChangePassword />
      ) : (
        <Text>You sign in with an identity provider, which manages your password.</Text>
      )}
      <OwnSessions id={id} />
    </Screen>
  );
}

function ChangePassword() {
  const form = useForm({ initialValues: { current: '', next: '' } });
  const { mutate, isPending } = useMutation<unknown, RequestError, typeof form.values>({
    mutationFn: (body) => requestJson('/admin/password', { method: 'POST', body }),
    onSuccess: () => {
      form.reset();
      notifications.show({ message: 'Password changed. Your other sessions were signed out.', color: 'teal' });
    },
    onError: (error) => {
      if (error.violations.length === 0) notifyError(error);
      form.setErrors(violationsByField(error));
    },
  });
  return (
    <Paper withBorder p="md" component="section">
      <form onSubmit={form.onSubmit((values) => mutate(values))}>
        <Stack maw={420}>
          <Title order={2}>Password</Title>
          <PasswordInput label="Current password" autoComplete="current-password" required {...form.getInputProps('current')} />
          <NewPassword label="New password" {...form.getInputProps('next')} />
          <Group>
            <Button type="submit" loading={isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
