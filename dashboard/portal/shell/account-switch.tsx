/** Displays the chosen account, and switches between the accounts of the user. */
import { Box, Select, Text } from '@mantine/core';
import { enumLabel } from '../../components/enum-label.ts';
import { useMembership, usableMemberships, useSwitchAccount, useUser } from '../session/account.ts';

export function AccountSwitch({ onSwitch }: { readonly onSwitch: () => void }) {
  const session = useUser();
  const membership = useMembership();
  const switchAccount = useSwitchAccount();
  if (session === null || membership === null) return null;
  const { account, role } = membership;
  const choices = usableMemberships(session);
  return (
    <Box px="xs" pb="sm">
      {choices.length > 1 ? (
        <Select
          aria-label="Account"
          value={account.id}
          allowDeselect={false}
          searchable={choices.length > 8}
          data={choices.map((choice) => ({ value: choice.account.id, label: choice.account.name }))}
          onChange={(id) => {
            if (id === null || id === account.id) return;
            switchAccount(id);
            onSwitch();
          }}
        />
      ) : (
        <Text fw={600} truncate title={account.name}>
          {account.name}
        </Text>
      )}
      <Text size="xs" c="dimmed" mt={2}>
        {enumLabel(role)}
      </Text>
    </Box>
  );
}
