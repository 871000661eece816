/** Replaces an empty list: says why it is empty and what to do next. */
import { Stack, Text, ThemeIcon } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** "No keys yet" */
  readonly title: ReactNode;
  readonly children?: ReactNode;
  /** A button or link for the next step. */
  readonly action?: ReactNode;
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" ta="center">
      <ThemeIcon variant="light" color="gray" size="xl" radius="xl" aria-hidden>
        <IconInbox />
      </ThemeIcon>
      <Text component="div" fw={600}>
        {title}
      </Text>
      <Text component="div" c="dimmed" maw="28rem">
        {children}
      </Text>
      {action}
    </Stack>
  );
}
