/** A link to the details of an event. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export const EventLink = ({ id }: { readonly id: string }) => (
  <Anchor
    inherit
    underline="always"
    ff="monospace"
    renderRoot={(props) => <Link to="/events" search={{ event: id }} {...props} />}
  >
    {id}
  </Anchor>
);
