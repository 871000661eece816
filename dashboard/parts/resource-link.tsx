/** Leads to the screen of what the platform names by kind and id, where there is one. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { AccountLink, KeyLink } from './links.tsx';

interface NamedProps {
  readonly id: string;
  /** What is read. */
  readonly name: string;
}

const AdministratorLink = ({ name }: NamedProps) => (
  <Anchor inherit renderRoot={(props) => <Link to="/administrators" {...props} />}>
    {name}
  </Anchor>
);

const ReportLink = ({ name }: NamedProps) => (
  <Anchor inherit renderRoot={(props) => <Link to="/moderation" search={{ queue: 'reports' }} {...props} />}>
    {name}
  </Anchor>
);

const links: Readonly<Record<string, ComponentType<NamedProps>>> = {
  api_key: KeyLink,
  account: AccountLink,
  administrator: AdministratorLink,
  report: ReportLink,
};

interface ResourceLinkProps extends NamedProps {
  /** As the audit log names it: `api_key`. */
  readonly type: string;
}

export function ResourceLink({ type, id, name }: ResourceLinkProps) {
  const To = links[type];
  return To === undefined ? <span>{name}</span> : <To id={id} name={name} />;
}
