/** Opens the workers of areas, which run next to the relay. */
import type { Logger } from 'pino';
import { createOutgoingClient } from '../platform/http/outgoing-client.ts';
import type { Leadership } from '../platform/events/leadership.ts';
import type { Worker } from '../platform/events/worker.ts';
import type { Subgraph } from '../subgraphs/runtime/subgraph.ts';

export interface WorkersOptions {
  readonly subgraphs: readonly Pick<Subgraph, 'workers'>[];
  /** Of the database of the areas with workers. The caller closes it after the workers. */
  readonly leadership: Leadership;
  /** Development: URLs of this machine and of private networks may be called. */
  readonly allowLocalUrls: boolean;
  readonly log: Logger;
  /** Interval of periodic work; default: that of each worker. Infinity: only on request. */
  readonly maintenanceMs?: number | undefined;
}

/** The workers as one, with the client for calls to other networks. */
export function openWorkers({ subgraphs, leadership, allowLocalUrls, log, maintenanceMs }: WorkersOptions): Worker {
  const outgoing = createOutgoingClient({ allowLocal: allowLocalUrls });
  const options = { leadership, outgoing, log, maintenanceMs };
  const workers = subgraphs.flatMap(({ workers: openings }) => openings.map((open) => open(options)));
  return {
    drain: async () => void (await Promise.all(workers.map((worker) => worker.drain()))),
    maintain: async () => void (await Promise.all(workers.map((worker) => worker.maintain()))),
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await outgoing.close();
    },
  };
}
