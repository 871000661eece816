/** The versions of a plan, newest first. Changed values are highlighted, with the previous value. */
import { Mark, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatCount, formatMoney } from '../../components/number-format.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { PlanVersion } from './plan.tsx';

interface Row {
  readonly version: PlanVersion;
  /** The previous version; undefined for the first. */
  readonly previous: PlanVersion | undefined;
}

/** Renders a value of a version, highlighted when the previous version has another value. */
const changed =
  (valueOf: (version: PlanVersion) => string) =>
  ({ version, previous }: Row): ReactNode => {
    const [value, previousValue] = [valueOf(version), previous && valueOf(previous)];
    if (previousValue === undefined || previousValue === value) return value;
    return (
      <Stack gap={0}>
        <Mark fw={600}>{value}</Mark>
        <Text size="xs" c="dimmed">
          was {previousValue}
        </Text>
      </Stack>
    );
  };

const columns: readonly Column<Row>[] = [
  { title: 'Version', cell: ({ version }) => version.version, numeric: true },
  { title: 'Status', cell: ({ version }) => <StatusBadge status={version.status} /> },
  { title: 'Name', cell: changed(({ name }) => name) },
  { title: 'Per minute', cell: changed(({ limits }) => formatCount(limits.burstPerMinute)), numeric: true },
  { title: 'Per day', cell: changed(({ limits }) => formatCount(limits.perDay)), numeric: true },
  { title: 'Per month', cell: changed(({ limits }) => formatCount(limits.perMonth)), numeric: true },
  { title: 'Monthly price', cell: changed(({ price }) => formatMoney(price)), numeric: true },
  { title: 'Writes', cell: changed(({ writes }) => (writes ? 'Yes' : 'No')) },
  { title: 'Webhooks', cell: changed(({ webhooks }) => formatCount(webhooks)), numeric: true },
  { title: 'Streams', cell: changed(({ streams }) => formatCount(streams)), numeric: true },
  { title: 'Request log', cell: changed(({ requestLogDays }) => `${requestLogDays} days`), numeric: true },
  { title: 'Live keys', cell: ({ version }) => formatCount(version.liveKeys), numeric: true },
];

export const Versions = ({ versions }: { readonly versions: readonly PlanVersion[] }) => (
  <DataTable
    label="Versions, newest first"
    columns={columns}
    rows={versions.map((version, index) => ({ version, previous: versions[index + 1] }))}
    rowKey={({ version }) => String(version.version)}
    empty={<EmptyState title="No versions" />}
  />
);
