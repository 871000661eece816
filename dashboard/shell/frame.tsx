/** The frame of every screen: header, navigation, and messages about the session, the connection and the link. */
import { AppShell, Burger, Button, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ExpiryWarning } from '../session/expiry-warning.tsx';
import { SignInDialog } from '../session/sign-in-dialog.tsx';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import { useHeadingFocus } from './heading-focus.ts';
import { IgnoredValues } from './ignored-values.tsx';
import { Logo } from './logo.tsx';
import { OutageBanner } from './outage-banner.tsx';

interface FrameProps {
  readonly navigation: (close: () => void) => ReactNode;
  /** Controls at the end of the header, with the menu of the person. */
  readonly menu: ReactNode;
  readonly children: ReactNode;
}

export function Frame({ navigation, menu, children }: FrameProps) {
  const [opened, { toggle, close }] = useDisclosure(false);
  useHeadingFocus();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <Button component="a" href="#screen" className="skip-link">
        Skip to content
      </Button>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close navigation' : 'Open navigation'}
              aria-expanded={opened}
            />
            <Logo />
            <Text fw={700} truncate visibleFrom="xs">
              Talent Platform
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap" flex="none">
            <ColorSchemeSwitch />
            {menu}
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Main">
        <ScrollArea>{navigation(close)}</ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="screen" tabIndex={-1}>
        <OutageBanner />
        <ExpiryWarning />
        <IgnoredValues />
        {children}
      </AppShell.Main>
      <SignInDialog />
    </AppShell>
  );
}
