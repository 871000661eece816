/** The sign-in page: with a password, a passkey, or an identity provider. */
import { Alert, Button, Code, Divider, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { errors, isErrorCode } from '../../schema/errors.ts';
import { app } from '../graph/app.ts';
import { QueryResult } from '../components/query-result.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { PasswordForm } from './password-form.tsx';
import { storeReturnPath } from './return-path.ts';
import { SignedOutPage } from './signed-out-page.tsx';
import { sessionQuery, type SignedOut } from './session.ts';

const route = getRouteApi('/sign-in');

interface SignInProps {
  /** Whom to contact when the sign-in fails. */
  readonly contact?: string;
  /** Other ways to get access, below the form. */
  readonly children?: (session: SignedOut) => ReactNode;
}

export function SignIn({ contact = 'an owner', children }: SignInProps) {
  const session = useQuery(sessionQuery);
  return (
    <SignedOutPage title="Sign in">
      <QueryResult query={session} name="sign-in" lines={4}>
        {(data) =>
          data.state === 'SIGNED_OUT' ? (
            <Stack>
              <SignInOptions session={data} contact={contact} />
              {children?.(data)}
            </Stack>
          ) : (
            <ContinueButton />
          )
        }
      </QueryResult>
    </SignedOutPage>
  );
}

/** Returns a function that loads the previous path of the app in the new session. */
function useReturn(): () => void {
  const { back = '/' } = route.useSearch();
  return () => window.location.assign(`${app.base}${back}`);
}

function ContinueButton() {
  const returnToScreen = useReturn();
  return <Button onClick={returnToScreen}>Continue to the {app.name}</Button>;
}

interface SignInOptionsProps {
  readonly session: SignedOut;
  readonly contact: string;
}

function SignInOptions({ session: { setUp, providers }, contact }: SignInOptionsProps) {
  const { problem, back } = route.useSearch();
  const returnToScreen = useReturn();
  if (setUp === false)
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
          {isErrorCode(problem) ? errors[problem].title : problem}. Try again, or contact {contact}.
        </Alert>
      )}
      {problem === undefined && back !== undefined && (
        <Text c="dimmed">You are signed out, or your session has expired. Sign in to continue.</Text>
      )}
      {providers.oidc && (
        <Button
          component="a"
          href={`${app.base}/oidc`}
          variant={providers.password ? 'default' : 'filled'}
          onClick={() => storeReturnPath(back)}
        >
          Sign in with {providers.oidc.name}
        </Button>
      )}
      {providers.oidc && providers.password && <Divider label="or" />}
      {providers.password && <PasswordForm onSignedIn={returnToScreen} />}
      <PasskeySignIn origin={providers.passkey.origin} onSignedIn={returnToScreen} />
    </Stack>
  );
}
