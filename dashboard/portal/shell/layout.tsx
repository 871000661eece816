/** The frame of the portal. Its screens belong to one account: another account replaces them. */
import { Text } from '@mantine/core';
import { Outlet, useSearch } from '@tanstack/react-router';
import { Screen } from '../../components/screen.tsx';
import { DataModeContext } from '../../graph/data-mode.ts';
import { Frame } from '../../shell/frame.tsx';
import { useMembership } from '../session/account.ts';
import { AccountSwitch } from './account-switch.tsx';
import { Navigation } from './navigation.tsx';
import { SuspendedAccounts } from './suspended-accounts.tsx';
import { UserMenu } from './user-menu.tsx';

export function Layout() {
  const membership = useMembership();
  const { mode } = useSearch({ strict: false });
  return (
    <Frame
      navigation={(close) => (
        <>
          <AccountSwitch onSwitch={close} />
          {membership !== null && <Navigation onNavigate={close} />}
        </>
      )}
      menu={<UserMenu />}
    >
      {membership === null ? (
        <NoAccount />
      ) : (
        <DataModeContext key={membership.account.id} value={mode === 'TEST' ? mode : 'LIVE'}>
          <Outlet />
        </DataModeContext>
      )}
    </Frame>
  );
}

const NoAccount = () => (
  <Screen title="No account">
    <Text>
      You are not a member of this account, or it is not active. Select another account if you have one, or ask an owner for an
      invitation.
    </Text>
    <SuspendedAccounts />
  </Screen>
);
