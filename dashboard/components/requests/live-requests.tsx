/** The live view of the request log: the latest requests, read again every few seconds while the page is visible. */
import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { selectedAccount } from '../../graph/app.ts';
import type { RequestError } from '../../graph/request-error.ts';
import { LiveControls } from '../live-controls.tsx';
import { QueryResult } from '../query-result.tsx';
import type { RequestFilter } from './requests-search.ts';

const rows = 50;

interface LiveRequestsProps<Data> {
  readonly filter: RequestFilter;
  readonly pollEveryMs: number;
  /** Reads the first requests. */
  readonly read: (first: number, signal: AbortSignal) => Promise<Data>;
  /** The table of the requests. */
  readonly children: (data: Data) => ReactNode;
}

export function LiveRequests<Data>({ filter, pollEveryMs, read, children }: LiveRequestsProps<Data>) {
  const [isPaused, setPaused] = useState(false);
  const latest = useQuery<Data, RequestError>({
    queryKey: ['latest requests', filter, selectedAccount.get()],
    queryFn: ({ signal }) => read(rows, signal),
    enabled: !isPaused,
    refetchInterval: pollEveryMs,
    gcTime: 0,
  });
  return (
    <>
      <LiveControls name="requests" rows={rows} isPaused={isPaused} setPaused={setPaused} />
      <VisuallyHidden role="status">{isPaused ? 'Paused' : 'Live'}</VisuallyHidden>
      <QueryResult query={latest} name="requests">
        {children}
      </QueryResult>
    </>
  );
}
