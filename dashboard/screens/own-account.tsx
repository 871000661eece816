/** One's own account: the password, and the sessions. */
import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { tell } from '../graph/ask.ts';
import { violationsByField, type Failure } from '../graph/failure.ts';
import { request } from '../graph/request.ts';
import { Screen } from '../parts/screen.tsx';
import { NewPassword } from '../session/new-password.tsx';
import { useSignedIn } from '../session/session.ts';
import { OwnSessions } from './own-sessions.tsx';

export function OwnAccount() {
  const session = useSignedIn();
  if (session === null) return null;
  const { id, name, email } = session.administrator;
  return (
    <Screen title="Own account" says={`${name}, ${email}`}>
      {session.signedInBy === 'PASSWORD' ? (
        <ChangePassword />
      ) : (
        <Text>Your password is kept by the provider you sign in with.</Text>
      )}
      <OwnSessions id={id} />
    </Screen>
  );
}

function ChangePassword() {
  const form = useForm({ initialValues: { current: '', next: '' } });
  const { mutate, isPending } = useMutation<unknown, Failure, typeof form.values>({
    mutationFn: (body) => request('/admin/password', { method: 'POST', body }),
    onSuccess: () => {
      form.reset();
      notifications.show({ message: 'Password changed; your other sessions have ended', color: 'teal' });
    },
    onError: (failure) => {
      if (failure.violations.length === 0) tell(failure);
      form.setErrors(violationsByField(failure));
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
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
