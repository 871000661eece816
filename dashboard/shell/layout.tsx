/** The frame of the dashboard with its navigation. */
import { Outlet } from '@tanstack/react-router';
import { CommandPalette } from './command-palette.tsx';
import { Frame } from './frame.tsx';
import { Navigation } from './navigation.tsx';
import { UserMenu } from './user-menu.tsx';

export const Layout = () => (
  <Frame
    navigation={(close) => <Navigation onNavigate={close} />}
    menu={
      <>
        <CommandPalette />
        <UserMenu />
      </>
    }
  >
    <Outlet />
  </Frame>
);
