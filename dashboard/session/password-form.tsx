/** The form that signs in with a password: on the sign-in page, and over a screen whose session has ended. */
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { app } from '../graph/app.ts';
import { RequestError } from '../graph/request-error.ts';
import { requestJson } from '../graph/request.ts';
import { CodeField } from './code-field.tsx';
import type { Session } from './session.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of the second factor; absent until the API requires it. */
  readonly code?: string;
}

/** Signs in, then checks that the browser stored the cookie. Without the check, the page would redirect in a loop. */
async function signIn(credentials: Credentials): Promise<Session> {
  const created = await requestJson<Session>(`${app.base}/session`, { method: 'POST', body: credentials });
  const stored = await requestJson<Session>(`${app.base}/session`);
  if (stored.state === 'SIGNED_IN') return created;
  throw new RequestError('Your browser did not store the session cookie. Open this page over HTTPS or at localhost.', {
    code: 'sign_in_failed',
  });
}

interface PasswordFormProps {
  readonly onSignedIn: (session: Session) => void;
  /** The address of the person; without it, the form has a field for it. */
  readonly email?: string;
}

export function PasswordForm({ onSignedIn, email }: PasswordFormProps) {
  const [message, setMessage] = useState<string | null>(null);
  const form = useForm({ initialValues: { email: email ?? '', password: '', code: '' } });
  const [needsCode, setNeedsCode] = useState(false);
  const { mutate, isPending } = useMutation<Session, RequestError, Credentials>({
    mutationFn: signIn,
    onSuccess: onSignedIn,
    onError: (error) => {
      const isFirstStep = error.code === 'second_factor_required' && !needsCode;
      setMessage(isFirstStep ? null : messageOf(error));
      if (isFirstStep) setNeedsCode(true);
      form.setFieldValue(needsCode || isFirstStep ? 'code' : 'password', '');
    },
  });
  return (
    <form
      onSubmit={form.onSubmit(({ code, ...credentials }) =>
        mutate(needsCode ? { ...credentials, code: code.trim() } : credentials),
      )}
    >
      <Stack>
        {message !== null && (
          <Alert color="red" role="alert">
            {message}
          </Alert>
        )}
        {email === undefined ? (
          <TextInput label="Email" type="email" autoComplete="username" required autoFocus {...form.getInputProps('email')} />
        ) : (
          // for password managers
          <input type="hidden" name="username" autoComplete="username" value={email} />
        )}
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          // in the dialog, which is open before this form is loaded
          autoFocus={email !== undefined}
          data-autofocus
          {...form.getInputProps('password')}
        />
        {needsCode && <CodeField autoFocus {...form.getInputProps('code')} />}
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
