/** Replaces the actions of a screen for roles that send no requests to the operator. */
import { Text } from '@mantine/core';

export const OwnerNotice = () => (
  <Text size="sm" c="dimmed">
    Only owners can send requests.
  </Text>
);
