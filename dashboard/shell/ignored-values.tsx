/** A notice about search parameters of the opened link that the screen does not know and therefore ignores. */
import { Alert } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useRouterState, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { enumLabel } from '../components/enum-label.ts';
import { app } from '../graph/app.ts';

/** The link that opened the page, before the router removes unknown values from it. */
const opened = new URL(window.location.href);

export function IgnoredValues() {
  const { pathname, href } = useRouterState({ select: ({ location }) => location });
  const known: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const [first] = useState({ pathname, href });
  // filters that were set later replace the link
  if (href !== first.href || `${app.base}${pathname}`.replace(/\/$/, '') !== opened.pathname.replace(/\/$/, '')) return null;
  const ignored = [...opened.searchParams].filter(([name]) => known[name] === undefined);
  if (ignored.length === 0) return null;
  const list = ignored.map(([name, value]) => `${enumLabel(name)}: ${value.slice(0, 100)}`).join(', ');
  return (
    <Alert color="gray" role="status" mb="md" icon={<IconLinkOff />}>
      Unknown values of the link are ignored. {list}
    </Alert>
  );
}
