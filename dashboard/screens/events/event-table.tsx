/** The table of events, for the pages of the log and for the live tail. */
import { Button, Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { AccountLink } from '../../components/links.tsx';
import { ResourceLink } from '../../components/resource-link.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { LogEvent } from './event-log.ts';

const columns: readonly Column<LogEvent>[] = [
  { title: 'Time', cell: ({ timestamp }) => <Timestamp at={timestamp} seconds /> },
  { title: 'Type', cell: ({ type }) => <Code style={{ whiteSpace: 'nowrap' }}>{type}</Code> },
  { title: 'Area', cell: ({ area }) => enumLabel(area) },
  {
    title: 'Resource',
    cell: ({ resource: { type, id } }) => (
      <Stack gap={0}>
        <Text inherit>{enumLabel(type)}</Text>
        <Text component="span" size="xs" c="dimmed" ff="monospace" style={{ whiteSpace: 'nowrap' }}>
          <ResourceLink type={type} id={id} name={id} />
        </Text>
      </Stack>
    ),
  },
  { title: 'Account', cell: ({ account }) => (account === null ? '–' : <AccountLink {...account} />) },
  { title: 'Sequence', cell: ({ sequence }) => sequence, numeric: true },
];

interface EventTableProps {
  readonly events: readonly LogEvent[];
  readonly onSelect: (id: string) => void;
  readonly pageInfo?: { readonly nextCursor: string | null } | undefined;
  readonly empty: ReactNode;
}

export function EventTable({ events, onSelect, pageInfo, empty }: EventTableProps) {
  const details: Column<LogEvent> = {
    title: 'Details',
    cell: ({ id, type, sequence }) => (
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => onSelect(id)}
        aria-label={`Details of ${type}, sequence ${sequence}`}
      >
        Details
      </Button>
    ),
  };
  return (
    <DataTable
      label="Events"
      columns={[...columns, details]}
      rows={events}
      rowKey={({ id }) => id}
      {...(pageInfo && { pageInfo })}
      empty={empty}
    />
  );
}
