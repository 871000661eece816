/** Replaces data of minors for roles that cannot read it. */
import { Text } from '@mantine/core';

export const WithheldNotice = () => (
  <Text c="dimmed" size="sm">
    Your role does not read the data of minors. An owner, an administrator or a moderator can.
  </Text>
);
