/** A link to an API key of the account. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

interface KeyLinkProps {
  readonly id: string;
  readonly name: string;
  /** `inherit` on a colored background. */
  readonly c?: 'inherit';
}

export const KeyLink = ({ id, name, c }: KeyLinkProps) => (
  <Anchor inherit c={c} underline="always" renderRoot={(props) => <Link to="/keys/$id" params={{ id }} {...props} />}>
    {name}
  </Anchor>
);
