/** The table of requests of one kind, with the columns that both kinds share. */
import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { AccountLink } from '../../components/links.tsx';
import { hasFilter } from '../../components/list-search.ts';
import { NoMatches } from '../../components/no-matches.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { PartnerRequestsSearch, RequestKind } from './partner-requests-search.ts';

interface Request {
  readonly id: string;
  readonly createdAt: string;
  readonly note: string | null;
  readonly status: string;
  readonly decidedAt: string | null;
  readonly requestedBy: string;
  readonly account: { readonly id: string; readonly name: string };
}

interface RequestTableProps<Row extends Request> {
  readonly kind: RequestKind;
  /** The title of the first column. */
  readonly title: string;
  /** What is requested, as a link to the request. */
  readonly link: (request: Row) => ReactNode;
  readonly rows: readonly Row[];
  readonly pageInfo: { readonly nextCursor: string | null } | undefined;
  readonly search: PartnerRequestsSearch;
}

export function RequestTable<Row extends Request>({ kind, title, link, rows, pageInfo, search }: RequestTableProps<Row>) {
  const columns: readonly Column<Row>[] = [
    {
      title,
      cell: (request) => (
        <>
          <Text component="div" inherit fw={500} maw={360} miw={140} style={{ overflowWrap: 'anywhere' }}>
            {link(request)}
          </Text>
          {request.note !== null && (
            <Text size="xs" c="dimmed" lineClamp={2} maw={360}>
              {request.note}
            </Text>
          )}
        </>
      ),
    },
    { title: 'Account', cell: ({ account }) => <AccountLink {...account} /> },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Requested by', cell: ({ requestedBy }) => requestedBy },
    { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
    { title: 'Decided', cell: ({ decidedAt }) => <Timestamp at={decidedAt} /> },
  ];
  const { after: _, ...filters } = search;
  return (
    <DataTable
      label="Requests"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      pageInfo={pageInfo}
      empty={hasFilter(filters) ? <NoMatches title="No matching requests" /> : <NoOpenRequests kind={kind} />}
    />
  );
}

const NoOpenRequests = ({ kind }: { readonly kind: RequestKind }) => (
  <EmptyState
    title="No open requests"
    action={
      <Button
        variant="default"
        size="xs"
        renderRoot={(props) => <Link to="/partner-requests" search={{ queue: kind, status: 'ALL' }} {...props} />}
      >
        Show all requests
      </Button>
    }
  >
    Owners of accounts send requests in the partner portal.
  </EmptyState>
);
