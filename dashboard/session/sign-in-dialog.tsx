/** The dialog over a screen whose session has ended. The screen and its forms stay, so that nothing typed is lost. */
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { app } from '../graph/app.ts';
import { requestJson } from '../graph/request.ts';
import { QueryResult } from '../components/query-result.tsx';
import type { RequestError } from '../graph/request-error.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { PasswordForm } from './password-form.tsx';
import { sessionEnded, sessionQuery, personOf, useSession, useStoreSession, type OpenSession, type Session } from './session.ts';
import { useSignInPage } from './sign-out.ts';

// The Escape key would close the dialogs below with their forms. Added before the listeners of those dialogs.
window.addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Escape' && sessionEnded.get()) event.stopImmediatePropagation();
  },
  { capture: true },
);

/** Above all other dialogs. */
const zIndex = 390;

export function SignInDialog() {
  const hasEnded = sessionEnded.use();
  const session = useSession();
  return (
    <Modal
      opened={hasEnded && session !== null}
      onClose={() => undefined}
      title="Sign in again"
      zIndex={zIndex}
      overlayProps={{ backgroundOpacity: 0.8, blur: 6 }}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      {hasEnded && session !== null && <SignInAgain session={session} />}
    </Modal>
  );
}

function SignInAgain({ session: open }: { readonly session: OpenSession }) {
  const { email } = personOf(open);
  const client = useQueryClient();
  const storeSession = useStoreSession();
  const openSignInPage = useSignInPage();
  // not the query of the session, which keeps the ended one
  const current = useQuery<Session, RequestError>({
    queryKey: ['sign-in providers'],
    queryFn: () => requestJson<Session>(`${app.base}/session`, { background: true }),
    gcTime: 0,
  });
  const resume = (next: Session): void => {
    storeSession(next);
    void client.invalidateQueries();
  };
  return (
    <Stack>
      <Text>
        The session of <strong>{email}</strong> has ended. After the sign-in you continue on this screen with everything that you
        have entered.
      </Text>
      <QueryResult query={current} name="sign-in" lines={2}>
        {(session) =>
          session.state === 'SIGNED_IN' ? (
            <Button onClick={() => resume(session)}>Continue</Button>
          ) : (
            <Stack>
              {session.providers.oidc && (
                <Button
                  component="a"
                  href={`${app.base}/oidc`}
                  target="_blank"
                  variant={session.providers.password ? 'default' : 'filled'}
                >
                  Sign in with {session.providers.oidc.name} in a new tab
                </Button>
              )}
              {session.providers.oidc && (
                <Button variant="default" onClick={() => void client.refetchQueries(sessionQuery)}>
                  I have signed in
                </Button>
              )}
              {session.providers.password && <PasswordForm email={email} onSignedIn={resume} />}
              {session.providers.passkey.origin === window.location.origin && (
                <PasskeySignIn origin={session.providers.passkey.origin} onSignedIn={resume} />
              )}
            </Stack>
          )
        }
      </QueryResult>
      <Button variant="subtle" onClick={openSignInPage}>
        Use another account
      </Button>
    </Stack>
  );
}
