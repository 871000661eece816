/** The latest requests of an API key. The platform does not record their arguments. */
import type { ApiKeyRequestsQuery } from '../../generated/graphql.ts';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { CopyableId } from '../../components/copyable-id.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatDuration } from '../../components/number-format.ts';
import { Section } from '../../components/section.tsx';

const keyRequestsQuery = graphql(`
  query ApiKeyRequests($id: ID!) {
    apiKey(id: $id) {
      recentRequests(first: 20) {
        at
        operation
        area
        status
        durationMs
        requestId
      }
    }
  }
`);

type Request = NonNullable<NonNullable<ApiKeyRequestsQuery['apiKey']>['recentRequests']>[number];

const columns: readonly Column<Request>[] = [
  { title: 'Time', cell: ({ at }) => <Timestamp at={at} seconds /> },
  { title: 'Operation', cell: ({ operation }) => operation ?? 'Unknown' },
  { title: 'Area', cell: ({ area }) => area ?? '–' },
  { title: 'Status', cell: ({ status }) => status, numeric: true },
  { title: 'Duration', cell: ({ durationMs }) => formatDuration(durationMs), numeric: true },
  { title: 'Request ID', cell: ({ requestId }) => <CopyableId label="request ID" id={requestId} size="xs" /> },
];

export function RecentRequests({ id }: { readonly id: string }) {
  const requests = useGraphQuery(keyRequestsQuery, { id }, { refetchEveryMs });
  return (
    <Section title="Recent requests">
      <QueryResult query={requests} name="recent requests" lines={4}>
        {({ apiKey }) => (
          <DataTable
            label="Recent requests"
            columns={columns}
            rows={apiKey?.recentRequests ?? []}
            rowKey={({ at, requestId }) => `${at} ${requestId}`}
            empty={<EmptyState title="No requests yet">Requests appear here within a few seconds.</EmptyState>}
          />
        )}
      </QueryResult>
    </Section>
  );
}
