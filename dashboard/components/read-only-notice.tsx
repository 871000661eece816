/** Replaces the action buttons of a screen for roles with read-only access. */
import { Text } from '@mantine/core';

export const ReadOnlyNotice = () => (
  <Text size="sm" c="dimmed">
    Your role has read-only access.
  </Text>
);
