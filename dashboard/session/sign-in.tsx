/** The sign-in: by password, by the provider of the installation, or both. */
import { Alert, Button, Code, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { errors, isErrorCode } from '../../schema/errors.ts';
import { Failure } from '../graph/failure.ts';
import { request } from '../graph/request.ts';
import { Answered } from '../parts/answered.tsx';
import { keepBack } from './back.ts';
import { DoorPage } from './door-page.tsx';
import { sessionQuery, type Session, type SignedOut } from './session.ts';

const route = getRouteApi('/sign-in');

export function SignIn() {
  const session = useQuery<Session, Failure>(sessionQuery as never);
  return (
    <DoorPage title="Sign in">
      <Answered of={session} name="the sign-in" lines={4}>
        {(data) => (data.state === 'SIGNED_OUT' ? <Ways session={data} /> : <Already />)}
      </Answered>
    </DoorPage>
  );
}

/** Back to where one was, below /admin and nowhere else; loaded anew, as who has signed in. */
function useGoBack(): () => void {
  const { back = '/' } = route.useSearch();
  return () => window.location.assign(`/admin${back}`);
}

function Already() {
  const goBack = useGoBack();
  return <Button onClick={goBack}>You are signed in: go on</Button>;
}

function Ways({ session: { setUp, providers } }: { readonly session: SignedOut }) {
  const { problem, back } = route.useSearch();
  if (!setUp)
    return (
      <Text>
        Nobody administers this platform yet. The first start printed a setup link, or wrote it to a file beside its data;{' '}
        <Code>npm run admin -- setup</Code> makes another.
      </Text>
    );
  return (
    <Stack>
      {problem !== undefined && (
        <Alert color="red" role="alert">
          {providers.oidc?.name ?? 'The provider'} did not sign you in: {isErrorCode(problem) ? errors[problem].title : problem}.
          Try again, or ask an owner.
        </Alert>
      )}
      {problem === undefined && back !== undefined && (
        <Text c="dimmed">Sign in to go on: there is no session, or it has ended.</Text>
      )}
      {providers.oidc && (
        <Button
          component="a"
          href="/admin/oidc"
          variant={providers.password ? 'default' : 'filled'}
          onClick={() => keepBack(back)}
        >
          Sign in with {providers.oidc.name}
        </Button>
      )}
      {providers.oidc && providers.password && <Divider label="or" />}
      {providers.password && <PasswordForm />}
    </Stack>
  );
}

/** Asked again after the sign-in: a browser that keeps no cookie is told so, instead of being led in a circle. */
async function signIn(credentials: { readonly email: string; readonly password: string }): Promise<Session> {
  const told = (await request('/admin/session', { method: 'POST', body: credentials })) as Session;
  const kept = (await request('/admin/session')) as Session;
  if (kept.state === 'SIGNED_IN') return told;
  throw new Failure('Your browser did not keep the session: open the dashboard over https, or at localhost.', {
    code: 'sign_in_failed',
    requestId: null,
    violations: [],
    retryAfter: null,
  });
}

function PasswordForm() {
  const goBack = useGoBack();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useForm({ initialValues: { email: '', password: '' } });
  const { mutate, isPending } = useMutation<Session, Failure, { email: string; password: string }>({
    mutationFn: signIn,
    onSuccess: goBack,
    onError: (failure) => {
      setRefused(refusal(failure));
      form.setFieldValue('password', '');
    },
  });
  return (
    <form onSubmit={form.onSubmit((credentials) => mutate(credentials))}>
      <Stack>
        {refused !== null && (
          <Alert color="red" role="alert">
            {refused}
          </Alert>
        )}
        <TextInput label="E-mail" type="email" autoComplete="username" required {...form.getInputProps('email')} />
        <PasswordInput label="Password" autoComplete="current-password" required {...form.getInputProps('password')} />
        <Button type="submit" loading={isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function refusal({ code, message, retryAfter }: Failure): string {
  if (code !== 'rate_limited') return message;
  const minutes = Math.ceil((retryAfter ?? 60) / 60);
  return `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}
