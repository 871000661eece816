/** The first screen: how the platform does. */
import { Text } from '@mantine/core';
import { Screen } from '../parts/screen.tsx';
import { useSignedIn } from '../session/session.ts';

export function Overview() {
  const session = useSignedIn();
  return (
    <Screen title="Overview" says="How the platform does.">
      <Text>Signed in as {session?.administrator.name}.</Text>
    </Screen>
  );
}
