/** The page of a setup link: the first owner, who was invited, or who lost the password. The token is in the fragment, which no server sees. */
import { Alert, Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { roles, type Role } from '../../schema/roles.ts';
import { violationsByField, type Failure } from '../graph/failure.ts';
import { request } from '../graph/request.ts';
import { Refused } from '../parts/answered.tsx';
import { Moment } from '../parts/moment.tsx';
import { DoorPage } from './door-page.tsx';
import { NewPassword } from './new-password.tsx';
import { sessionQuery, type Session } from './session.ts';

interface Invitation {
  readonly purpose: 'FIRST_OWNER' | 'INVITATION' | 'RESET';
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role;
  readonly expiresAt: string;
}

const titles = { FIRST_OWNER: 'Set up the platform', INVITATION: 'Join', RESET: 'Choose a new password' } as const;

export function Setup() {
  const [token] = useState(() => window.location.hash.slice(1));
  const { data, error, refetch } = useQuery<Invitation, Failure>({
    queryKey: ['setup', token],
    queryFn: async () => (await request('/admin/setup/look', { method: 'POST', body: { token } })) as Invitation,
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  return (
    <DoorPage title={data === undefined ? 'Setup link' : titles[data.purpose]}>
      {data !== undefined && <SetupForm token={token} invitation={data} />}
      {error !== null && (error.code === 'gone' ? <Spent /> : <Refused failure={error} retry={() => void refetch()} />)}
    </DoorPage>
  );
}

const Spent = () => (
  <Alert color="orange" role="alert" title="This link was used, or its time is over">
    Ask an owner for another. Who runs the platform makes one with <Code>npm run admin -- reset</Code>, or with{' '}
    <Code>npm run admin -- setup</Code> while nobody administers it yet.
  </Alert>
);

interface SetupFormProps {
  readonly token: string;
  readonly invitation: Invitation;
}

function SetupForm({ token, invitation: { purpose, email, name, role, expiresAt } }: SetupFormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: name ?? '', email: email ?? '', password: '' } });
  const { mutate, isPending, error } = useMutation<Session, Failure, typeof form.values>({
    mutationFn: async ({ password, ...who }) => {
      const body = purpose === 'RESET' ? { token, password } : { token, ...who, password };
      return (await request('/admin/setup', { method: 'POST', body })) as Session;
    },
    onSuccess: (session) => {
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      void navigate({ to: '/', replace: true });
    },
    onError: (failure) => form.setErrors(violationsByField(failure)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))}>
      <Stack>
        <Text>
          {purpose !== 'RESET' && `You become ${role.toLowerCase()}. ${roles[role].allows}. `}The link counts once, until{' '}
          <Moment at={expiresAt} />.
        </Text>
        {error !== null && error.violations.length === 0 && <Refused failure={error} />}
        {purpose !== 'RESET' && (
          <TextInput label="Name" autoComplete="name" required maxLength={200} {...form.getInputProps('name')} />
        )}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          readOnly={email !== null}
          {...form.getInputProps('email')}
        />
        <NewPassword label="Password" {...form.getInputProps('password')} />
        <Button type="submit" loading={isPending}>
          {purpose === 'RESET' ? 'Set the password and sign in' : 'Create and sign in'}
        </Button>
      </Stack>
    </form>
  );
}
