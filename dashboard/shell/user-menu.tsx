/** The menu of the signed-in administrator: account settings, density of tables, and sign-out. */
import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconLogout, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { enumLabel } from '../components/enum-label.ts';
import { useTableDensity } from '../components/table-density.ts';
import { useSignedIn } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';

export function UserMenu() {
  const session = useSignedIn();
  const signOut = useSignOut();
  const [density, setDensity] = useTableDensity();
  if (session === null) return null;
  const { name, email, role } = session.administrator;
  return (
    <Menu position="bottom-end" width={220} withinPortal={false} withInitialFocusPlaceholder={false}>
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
        <Menu.Item component={Link} to="/own-account" leftSection={<IconUser size={16} aria-hidden />}>
          Your account
          <Text size="xs" truncate>
            {email}
          </Text>
          <Text size="xs">{enumLabel(role)}</Text>
        </Menu.Item>
        <Menu.CheckboxItem
          closeMenuOnClick={false}
          checked={density === 'COMPACT'}
          onChange={(isCompact) => setDensity(isCompact ? 'COMPACT' : 'COMFORTABLE')}
        >
          Compact tables
        </Menu.CheckboxItem>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate('current')}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
