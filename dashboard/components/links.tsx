/** Links to the screens of API keys, accounts, organizations, athletes, plans and saved searches. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

interface NamedLinkProps {
  readonly id: string;
  readonly name: string;
  /** `inherit` on a colored background. */
  readonly c?: 'inherit';
}

export const KeyLink = ({ id, name, c }: NamedLinkProps) => (
  <Anchor inherit c={c} underline="always" renderRoot={(props) => <Link to="/keys/$id" params={{ id }} {...props} />}>
    {name}
  </Anchor>
);

export const AccountLink = ({ id, name, c }: NamedLinkProps) => (
  <Anchor inherit c={c} underline="always" renderRoot={(props) => <Link to="/accounts/$id" params={{ id }} {...props} />}>
    {name}
  </Anchor>
);

export const OrganizationLink = ({ id, name, c }: NamedLinkProps) => (
  <Anchor
    inherit
    c={c}
    underline="always"
    renderRoot={(props) => <Link to="/moderation/organizations/$id" params={{ id }} {...props} />}
  >
    {name}
  </Anchor>
);

export const AthleteLink = ({ id, name, c }: NamedLinkProps) => (
  <Anchor
    inherit
    c={c}
    underline="always"
    renderRoot={(props) => <Link to="/moderation/athletes/$id" params={{ id }} {...props} />}
  >
    {name}
  </Anchor>
);

export const SavedSearchLink = ({ id, name, c }: NamedLinkProps) => (
  <Anchor
    inherit
    c={c}
    underline="always"
    renderRoot={(props) => <Link to="/saved-searches" search={{ search: id }} {...props} />}
  >
    {name}
  </Anchor>
);

export const PlanLink = ({ code, name }: { readonly code: string; readonly name: string }) => (
  <Anchor inherit underline="always" renderRoot={(props) => <Link to="/plans/$code" params={{ code }} {...props} />}>
    {name}
  </Anchor>
);
