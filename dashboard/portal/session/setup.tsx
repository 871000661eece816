/** The page of a setup link: an invitation or a new password. The token is in the URL fragment, which browsers do not send. */
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { memberRoles } from '../../../schema/member-roles.ts';
import { enumLabel } from '../../components/enum-label.ts';
import { ErrorAlert } from '../../components/query-result.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { app } from '../../graph/app.ts';
import { violationsByField, type RequestError } from '../../graph/request-error.ts';
import { requestJson } from '../../graph/request.ts';
import { CodeField } from '../../session/code-field.tsx';
import { NewPassword } from '../../session/new-password.tsx';
import { sessionQuery, type SignedInUser } from '../../session/session.ts';
import { SignedOutPage } from '../../session/signed-out-page.tsx';
import { JoinAccount } from './join-account.tsx';
import { useOpenPortal } from './open-portal.ts';
import type { SetupLink } from './setup-link.ts';

export function Setup() {
  const [token] = useState(() => window.location.hash.slice(1));
  const { data, error, refetch } = useQuery<SetupLink, RequestError>({
    queryKey: ['setup', token],
    queryFn: () => requestJson<SetupLink>(`${app.base}/setup/look`, { method: 'POST', body: { token } }),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  return (
    <SignedOutPage title={data === undefined ? 'Setup link' : titleOf(data)}>
      {data !== undefined && (
        <Stack>
          <LinkDescription link={data} />
          {data.purpose === 'INVITATION' ? (
            <JoinAccount token={token} link={data}>
              <SetupForm token={token} link={data} />
            </JoinAccount>
          ) : (
            <SetupForm token={token} link={data} />
          )}
        </Stack>
      )}
      {error !== null && (error.code === 'gone' ? <ExpiredLink /> : <ErrorAlert error={error} retry={() => void refetch()} />)}
    </SignedOutPage>
  );
}

const titleOf = ({ purpose, accountName }: SetupLink): string =>
  purpose === 'RESET' ? 'Set a new password' : `Join ${accountName ?? 'an account'}`;

const LinkDescription = ({ link: { memberRole, expiresAt } }: { readonly link: SetupLink }) => (
  <Text>
    {memberRole !== null &&
      `Your role is ${enumLabel(memberRole).toLowerCase()}. Permissions: ${memberRoles[memberRole].allows}. `}
    This link works once and expires at <Timestamp at={expiresAt} />.
  </Text>
);

/** A first sign-in with the provider accepts invitations of the operator, so that the link it returns to is used. */
function ExpiredLink() {
  const { data } = useQuery(sessionQuery);
  if (data?.state === 'SIGNED_IN')
    return (
      <Stack>
        <Text>You are signed in. This link was used or has expired.</Text>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>Open the portal</Button>
      </Stack>
    );
  return (
    <Alert color="orange" role="alert" title="This link has expired or was already used">
      Ask the person who sent it for a new link.
    </Alert>
  );
}

interface SetupFormProps {
  readonly token: string;
  readonly link: SetupLink;
}

function SetupForm({ token, link: { purpose, email, requiresCode } }: SetupFormProps) {
  const openPortal = useOpenPortal();
  const isReset = purpose === 'RESET';
  const form = useForm({ initialValues: { name: '', password: '', code: '' } });
  const { mutate, isPending, error } = useMutation<SignedInUser, RequestError, typeof form.values>({
    mutationFn: ({ name, password, code }) => {
      const body = { token, password, ...(!isReset && { name }), ...(requiresCode && { code: code.trim() }) };
      return requestJson(`${app.base}/setup`, { method: 'POST', body });
    },
    onSuccess: (session) => openPortal(session),
    onError: (requestError) => form.setErrors(violationsByField(requestError)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => mutate(values))}>
      <Stack>
        {error !== null && error.violations.length === 0 && <ErrorAlert error={error} />}
        {!isReset && (
          <TextInput label="Name" autoComplete="name" required maxLength={200} autoFocus {...form.getInputProps('name')} />
        )}
        <TextInput label="Email" type="email" autoComplete="username" readOnly value={email} />
        <NewPassword label="Password" {...form.getInputProps('password')} />
        {requiresCode && <CodeField {...form.getInputProps('code')} />}
        <Button type="submit" loading={isPending}>
          {isReset ? 'Set password and sign in' : 'Accept invitation'}
        </Button>
      </Stack>
    </form>
  );
}
