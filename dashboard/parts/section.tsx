/** A part of a screen with a heading of its own. */
import { Group, Paper, Stack, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  /** What can be chosen or done here. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, tools, children }: SectionProps) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} id={id}>
            {title}
          </Title>
          {tools}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
