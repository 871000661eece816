/** A worker of an area: work in the background that runs next to the relay. */
import type { Logger } from 'pino';
import type { OutgoingClient } from '../http/outgoing-client.ts';
import type { Leadership } from './leadership.ts';

export interface WorkerOptions {
  /** The leader among the processes with the area's database does the work. */
  readonly leadership: Leadership;
  /** Calls URLs outside of this network. The caller closes it after the worker. */
  readonly outgoing: OutgoingClient;
  readonly log: Logger;
  /** Interval of work that is not caused by events; default: that of the worker. Infinity: only on request. */
  readonly maintenanceMs?: number | undefined;
}

export interface Worker {
  /** Resolves when all work that was due before the call is done. */
  drain(): Promise<void>;
  /** Runs the periodic work now. */
  maintain(): Promise<void>;
  /** Ends the work in progress within seconds, or abandons it: another worker repeats it. */
  close(): Promise<void>;
}

export type OpenWorker = (options: WorkerOptions) => Worker;
