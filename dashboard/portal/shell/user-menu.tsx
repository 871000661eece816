/** The menu of the signed-in user. */
import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconLogout, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSignOut } from '../../session/sign-out.ts';
import { useUser } from '../session/account.ts';

export function UserMenu() {
  const session = useUser();
  const signOut = useSignOut();
  if (session === null) return null;
  const { name, email } = session.user;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="default"
          maw={{ base: 150, sm: 260 }}
          leftSection={<IconUser size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          <Text component="span" inherit truncate>
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="xs" truncate>
            {email}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} aria-hidden />}>
          Your profile
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate('current')}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
