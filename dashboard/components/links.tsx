/** Links to the screens of resources. */
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

export const PortalUserLink = ({ id, name, c }: NamedLinkProps) => (
  <Anchor inherit c={c} underline="always" renderRoot={(props) => <Link to="/portal-users/$id" params={{ id }} {...props} />}>
    {name}
  </Anchor>
);

export const PlanRequestLink = ({ id, name, c }: NamedLinkProps) => (
  <Anchor
    inherit
    c={c}
    underline="always"
    renderRoot={(props) => <Link to="/partner-requests/plans/$id" params={{ id }} {...props} />}
  >
    {name}
  </Anchor>
);

export const VerificationRequestLink = ({ id, name, c }: NamedLinkProps) => (
  <Anchor
    inherit
    c={c}
    underline="always"
    renderRoot={(props) => <Link to="/partner-requests/verifications/$id" params={{ id }} {...props} />}
  >
    {name}
  </Anchor>
);

/** Opens the details over the current page of the list. */
export const AnnouncementLink = ({ id, name, c }: NamedLinkProps) => (
  <Anchor
    inherit
    c={c}
    underline="always"
    renderRoot={(props) => (
      <Link
        to="/announcements"
        search={(current) => ({ after: current.after, announcement: id })}
        state={(state) => state}
        resetScroll={false}
        {...props}
      />
    )}
  >
    {name}
  </Anchor>
);

export const PlanLink = ({ code, name }: { readonly code: string; readonly name: string }) => (
  <Anchor inherit underline="always" renderRoot={(props) => <Link to="/plans/$code" params={{ code }} {...props} />}>
    {name}
  </Anchor>
);
