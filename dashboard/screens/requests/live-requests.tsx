/** The live view of the request log: the latest requests, read again every two seconds while the page is visible. */
import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LoggedRequestFilter, LoggedRequestsQuery } from '../../generated/graphql.ts';
import { runOperation } from '../../graph/operations.ts';
import type { RequestError } from '../../graph/request-error.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { LiveControls } from '../../components/live-controls.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { requestsQuery } from './request-list.ts';
import { RequestTable } from './request-table.tsx';

const pollEveryMs = 2_000;
const rows = 50;

interface LiveRequestsProps {
  readonly filter: LoggedRequestFilter;
  readonly onSelect: (id: string) => void;
}

export function LiveRequests({ filter, onSelect }: LiveRequestsProps) {
  const [isPaused, setPaused] = useState(false);
  const latest = useQuery<LoggedRequestsQuery, RequestError>({
    queryKey: ['latest requests', filter],
    queryFn: ({ signal }) => runOperation(requestsQuery, { first: rows, after: null, filter }, { signal, background: true }),
    enabled: !isPaused,
    refetchInterval: pollEveryMs,
    gcTime: 0,
  });
  return (
    <>
      <LiveControls name="requests" rows={rows} isPaused={isPaused} setPaused={setPaused} />
      <VisuallyHidden role="status">{isPaused ? 'Paused' : 'Live'}</VisuallyHidden>
      <QueryResult query={latest} name="requests">
        {({ requests: page }) => (
          <RequestTable
            requests={page?.nodes ?? []}
            onSelect={onSelect}
            empty={<EmptyState title="No requests yet">New requests appear here within seconds.</EmptyState>}
          />
        )}
      </QueryResult>
    </>
  );
}
