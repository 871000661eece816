/** A table of events with a button for the details of each. */
import { Button, Code, Stack, Text } from '@mantine/core';
import { useMemo, type ComponentType, type ReactNode } from 'react';
import type { EventLogQuery } from '../../generated/graphql.ts';
import { DataTable, type Column } from '../data-table.tsx';
import { enumLabel } from '../enum-label.ts';
import { Timestamp } from '../timestamp.tsx';

/** What the lists of the dashboard and the portal select. */
export type ListedEvent = Omit<NonNullable<EventLogQuery['eventLog']>['nodes'][number], 'account'>;

/** Displays the ID of a resource, with a link if the app has a screen for its type. */
export type ResourceName = ComponentType<{ readonly type: string; readonly id: string }>;

export const eventColumns = (Name: ResourceName): readonly Column<ListedEvent>[] => [
  { title: 'Time', cell: ({ timestamp }) => <Timestamp at={timestamp} seconds /> },
  { title: 'Type', cell: ({ type }) => <Code style={{ whiteSpace: 'nowrap' }}>{type}</Code> },
  { title: 'Area', cell: ({ area }) => enumLabel(area) },
  {
    title: 'Resource',
    cell: ({ resource: { type, id } }) => (
      <Stack gap={0}>
        <Text inherit>{enumLabel(type)}</Text>
        <Text component="span" size="xs" c="dimmed" ff="monospace" style={{ whiteSpace: 'nowrap' }}>
          <Name type={type} id={id} />
        </Text>
      </Stack>
    ),
  },
];

export const sequenceColumn: Column<ListedEvent> = { title: 'Sequence', cell: ({ sequence }) => sequence, numeric: true };

const detailsColumn = (onSelect: (id: string) => void): Column<ListedEvent> => ({
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
});

interface EventTableProps<Row extends ListedEvent> {
  readonly columns: readonly Column<Row>[];
  readonly events: readonly Row[];
  readonly onSelect: (id: string) => void;
  readonly pageInfo?: { readonly nextCursor: string | null } | undefined;
  readonly empty: ReactNode;
}

export function EventTable<Row extends ListedEvent>({ columns, events, onSelect, pageInfo, empty }: EventTableProps<Row>) {
  const all = useMemo(() => [...columns, detailsColumn(onSelect)], [columns, onSelect]);
  return (
    <DataTable label="Events" columns={all} rows={events} rowKey={({ id }) => id} {...(pageInfo && { pageInfo })} empty={empty} />
  );
}
