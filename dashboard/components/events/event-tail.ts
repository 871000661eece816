/** Follows the event log: polls for events after the last one, and holds the latest of them. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { EventLogFilter, EventLogQuery } from '../../generated/graphql.ts';
import { runOperation } from '../../graph/operations.ts';
import type { RequestError } from '../../graph/request-error.ts';
import { eventLogQuery, type LogEvent } from './event-log.ts';

export const pollEveryMs = 2_000;
/** Rows that the page holds at most. */
export const rowsMax = 200;
/** Events of one poll; the first one displays fewer. */
const pollMax = 100;
const initialMax = 20;

export interface Tail {
  /** Newest first. */
  readonly events: readonly LogEvent[];
  /** Events that arrived since the start. */
  readonly received: number;
  /** Whether more events arrived than a poll returns. */
  readonly hasGaps: boolean;
}

/** The tail after a poll. */
export function extendTail(known: Tail | undefined, { nodes, pageInfo }: NonNullable<EventLogQuery['eventLog']>): Tail {
  if (known === undefined) return { events: nodes, received: 0, hasGaps: false };
  return {
    events: [...nodes, ...known.events].slice(0, rowsMax),
    received: known.received + nodes.length,
    hasGaps: known.hasGaps || pageInfo.nextCursor !== null,
  };
}

/** Polls while the page is visible and not paused, and continues after the last event. */
export function useEventTail(filter: EventLogFilter, isPaused: boolean): UseQueryResult<Tail, RequestError> {
  const client = useQueryClient();
  const queryKey = ['event tail', filter];
  return useQuery<Tail, RequestError>({
    queryKey,
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<Tail>(queryKey);
      const afterSequence = known?.events[0]?.sequence ?? (known && 0) ?? null;
      const variables = { first: known ? pollMax : initialMax, after: null, filter: { ...filter, afterSequence } };
      const { eventLog } = await runOperation(eventLogQuery, variables, { signal, background: known !== undefined });
      return extendTail(known, eventLog ?? { nodes: [], pageInfo: { nextCursor: null } });
    },
    enabled: !isPaused,
    refetchInterval: pollEveryMs,
    gcTime: 0,
    structuralSharing: false,
  });
}
