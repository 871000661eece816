/** The account of the signed-in administrator: password, passkeys, second factor and sessions. */
import { Text } from '@mantine/core';
import { Screen } from '../../components/screen.tsx';
import { ChangePassword } from '../../session/change-password.tsx';
import { Passkeys } from '../../session/passkeys.tsx';
import { SecondFactor } from '../../session/second-factor.tsx';
import { useSignedIn } from '../../session/session.ts';
import { OwnSessions } from './own-sessions.tsx';

export function OwnAccount() {
  const session = useSignedIn();
  if (session === null) return null;
  const { id, name, email, hasSecondFactor } = session.administrator;
  return (
    <Screen title="Your account" description={`${name}, ${email}`}>
      {session.signedInBy !== 'OIDC' ? (
        <>
          <ChangePassword />
          <Passkeys needsCode={hasSecondFactor} />
          <SecondFactor isEnabled={hasSecondFactor} />
        </>
      ) : (
        <Text>You sign in with an identity provider, which manages your password.</Text>
      )}
      <OwnSessions id={id} />
    </Screen>
  );
}
