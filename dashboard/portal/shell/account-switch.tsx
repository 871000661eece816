/** Displays the chosen account, and switches between the accounts of the user. */
import { Box, Select, Text } from '@mantine/core';
import { enumLabel } from '../../components/enum-label.ts';
import { useMembership, usableMemberships, useSwitchAccount, useUser } from '../session/account.ts';

export function AccountSwitch({ onSwitch }: { readonly onSwitch: () => void }) {
  const session = useUser();
  const membership = useMembership();
  const switchAccount = useSwitchAccount();
  if (session === null) return null;
  const account = membership?.account;
  const choices = usableMemberships(session);
  const hasChoice = choices.some((choice) => choice.account.id !== account?.id);
  if (account === undefined && !hasChoice) return null;
  return (
    <Box px="xs" pb="sm">
      {hasChoice ? (
        <Select
          aria-label="Account"
          placeholder="Select an account"
          value={account?.id ?? null}
          allowDeselect={false}
          searchable={choices.length > 8}
          data={choices.map((choice) => ({ value: choice.account.id, label: choice.account.name }))}
          onChange={(id) => {
            if (id === null || id === account?.id) return;
            switchAccount(id);
            onSwitch();
          }}
        />
      ) : (
        <Text fw={600} truncate title={account?.name}>
          {account?.name}
        </Text>
      )}
      {membership !== null && (
        <Text size="xs" c="dimmed" mt={2}>
          {enumLabel(membership.role)}
        </Text>
      )}
    </Box>
  );
}
