/** The versions of a plan, newest first; what a version changed is marked, with what it was before. */
import { Mark, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { count, money } from '../../parts/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { PlanVersion } from './plan.tsx';

interface Row {
  readonly now: PlanVersion;
  /** The version before; the first has none. */
  readonly before: PlanVersion | undefined;
}

/** A fact of a version, marked where it is not what it was. */
const differs =
  (told: (version: PlanVersion) => string) =>
  ({ now, before }: Row): ReactNode => {
    const [text, was] = [told(now), before && told(before)];
    if (was === undefined || was === text) return text;
    return (
      <Stack gap={0}>
        <Mark fw={600}>{text}</Mark>
        <Text size="xs" c="dimmed">
          was {was}
        </Text>
      </Stack>
    );
  };

const columns: readonly Column<Row>[] = [
  { title: 'Version', cell: ({ now }) => now.version, numeric: true },
  { title: 'Status', cell: ({ now }) => <StatusBadge status={now.status} /> },
  { title: 'Name', cell: differs(({ name }) => name) },
  { title: 'A minute', cell: differs(({ limits }) => count(limits.burstPerMinute)), numeric: true },
  { title: 'A day', cell: differs(({ limits }) => count(limits.perDay)), numeric: true },
  { title: 'A month', cell: differs(({ limits }) => count(limits.perMonth)), numeric: true },
  { title: 'Price a month', cell: differs(({ price }) => money(price)), numeric: true },
  { title: 'Writes', cell: differs(({ writes }) => (writes ? 'Yes' : 'No')) },
  { title: 'Webhooks', cell: differs(({ webhooks }) => count(webhooks)), numeric: true },
  { title: 'Streams', cell: differs(({ streams }) => count(streams)), numeric: true },
  { title: 'Live keys', cell: ({ now }) => count(now.liveKeys), numeric: true },
];

export const Versions = ({ of }: { readonly of: readonly PlanVersion[] }) => (
  <DataTable
    label="Versions, newest first"
    columns={columns}
    rows={of.map((now, index) => ({ now, before: of[index + 1] }))}
    rowKey={({ now }) => String(now.version)}
    empty={<Empty title="No versions" />}
  />
);
