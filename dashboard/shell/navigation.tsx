/** The ways through the dashboard: a row for each screen that is in the navigation. */
import { Divider, NavLink } from '@mantine/core';
import {
  IconBook2,
  IconGavel,
  IconHistory,
  IconHome,
  IconKey,
  IconStack2,
  IconTerminal2,
  IconUsers,
  IconUsersGroup,
  type Icon,
} from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';

interface Way {
  readonly to: '/' | '/keys' | '/accounts' | '/plans' | '/moderation' | '/audit' | '/administrators';
  readonly label: string;
  readonly icon: Icon;
}

const ways: readonly Way[] = [
  { to: '/', label: 'Overview', icon: IconHome },
  { to: '/keys', label: 'Keys', icon: IconKey },
  { to: '/accounts', label: 'Accounts', icon: IconUsers },
  { to: '/plans', label: 'Plans', icon: IconStack2 },
  { to: '/moderation', label: 'Moderation', icon: IconGavel },
  { to: '/audit', label: 'Audit', icon: IconHistory },
  { to: '/administrators', label: 'Administrators', icon: IconUsersGroup },
];

/** What is no screen of ours, but a page of its own. */
const pages = [
  { href: '/admin/explorer', label: 'Explorer', icon: IconTerminal2 },
  { href: '/docs', label: 'REST reference', icon: IconBook2 },
] as const;

export function Navigation({ onGo }: { readonly onGo: () => void }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isAt = (to: string): boolean => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`));
  return (
    <>
      {ways.map(({ to, label, icon: Sign }) => (
        <NavLink
          key={to}
          renderRoot={(props) => <Link to={to} {...props} />}
          label={label}
          leftSection={<Sign size={18} aria-hidden />}
          active={isAt(to)}
          aria-current={isAt(to) ? 'page' : undefined}
          onClick={onGo}
        />
      ))}
      <Divider my="xs" />
      {pages.map(({ href, label, icon: Sign }) => (
        <NavLink key={href} href={href} label={label} leftSection={<Sign size={18} aria-hidden />} />
      ))}
    </>
  );
}
