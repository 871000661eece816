/** Who is signed in, the own account, and the way out. */
import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconLogout, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSignedIn } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';

export function WhoMenu() {
  const session = useSignedIn();
  const signOut = useSignOut();
  if (session === null) return null;
  const { name, email, role } = session.administrator;
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
          {role.charAt(0) + role.slice(1).toLowerCase()}
        </Menu.Label>
        <Menu.Item component={Link} to="/own-account" leftSection={<IconUser size={16} aria-hidden />}>
          Own account
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate('here')}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
