/** Follows the event log: polls for events after the last one, and holds the latest of them. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { selectedAccount } from '../../graph/app.ts';
import { useDataMode, type DataMode } from '../../graph/data-mode.ts';
import type { RequestError } from '../../graph/request-error.ts';
import type { ListedEvent } from './event-table.tsx';

/** Rows that the page holds at most. */
export const rowsMax = 200;
/** Events of one poll; the first one displays fewer. */
const pollMax = 100;
const initialMax = 20;

/** One page of the log. */
export interface TailPage<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly nextCursor: string | null };
}

/** How the tail reads the log. */
export interface TailSource<Row> {
  /** The filters, in the key of the query. */
  readonly filter: object;
  readonly pollEveryMs: number;
  /** Reads the newest events after a position; null: the newest ones. */
  readonly read: (
    page: { readonly first: number; readonly afterSequence: number | null },
    options: { readonly signal: AbortSignal; readonly background: boolean; readonly mode: DataMode },
  ) => Promise<TailPage<Row> | null>;
}

export interface Tail<Row> {
  /** Newest first. */
  readonly events: readonly Row[];
  /** Events that arrived since the start. */
  readonly received: number;
  /** Whether more events arrived than a poll returns. */
  readonly hasGaps: boolean;
}

/** The tail after a poll. */
export function extendTail<Row>(known: Tail<Row> | undefined, { nodes, pageInfo }: TailPage<Row>): Tail<Row> {
  if (known === undefined) return { events: nodes, received: 0, hasGaps: false };
  return {
    events: [...nodes, ...known.events].slice(0, rowsMax),
    received: known.received + nodes.length,
    hasGaps: known.hasGaps || pageInfo.nextCursor !== null,
  };
}

/** Polls while the page is visible and not paused, and continues after the last event. */
export function useEventTail<Row extends ListedEvent>(
  { filter, pollEveryMs, read }: TailSource<Row>,
  isPaused: boolean,
): UseQueryResult<Tail<Row>, RequestError> {
  const client = useQueryClient();
  const mode = useDataMode();
  const queryKey = ['event tail', filter, selectedAccount.get(), mode];
  return useQuery<Tail<Row>, RequestError>({
    queryKey,
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<Tail<Row>>(queryKey);
      const afterSequence = known?.events[0]?.sequence ?? (known && 0) ?? null;
      const first = known ? pollMax : initialMax;
      const page = await read({ first, afterSequence }, { signal, background: known !== undefined, mode });
      return extendTail(known, page ?? { nodes: [], pageInfo: { nextCursor: null } });
    },
    enabled: !isPaused,
    refetchInterval: pollEveryMs,
    gcTime: 0,
    structuralSharing: false,
  });
}
