/** An address that leads to no screen. */
import { Anchor, Center, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../parts/empty.tsx';

export function Missing() {
  return (
    <Center component="main" mih="60vh">
      <Empty title={<Title order={1}>There is nothing at this address</Title>}>
        <Anchor component={Link} to="/" underline="always">
          To the overview
        </Anchor>
      </Empty>
    </Center>
  );
}
