/** The page for an unknown path. */
import { Anchor, Center, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/empty-state.tsx';

export function NotFound() {
  return (
    <Center component="main" mih="60vh">
      <EmptyState title={<Title order={1}>Page not found</Title>}>
        Check the address, or{' '}
        <Anchor component={Link} to="/" underline="always">
          go to the overview
        </Anchor>
        .
      </EmptyState>
    </Center>
  );
}
