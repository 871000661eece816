/** A list of links to screens, and below it links to pages outside of this single-page app. */
import { Divider, NavLink } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { Link, useRouterState, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface NavigationItem {
  readonly to: NonNullable<LinkProps['to']> & `/${string}`;
  readonly label: string;
  readonly icon: Icon;
  readonly badge?: ReactNode;
}

interface NavigationListProps {
  readonly items: readonly NavigationItem[];
  readonly pages: readonly { readonly href: string; readonly label: string; readonly icon: Icon }[];
  readonly onNavigate: () => void;
}

export function NavigationList({ items, pages, onNavigate }: NavigationListProps) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isCurrent = (to: string): boolean => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`));
  return (
    <>
      {items.map(({ to, label, icon: ItemIcon, badge }) => (
        <NavLink
          key={to}
          renderRoot={(props) => <Link to={to} {...props} />}
          label={label}
          leftSection={<ItemIcon size={18} aria-hidden />}
          rightSection={badge}
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
