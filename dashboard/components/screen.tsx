/** The layout of a screen: title (also of the window), description and action buttons. */
import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

interface ScreenProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons, the primary one last. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Screen({ title, description, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · Talent Platform`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box>
          <Title order={1}>{title}</Title>
          {description !== undefined && <Text c="dimmed">{description}</Text>}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
