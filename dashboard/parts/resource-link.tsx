/** Leads to the screen of a resource, where there is one. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

const screens: Readonly<Record<string, (id: string) => string>> = {
  api_key: (id) => `/keys/${id}`,
  account: (id) => `/accounts/${id}`,
  administrator: () => '/administrators',
};

interface ResourceLinkProps {
  /** As the audit log names it: `api_key`. */
  readonly type: string;
  readonly id: string;
  /** What is read: its name. */
  readonly children: ReactNode;
}

export function ResourceLink({ type, id, children }: ResourceLinkProps) {
  const screen = screens[type];
  if (screen === undefined)
    return (
      <Text component="span" inherit>
        {children}
      </Text>
    );
  return (
    <Anchor component={Link} to={screen(id)} inherit>
      {children}
    </Anchor>
  );
}
