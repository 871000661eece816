/** A link to the screen of a webhook endpoint. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

interface WebhookLinkProps {
  readonly id: string;
  readonly name: string;
  /** `inherit` on a colored background. */
  readonly c?: 'inherit';
}

export const WebhookLink = ({ id, name, c }: WebhookLinkProps) => (
  <Anchor inherit c={c} underline="always" renderRoot={(props) => <Link to="/webhooks/$id" params={{ id }} {...props} />}>
    {name}
  </Anchor>
);
