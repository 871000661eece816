/** The form that signs in with a password: on the sign-in page, and over a screen whose session has ended. */
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { RequestError } from '../graph/request-error.ts';
import { CodeField } from './code-field.tsx';
import type { Session } from './session.ts';
import { signInMessage, startSession } from './start-session.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of the second factor; absent until the API requires it. */
  readonly code?: string;
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
    mutationFn: (credentials) => startSession('/session', credentials),
    onSuccess: onSignedIn,
    onError: (error) => {
      const isFirstStep = error.code === 'second_factor_required' && !needsCode;
      setMessage(isFirstStep ? null : signInMessage(error));
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
