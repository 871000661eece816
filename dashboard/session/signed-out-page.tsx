/** The layout of the pages without a session: sign-in and setup. */
import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Logo } from '../shell/logo.tsx';

interface SignedOutPageProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function SignedOutPage({ title, children }: SignedOutPageProps) {
  useEffect(() => {
    document.title = `${title} · Talent Platform`;
  }, [title]);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={400}>
        <Stack>
          <div>
            <Group gap="xs" mb="xs">
              <Logo />
              <Text fw={700} c="dimmed" size="sm">
                Talent Platform
              </Text>
            </Group>
            <Title order={1}>{title}</Title>
          </div>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
