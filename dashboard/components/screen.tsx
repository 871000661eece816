/** The layout of a screen: title (also of the window), description and action buttons. */
import { Box, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';

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
  const [firstTitle] = useState(title);
  return (
    <Stack gap="lg">
      {/* navigation focuses the first title (shell/heading-focus.ts); a name that loads later is announced */}
      <VisuallyHidden role="status">{title !== firstTitle && title}</VisuallyHidden>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box>
          <Title order={1} tabIndex={-1}>
            {title}
          </Title>
          {description !== undefined && <Text c="dimmed">{description}</Text>}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
