/** The last requests of a key: what was asked, never with which values. */
import { Code } from '@mantine/core';
import type { ApiKeyRequestsQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { duration } from '../../parts/numbers.ts';
import { Section } from '../../parts/section.tsx';

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
  { title: 'When', cell: ({ at }) => <Moment at={at} seconds /> },
  { title: 'Operation', cell: ({ operation }) => operation ?? 'No known one' },
  { title: 'Area', cell: ({ area }) => area ?? '–' },
  { title: 'Status', cell: ({ status }) => status, numeric: true },
  { title: 'Took', cell: ({ durationMs }) => duration(durationMs), numeric: true },
  { title: 'Request id', cell: ({ requestId }) => <Code style={{ whiteSpace: 'nowrap' }}>{requestId}</Code> },
];

const refreshMs = 15_000;

export function RecentRequests({ id }: { readonly id: string }) {
  const requests = useAsk(keyRequestsQuery, { id }, { everyMs: refreshMs });
  return (
    <Section title="Recent requests">
      <Answered of={requests} name="the recent requests" lines={4}>
        {({ apiKey }) => (
          <DataTable
            label="The last requests"
            columns={columns}
            rows={apiKey?.recentRequests ?? []}
            rowKey={({ at, requestId }) => `${at} ${requestId}`}
            empty={<Empty title="Nothing was asked yet">What it asks is shown here some seconds later.</Empty>}
          />
        )}
      </Answered>
    </Section>
  );
}
