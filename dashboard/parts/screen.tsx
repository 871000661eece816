/** What every screen begins with: its title (also the window's), a sentence, and what can be done here. */
import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

interface ScreenProps {
  readonly title: string;
  readonly says?: ReactNode;
  /** Buttons, the most important last. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Screen({ title, says, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · Talent Platform`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box>
          <Title order={1}>{title}</Title>
          {says !== undefined && <Text c="dimmed">{says}</Text>}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
