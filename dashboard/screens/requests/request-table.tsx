/** The table of requests, for the pages of the log and for the live view. */
import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { AccountLink, KeyLink } from '../../components/links.tsx';
import { formatDuration } from '../../components/number-format.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import { operationName } from './operation-name.ts';
import type { RequestRow } from './request-list.ts';
import { RequestOutcome } from './request-outcome.tsx';

const columns: readonly Column<RequestRow>[] = [
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
  { title: 'API key', cell: ({ apiKey }) => (apiKey === null ? '–' : <KeyLink {...apiKey} />) },
  { title: 'Account', cell: ({ account }) => (account === null ? '–' : <AccountLink {...account} />) },
  { title: 'Duration', cell: ({ durationMs }) => formatDuration(durationMs), numeric: true },
];

interface RequestTableProps {
  readonly requests: readonly RequestRow[];
  readonly onSelect: (id: string) => void;
  readonly pageInfo?: { readonly nextCursor: string | null } | undefined;
  readonly empty: ReactNode;
}

export function RequestTable({ requests, onSelect, pageInfo, empty }: RequestTableProps) {
  const details: Column<RequestRow> = {
    title: 'Details',
    cell: ({ id, requestId }) => (
      <Button size="compact-sm" variant="default" onClick={() => onSelect(id)} aria-label={`Details of request ${requestId}`}>
        Details
      </Button>
    ),
  };
  return (
    <DataTable
      label="Requests"
      columns={[...columns, details]}
      rows={requests}
      rowKey={({ id }) => id}
      {...(pageInfo && { pageInfo })}
      empty={empty}
    />
  );
}
