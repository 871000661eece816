/** What stands where a role may not act: once a screen, instead of its buttons. */
import { Text } from '@mantine/core';

export const LooksOnly = () => (
  <Text size="sm" c="dimmed">
    Your role looks only.
  </Text>
);
