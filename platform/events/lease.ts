/** Election of the active relay or worker by a lease with a time limit, so that one that stops is replaced within seconds. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { raw, sql, type Database } from '../database/database.ts';

/** A holder that stops is replaced after this time and one attempt of a standby. */
const lifeMs = 3_000;
/** Interval of renewals, and of the attempts of a standby. */
export const leaseIntervalMs = 1_000;

export interface Lease {
  /** Whether this holder is active. False after a pause of the process that was longer than the lease. */
  isHeld(): boolean;
  /** Acquires or renews the lease. Returns whether it is held. Throws while the database is unavailable. */
  acquire(): Promise<boolean>;
  /** Stops the renewals and gives the lease up, so that a standby does not wait for its end. */
  release(): Promise<void>;
}

export interface LeaseOptions {
  readonly database: Database;
  /** The table with the lease, with its schema. */
  readonly table: string;
  /** Names the holder in the log, such as `relay`. */
  readonly name: string;
  readonly log: Logger;
}

/** A lease for one holder. After it is acquired, it is renewed every second. */
export function createLease({ database, table: tableName, name, log }: LeaseOptions): Lease {
  const table = raw(tableName);
  const holder = randomUUID();
  let heldUntilMs = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const isHeld = (): boolean => performance.now() < heldUntilMs;

  async function acquire(): Promise<boolean> {
    // from before the statement: the database counts from a later time
    const startedMs = performance.now();
    const rows = await database.query(sql`/* lease.acquire */
      insert into ${table} as lease (holder, expires_at) values (${holder}, now() + ${lifeMs} * interval '1 millisecond')
      on conflict (id) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where lease.holder = excluded.holder or lease.expires_at < now() returning 1 as acquired`);
    const wasHeld = heldUntilMs > -Infinity;
    heldUntilMs = rows.length > 0 ? startedMs + lifeMs : -Infinity;
    if (rows.length > 0 && !wasHeld) log.debug({ table: tableName }, `${name} active`);
    if (rows.length === 0 && wasHeld) log.warn({ table: tableName }, `${name} lease lost`);
    return isHeld();
  }

  function renew(): void {
    if (heldUntilMs === -Infinity) return;
    acquire().catch((error: unknown) => log.warn({ err: error, table: tableName }, `${name} lease not renewed`));
  }

  return {
    isHeld,
    acquire() {
      timer ??= setInterval(renew, leaseIntervalMs).unref();
      return acquire();
    },
    async release() {
      clearInterval(timer);
      if (heldUntilMs === -Infinity) return;
      heldUntilMs = -Infinity;
      await database.query(sql`/* lease.release */ delete from ${table} where holder = ${holder}`).catch(() => undefined);
    },
  };
}
