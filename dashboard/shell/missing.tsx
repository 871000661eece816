/** An address that leads to no screen. */
import { Anchor, Center } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../parts/empty.tsx';

export function Missing() {
  return (
    <Center component="main" mih="60vh">
      <Empty title="There is nothing at this address">
        <Anchor component={Link} to="/" underline="always">
          To the overview
        </Anchor>
      </Empty>
    </Center>
  );
}
