/** The navigation: one row for each screen, and links to the explorer and the API reference. */
import { Divider, NavLink } from '@mantine/core';
import {
  IconActivityHeartbeat,
  IconArrowsTransferDown,
  IconBook2,
  IconGavel,
  IconHistory,
  IconHome,
  IconKey,
  IconListDetails,
  IconListSearch,
  IconStack2,
  IconTerminal2,
  IconTimelineEvent,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';

interface NavigationItem {
  readonly to:
    | '/'
    | '/keys'
    | '/requests'
    | '/accounts'
    | '/plans'
    | '/moderation'
    | '/webhooks'
    | '/saved-searches'
    | '/events'
    | '/event-delivery'
    | '/incidents'
    | '/audit'
    | '/portal-users'
    | '/administrators';
  readonly label: string;
  readonly icon: Icon;
}

const items: readonly NavigationItem[] = [
  { to: '/', label: 'Overview', icon: IconHome },
  { to: '/keys', label: 'API keys', icon: IconKey },
  { to: '/requests', label: 'Requests', icon: IconListDetails },
  { to: '/accounts', label: 'Accounts', icon: IconUsers },
  { to: '/plans', label: 'Plans', icon: IconStack2 },
  { to: '/moderation', label: 'Moderation', icon: IconGavel },
  { to: '/webhooks', label: 'Webhooks', icon: IconWebhook },
  { to: '/saved-searches', label: 'Saved searches', icon: IconListSearch },
  { to: '/events', label: 'Events', icon: IconTimelineEvent },
  { to: '/audit', label: 'Audit log', icon: IconHistory },
  { to: '/event-delivery', label: 'Event delivery', icon: IconArrowsTransferDown },
  { to: '/incidents', label: 'Incidents', icon: IconActivityHeartbeat },
  { to: '/portal-users', label: 'Portal users', icon: IconUserCircle },
  { to: '/administrators', label: 'Administrators', icon: IconUsersGroup },
];

/** Pages outside of this single-page app. */
const pages = [
  { href: '/admin/explorer', label: 'GraphQL explorer', icon: IconTerminal2 },
  { href: '/docs', label: 'REST API reference', icon: IconBook2 },
] as const;

export function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isCurrent = (to: string): boolean => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`));
  return (
    <>
      {items.map(({ to, label, icon: ItemIcon }) => (
        <NavLink
          key={to}
          renderRoot={(props) => <Link to={to} {...props} />}
          label={label}
          leftSection={<ItemIcon size={18} aria-hidden />}
          active={isCurrent(to)}
          aria-current={isCurrent(to) ? 'page' : undefined}
          onClick={onNavigate}
        />
      ))}
      <Divider my="xs" />
      {pages.map(({ href, label, icon: ItemIcon }) => (
        <NavLink key={href} href={href} label={label} leftSection={<ItemIcon size={18} aria-hidden />} />
      ))}
    </>
  );
}
