/** Changes the password of the signed-in person. */
import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Section } from '../components/section.tsx';
import { app } from '../graph/app.ts';
import { notifyError } from '../graph/operations.ts';
import { violationsByField, type RequestError } from '../graph/request-error.ts';
import { requestJson } from '../graph/request.ts';
import { NewPassword } from './new-password.tsx';

export function ChangePassword() {
  const form = useForm({ initialValues: { current: '', next: '' } });
  const { mutate, isPending } = useMutation<unknown, RequestError, typeof form.values>({
    mutationFn: (body) => requestJson(`${app.base}/password`, { method: 'POST', body }),
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
    <Section title="Password">
      <form onSubmit={form.onSubmit((values) => mutate(values))}>
        <Stack maw={420}>
          <PasswordInput label="Current password" autoComplete="current-password" required {...form.getInputProps('current')} />
          <NewPassword label="New password" {...form.getInputProps('next')} />
          <Group>
            <Button type="submit" loading={isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
