/** The table of requests, for the pages of the log and for the live view. */
import { Button, Stack, Text } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import type { RequestApi } from '../../generated/graphql.ts';
import { DataTable, type Column } from '../data-table.tsx';
import { formatDuration } from '../number-format.ts';
import { Timestamp } from '../timestamp.tsx';
import { operationName } from './operation-name.ts';
import { RequestOutcome } from './request-outcome.tsx';

/** What the table displays of a request. */
export interface RequestRow {
  readonly id: string;
  readonly at: string;
  readonly api: RequestApi;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  readonly status: number;
  readonly errorCode: string | null;
  readonly durationMs: number;
  readonly requestId: string;
}

const requestColumns: readonly Column<RequestRow>[] = [
  { title: 'Time', cell: ({ at }) => <Timestamp at={at} seconds /> },
  { title: 'Status', cell: (row) => <RequestOutcome {...row} /> },
  {
    title: 'Request',
    cell: ({ api, method, path, operation }) => (
      <Stack gap={0} miw={220}>
        <Text inherit style={{ overflowWrap: 'anywhere' }}>
          {operationName(api, operation)}
        </Text>
        {`${method} ${path}` !== operation && (
          <Text component="span" size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {method} {path}
          </Text>
        )}
      </Stack>
    ),
  },
];

const durationColumn: Column<RequestRow> = {
  title: 'Duration',
  cell: ({ durationMs }) => formatDuration(durationMs),
  numeric: true,
};

const detailsColumn = (onSelect: (id: string) => void): Column<RequestRow> => ({
  title: 'Details',
  cell: ({ id, requestId }) => (
    <Button size="compact-sm" variant="default" onClick={() => onSelect(id)} aria-label={`Details of request ${requestId}`}>
      Details
    </Button>
  ),
});

interface RequestTableProps<Row extends RequestRow> {
  readonly requests: readonly Row[];
  /** The columns between the request and its duration: whose request it is. */
  readonly ownerColumns: readonly Column<Row>[];
  readonly onSelect: (id: string) => void;
  readonly pageInfo?: { readonly nextCursor: string | null } | undefined;
  readonly empty: ReactNode;
}

export function RequestTable<Row extends RequestRow>(props: RequestTableProps<Row>) {
  const { requests, ownerColumns, onSelect, pageInfo, empty } = props;
  const columns = useMemo(
    () => [...requestColumns, ...ownerColumns, durationColumn, detailsColumn(onSelect)],
    [ownerColumns, onSelect],
  );
  return (
    <DataTable
      label="Requests"
      columns={columns}
      rows={requests}
      rowKey={({ id }) => id}
      {...(pageInfo && { pageInfo })}
      empty={empty}
    />
  );
}
