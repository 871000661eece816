/** The button that signs in with a passkey, and the reason why a page has none. */
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconFingerprint } from '@tabler/icons-react';
import { app } from '../graph/app.ts';
import type { RequestError } from '../graph/request-error.ts';
import { signInWithPasskey } from './browser-passkeys.ts';
import type { Session } from './session.ts';
import { signInMessage } from './start-session.ts';

interface PasskeySignInProps {
  /** The origin at which passkeys work; null if there is none. */
  readonly origin: string | null;
  readonly onSignedIn: (session: Session) => void;
}

export function PasskeySignIn({ origin, onSignedIn }: PasskeySignInProps) {
  const { mutate, isPending, error } = useMutation<Session, RequestError>({
    mutationFn: signInWithPasskey,
    onSuccess: onSignedIn,
  });
  if (origin !== window.location.origin) return <PasskeyPlace origin={origin} />;
  return (
    <Stack>
      {error !== null && (
        <Alert color="red" role="alert">
          {signInMessage(error)}
        </Alert>
      )}
      <Button variant="default" leftSection={<IconFingerprint size={18} />} loading={isPending} onClick={() => mutate()}>
        Sign in with a passkey
      </Button>
    </Stack>
  );
}

/** Where passkeys work, on a page at which they do not. */
export const PasskeyPlace = ({ origin }: { readonly origin: string | null }) => (
  <Text c="dimmed" size="sm">
    {origin === null ? (
      'Passkeys do not work at this address. They need a host name that the operator configures.'
    ) : (
      <>
        Passkeys do not work at this address. Use{' '}
        <Anchor href={`${origin}${app.base}`} inherit underline="always">
          {new URL(origin).host}
        </Anchor>
        .
      </>
    )}
  </Text>
);
