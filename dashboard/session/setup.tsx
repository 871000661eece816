/** The page of a setup link: first owner, invitation or password reset. The token is in the URL fragment, which browsers do not send. */
import { Alert, Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { roles, type Role } from '../../schema/roles.ts';
import { violationsByField, type RequestError } from '../graph/request-error.ts';
import { app } from '../graph/app.ts';
import { requestJson } from '../graph/request.ts';
import { ErrorAlert } from '../components/query-result.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { SignedOutPage } from './signed-out-page.tsx';
import { CodeField } from './code-field.tsx';
import { NewPassword } from './new-password.tsx';
import { sessionQuery, type Session } from './session.ts';

interface Invitation {
  readonly purpose: 'FIRST_OWNER' | 'INVITATION' | 'RESET';
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role;
  /** Whether the person has a second factor. */
  readonly requiresCode: boolean;
  readonly expiresAt: string;
}

const titles = {
  FIRST_OWNER: 'Set up the platform',
  INVITATION: 'Accept your invitation',
  RESET: 'Reset your password',
} as const;

export function Setup() {
  const [token] = useState(() => window.location.hash.slice(1));
  const { data, error, refetch } = useQuery<Invitation, RequestError>({
    queryKey: ['setup', token],
    queryFn: () => requestJson<Invitation>(`${app.base}/setup/look`, { method: 'POST', body: { token } }),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  return (
    <SignedOutPage title={data === undefined ? 'Setup link' : titles[data.purpose]}>
      {data !== undefined && <SetupForm token={token} invitation={data} />}
      {error !== null && (error.code === 'gone' ? <ExpiredLink /> : <ErrorAlert error={error} retry={() => void refetch()} />)}
    </SignedOutPage>
  );
}

const ExpiredLink = () => (
  <Alert color="orange" role="alert" title="This link has expired or was already used">
    Ask an owner for a new link. To create one on the server, run <Code>npm run admin -- reset</Code>, or{' '}
    <Code>npm run admin -- setup</Code> if the platform has no administrator yet.
  </Alert>
);

interface SetupFormProps {
  readonly token: string;
  readonly invitation: Invitation;
}

function SetupForm({ token, invitation: { purpose, email, name, role, requiresCode, expiresAt } }: SetupFormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: name ?? '', email: email ?? '', password: '', code: '' } });
  const { mutate, isPending, error } = useMutation<Session, RequestError, typeof form.values>({
    mutationFn: ({ password, code, ...profile }) => {
      const body =
        purpose === 'RESET' ? { token, password, ...(requiresCode && { code: code.trim() }) } : { token, ...profile, password };
      return requestJson<Session>(`${app.base}/setup`, { method: 'POST', body });
    },
    onSuccess: (session) => {
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      void navigate({ to: '/', replace: true });
    },
    onError: (requestError) => form.setErrors(violationsByField(requestError)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))}>
      <Stack>
        <Text>
          {purpose !== 'RESET' && `Your role is ${role.toLowerCase()}. Permissions: ${roles[role].allows}. `}This link works once
          and expires at <Timestamp at={expiresAt} />.
        </Text>
        {error !== null && error.violations.length === 0 && <ErrorAlert error={error} />}
        {purpose !== 'RESET' && (
          <TextInput label="Name" autoComplete="name" required maxLength={200} {...form.getInputProps('name')} />
        )}
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          readOnly={email !== null}
          {...form.getInputProps('email')}
        />
        <NewPassword label="Password" {...form.getInputProps('password')} />
        {requiresCode && <CodeField {...form.getInputProps('code')} />}
        <Button type="submit" loading={isPending}>
          {purpose === 'RESET' ? 'Set password and sign in' : 'Create account and sign in'}
        </Button>
      </Stack>
    </form>
  );
}
