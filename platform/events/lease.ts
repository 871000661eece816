/** The lease of the leader: a row with a time limit, so that a process that stops is replaced within seconds. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { raw, sql } from '../database/database.ts';
import type { Session } from './session.ts';

/** A holder that stops is replaced after this time and one interval of a standby: 4.6 s. */
export const leaseMs = 3_600;

export interface Lease {
  /** Whether this holder is the leader. False after a pause of the process that was longer than the lease. */
  isHeld(): boolean;
  /** Acquires or renews the lease. Returns whether it is held. Throws while the database is unavailable. */
  acquire(): Promise<boolean>;
  /** Gives the lease up, so that a standby does not wait for its end. */
  release(): Promise<void>;
}

export interface LeaseOptions {
  readonly session: Session;
  /** The table with the lease, with its schema. */
  readonly table: string;
  readonly log: Logger;
  /** Called when the lease is acquired, after it was not held or in another database. */
  readonly onAcquired: () => void;
}

/** A lease for one holder. */
export function createLease({ session, table: tableName, log, onAcquired }: LeaseOptions): Lease {
  const table = raw(tableName);
  const holder = randomUUID();
  let heldUntilMs = -Infinity;

  const isHeld = (): boolean => performance.now() < heldUntilMs;

  return {
    isHeld,
    async acquire() {
      await session.connect();
      // from before the statement: the database counts from a later time
      const startedMs = performance.now();
      const rows = await session.query(sql`/* lease.acquire */
        insert into ${table} as lease (holder, expires_at) values (${holder}, now() + ${leaseMs} * interval '1 millisecond')
        on conflict (id) do update set holder = excluded.holder, expires_at = excluded.expires_at
        where lease.holder = excluded.holder or lease.expires_at < now() returning xmax::text`);
      // an inserted row has no xmax: the lease is new, also when it was held before in a database that this one replaces
      const [row] = rows;
      const isRenewed = isHeld() && row !== undefined && 'xmax' in row && row.xmax !== '0';
      if (rows.length === 0 && heldUntilMs > -Infinity) log.warn({ table: tableName }, 'lease lost');
      heldUntilMs = rows.length > 0 ? startedMs + leaseMs : -Infinity;
      if (!isRenewed && isHeld()) onAcquired();
      return isHeld();
    },
    async release() {
      if (heldUntilMs === -Infinity) return;
      heldUntilMs = -Infinity;
      await session.query(sql`/* lease.release */ delete from ${table} where holder = ${holder}`).catch(() => undefined);
    },
  };
}
