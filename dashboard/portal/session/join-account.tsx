/** Accepts an invitation: with the session of a user, or as a new user. The page does not know whether the address has one: whoever invited could read it. */
import { Button, Divider, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ErrorAlert, QueryResult } from '../../components/query-result.tsx';
import { app } from '../../graph/app.ts';
import type { RequestError } from '../../graph/request-error.ts';
import { requestJson } from '../../graph/request.ts';
import { PasswordForm } from '../../session/password-form.tsx';
import { storeReturnPath } from '../../session/return-path.ts';
import { sessionQuery, useStoreSession, type SignedInUser } from '../../session/session.ts';
import { useOpenPortal } from './open-portal.ts';
import type { SetupLink } from './setup-link.ts';

interface JoinAccountProps {
  readonly token: string;
  readonly link: SetupLink;
}

/** `children` is the form of a new user. */
export function JoinAccount({ token, link, children }: JoinAccountProps & { readonly children: ReactNode }) {
  const session = useQuery(sessionQuery);
  const storeSession = useStoreSession();
  const [hasUser, setHasUser] = useState(false);
  return (
    <QueryResult query={session} name="sign-in" lines={3}>
      {(data) => {
        if (data.state === 'SIGNED_IN' && 'user' in data) return <JoinButton token={token} link={link} session={data} />;
        return (
          <Stack>
            <ProviderButton returnPath={`/setup#${token}`} />
            {hasUser && <Text>Sign in to accept the invitation.</Text>}
            {hasUser ? <PasswordForm email={link.email} onSignedIn={storeSession} /> : children}
            <Button variant="subtle" onClick={() => setHasUser(!hasUser)}>
              {hasUser ? 'I am new to the portal' : 'I have a password for the portal'}
            </Button>
          </Stack>
        );
      }}
    </QueryResult>
  );
}

function JoinButton({ token, link, session }: JoinAccountProps & { readonly session: SignedInUser }) {
  const openPortal = useOpenPortal();
  const { mutate, isPending, error } = useMutation<SignedInUser, RequestError>({
    mutationFn: () => requestJson(`${app.base}/invitation`, { method: 'POST', body: { token } }),
    onSuccess: (joined) => {
      const known = new Set(session.memberships.map(({ account }) => account.id));
      openPortal(joined, joined.memberships.find(({ account }) => !known.has(account.id))?.account.id);
    },
  });
  if (session.user.email.toLowerCase() !== link.email.toLowerCase()) return <OtherUser link={link} session={session} />;
  return (
    <Stack>
      {error !== null && <ErrorAlert error={error} />}
      <Text>
        You are signed in as <strong>{session.user.email}</strong>.
      </Text>
      <Button loading={isPending} onClick={() => mutate()}>
        Accept invitation
      </Button>
    </Stack>
  );
}

function OtherUser({ link, session }: { readonly link: SetupLink; readonly session: SignedInUser }) {
  const { mutate, isPending, error } = useMutation<unknown, RequestError>({
    mutationFn: () => requestJson(`${app.base}/session`, { method: 'DELETE' }),
    onSuccess: () => window.location.reload(),
  });
  return (
    <Stack>
      {error !== null && <ErrorAlert error={error} />}
      <Text>
        The invitation is for <strong>{link.email}</strong>, and you are signed in as <strong>{session.user.email}</strong>. Sign
        out, then sign in with the invited address.
      </Text>
      <Button loading={isPending} onClick={() => mutate()}>
        Sign out
      </Button>
    </Stack>
  );
}

/** Signs in with the identity provider, and returns to the link. Nothing without a provider. */
function ProviderButton({ returnPath }: { readonly returnPath: string }) {
  const { data } = useQuery(sessionQuery);
  const provider = data?.state === 'SIGNED_OUT' ? data.providers.oidc : null;
  if (provider === null) return null;
  return (
    <>
      <Button component="a" href={`${app.base}/oidc`} variant="default" onClick={() => storeReturnPath(returnPath)}>
        Sign in with {provider.name}
      </Button>
      <Divider label="or" />
    </>
  );
}
