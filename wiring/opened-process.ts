/** What a process of a role consists of. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Stage } from '../platform/stop-gracefully.ts';
import type { Sessions } from '../router/administration/sessions.ts';
import type { Source } from './environment.ts';
import type { Installation } from './installation.ts';

export interface Opened {
  readonly app: FastifyInstance;
  /** The server for other processes, on a separate port. */
  readonly internal?: FastifyInstance;
  /** Sessions of administrators, set if the process should print the setup link of the first owner. */
  readonly sessions?: Sessions;
  /** Reads the schemas again; set if the process has the graph. */
  readonly reload?: () => Promise<void>;
  /** Resources in closing order. */
  readonly closeables: readonly Stage[];
}

/** Prepares the database before the platform opens it. */
export type Prepare = (installation: Installation, source: Source, log: Logger) => Promise<void>;

/** Opens the process of a role. */
export type Open = (source: Source, log: Logger, prepare: Prepare) => Promise<Opened>;
