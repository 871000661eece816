/** The sign-in page: with a password, an identity provider, or both. */
import { Alert, Button, Code, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { errors, isErrorCode } from '../../schema/errors.ts';
import { RequestError } from '../graph/request-error.ts';
import { requestJson } from '../graph/request.ts';
import { QueryResult } from '../components/query-result.tsx';
import { storeReturnPath } from './return-path.ts';
import { SignedOutPage } from './signed-out-page.tsx';
import { sessionQuery, type Session, type SignedOut } from './session.ts';

const route = getRouteApi('/sign-in');

export function SignIn() {
  const session = useQuery(sessionQuery);
  return (
    <SignedOutPage title="Sign in">
      <QueryResult query={session} name="sign-in" lines={4}>
        {(data) => (data.state === 'SIGNED_OUT' ? <SignInOptions session={data} /> : <ContinueButton />)}
      </QueryResult>
    </SignedOutPage>
  );
}

/** Returns a function that loads the previous path below `/admin` in the new session. */
function useReturn(): () => void {
  const { back = '/' } = route.useSearch();
  return () => window.location.assign(`/admin${back}`);
}

function ContinueButton() {
  const returnToScreen = useReturn();
  return <Button onClick={returnToScreen}>Continue to the dashboard</Button>;
}

function SignInOptions({ session: { setUp, providers } }: { readonly session: SignedOut }) {
  const { problem, back } = route.useSearch();
  if (!setUp)
    return (
      <Text>
        This platform has no administrator yet. Open the setup link from the start log or from the data folder. To create a new
        link, run <Code>npm run admin -- setup</Code>.
      </Text>
    );
  return (
    <Stack>
      {problem !== undefined && (
        <Alert color="red" role="alert">
          Sign-in with {providers.oidc?.name ?? 'the identity provider'} failed:{' '}
          {isErrorCode(problem) ? errors[problem].title : problem}. Try again, or contact an owner.
        </Alert>
      )}
      {problem === undefined && back !== undefined && (
        <Text c="dimmed">You are signed out, or your session has expired. Sign in to continue.</Text>
      )}
      {providers.oidc && (
        <Button
          component="a"
          href="/admin/oidc"
          variant={providers.password ? 'default' : 'filled'}
          onClick={() => storeReturnPath(back)}
        >
          Sign in with {providers.oidc.name}
        </Button>
      )}
      {providers.oidc && providers.password && <Divider label="or" />}
      {providers.password && <PasswordForm />}
    </Stack>
  );
}

/** Signs in, then checks that the browser stored the cookie. Without the check, the page would redirect in a loop. */
async function signIn(credentials: { readonly email: string; readonly password: string }): Promise<Session> {
  const created = await requestJson<Session>('/admin/session', { method: 'POST', body: credentials });
  const stored = await requestJson<Session>('/admin/session');
  if (stored.state === 'SIGNED_IN') return created;
  throw new RequestError('Your browser did not store the session cookie. Open the dashboard over HTTPS or at localhost.', {
    code: 'sign_in_failed',
  });
}

function PasswordForm() {
  const returnToScreen = useReturn();
  const [message, setMessage] = useState<string | null>(null);
  const form = useForm({ initialValues: { email: '', password: '' } });
  const { mutate, isPending } = useMutation<Session, RequestError, { email: string; password: string }>({
    mutationFn: signIn,
    onSuccess: returnToScreen,
    onError: (error) => {
      setMessage(messageOf(error));
      form.setFieldValue('password', '');
    },
  });
  return (
    <form onSubmit={form.onSubmit((credentials) => mutate(credentials))}>
      <Stack>
        {message !== null && (
          <Alert color="red" role="alert">
            {message}
          </Alert>
        )}
        <TextInput label="Email" type="email" autoComplete="username" required {...form.getInputProps('email')} />
        <PasswordInput label="Password" autoComplete="current-password" required {...form.getInputProps('password')} />
        <Button type="submit" loading={isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function messageOf({ code, message, retryAfter }: RequestError): string {
  if (code !== 'rate_limited') return message;
  const minutes = Math.ceil((retryAfter ?? 60) / 60);
  return `Too many attempts. Try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`;
}
