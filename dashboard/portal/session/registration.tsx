/** The page that creates a user with an own account and the free plan, where the operator allows it. */
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorAlert, QueryResult } from '../../components/query-result.tsx';
import { app } from '../../graph/app.ts';
import { violationsByField, type RequestError } from '../../graph/request-error.ts';
import { requestJson } from '../../graph/request.ts';
import { NewPassword } from '../../session/new-password.tsx';
import { sessionQuery, type SignedInUser } from '../../session/session.ts';
import { SignedOutPage } from '../../session/signed-out-page.tsx';
import { useOpenPortal } from './open-portal.ts';

export function Registration() {
  const session = useQuery(sessionQuery);
  return (
    <SignedOutPage title="Create an account">
      <QueryResult query={session} name="registration" lines={5}>
        {(data) =>
          data.state === 'SIGNED_OUT' && data.registration === true ? (
            <RegistrationForm />
          ) : (
            <Text>Registration is closed. Ask an owner of your account, or the operator, for an invitation.</Text>
          )
        }
      </QueryResult>
      <Anchor component={Link} to="/sign-in" underline="always">
        Sign in instead
      </Anchor>
    </SignedOutPage>
  );
}

function RegistrationForm() {
  const openPortal = useOpenPortal();
  const form = useForm({ initialValues: { name: '', email: '', accountName: '', password: '' } });
  const { mutate, isPending, error } = useMutation<SignedInUser, RequestError, typeof form.values>({
    mutationFn: (body) => requestJson(`${app.base}/registration`, { method: 'POST', body }),
    onSuccess: (session) => openPortal(session),
    onError: (requestError) => form.setErrors(violationsByField(requestError)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))}>
      <Stack>
        <Text>Your account gets the free plan. You can ask for another one later.</Text>
        {error !== null && error.violations.length === 0 && <ErrorAlert error={error} />}
        <TextInput
          label="Organization"
          description="The name of your account, such as your club or company."
          required
          maxLength={200}
          autoComplete="organization"
          autoFocus
          {...form.getInputProps('accountName')}
        />
        <TextInput label="Your name" autoComplete="name" required maxLength={200} {...form.getInputProps('name')} />
        <TextInput label="Email" type="email" autoComplete="username" required {...form.getInputProps('email')} />
        <NewPassword label="Password" {...form.getInputProps('password')} />
        <Button type="submit" loading={isPending}>
          Create account
        </Button>
      </Stack>
    </form>
  );
}
