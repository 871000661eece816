/** Links to the screen of a resource by its type and id; plain text for types without a screen. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import {
  AccountLink,
  AthleteLink,
  KeyLink,
  OrganizationLink,
  PlanRequestLink,
  PortalUserLink,
  SavedSearchLink,
  VerificationRequestLink,
} from './links.tsx';
import { WebhookLink } from './webhooks/webhook-link.tsx';

interface NamedProps {
  readonly id: string;
  /** The text of the link. */
  readonly name: string;
}

const AdministratorLink = ({ name }: NamedProps) => (
  <Anchor inherit underline="always" renderRoot={(props) => <Link to="/administrators" {...props} />}>
    {name}
  </Anchor>
);

const ReportLink = ({ name }: NamedProps) => (
  <Anchor inherit underline="always" renderRoot={(props) => <Link to="/moderation" search={{ queue: 'reports' }} {...props} />}>
    {name}
  </Anchor>
);

const links: Readonly<Record<string, ComponentType<NamedProps>>> = {
  api_key: KeyLink,
  account: AccountLink,
  athlete: AthleteLink,
  organization: OrganizationLink,
  administrator: AdministratorLink,
  plan_request: PlanRequestLink,
  portal_user: PortalUserLink,
  report: ReportLink,
  verification_request: VerificationRequestLink,
  webhook_endpoint: WebhookLink,
  saved_search: SavedSearchLink,
};

interface ResourceLinkProps extends NamedProps {
  /** The resource type of the audit log: `api_key`. */
  readonly type: string;
}

export function ResourceLink({ type, id, name }: ResourceLinkProps) {
  const TypedLink = links[type];
  return TypedLink === undefined ? <span>{name}</span> : <TypedLink id={id} name={name} />;
}
