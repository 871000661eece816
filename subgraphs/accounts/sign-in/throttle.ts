/** Limits password attempts of all routers together, before a password is checked. Networks are labels (platform/security/network-label.ts). */
import { createHash } from 'node:crypto';
import { raw, sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { Problem } from '../../../schema/errors.ts';
import { emailOf } from './email.ts';
import type { Population } from './population.ts';

/** Allowed failures per time window: of an address from one network, of a network, and of an address from all networks. */
const limits = [
  { scope: 'pair', failures: 5, minutes: 15 },
  { scope: 'network', failures: 20, minutes: 15 },
  { scope: 'email', failures: 50, minutes: 60 },
] as const;

const hashOf = ({ throttledAs }: Population, email: string): Buffer => createHash('sha256').update(throttledAs(email)).digest();

/** Whether the person signed in from this network in the last 30 days. */
async function isKnownNetwork(
  queryable: Queryable,
  { table, actedAs }: Population,
  email: string,
  network: string,
): Promise<boolean> {
  const rows = await queryable.query(sql`/* signIn.isKnownNetwork */ select from ${raw(table)} p join history h on ${actedAs}
    where lower(p.email) = lower(${emailOf(email)}) and h.action = 'signed_in' and h.at > now() - interval '30 days'
      and h.actor ->> 'address' = ${network} limit 1`);
  return rows.length > 0;
}

/** Seconds until the next attempt is allowed; 0 if it is allowed now. */
async function secondsToWait(queryable: Queryable, population: Population, email: string, network: string): Promise<number> {
  const hash = hashOf(population, email);
  // the attempt that must leave the window before another one is allowed
  const waits = await queryable.query<{ scope: string; seconds: number }>(sql`/* signIn.wait */
    select b.scope, ceil(extract(epoch from b.at + make_interval(mins => b.minutes) - clock_timestamp()))::int as seconds from (
      (select ${limits[0].scope} as scope, at, ${limits[0].minutes}::int as minutes from sign_in_attempt where email_hash = ${hash} and network = ${network}
        order by at desc offset ${limits[0].failures - 1} limit 1)
      union all (select ${limits[1].scope}, at, ${limits[1].minutes}::int from sign_in_attempt where network = ${network}
        order by at desc offset ${limits[1].failures - 1} limit 1)
      union all (select ${limits[2].scope}, at, ${limits[2].minutes}::int from sign_in_attempt where email_hash = ${hash}
        order by at desc offset ${limits[2].failures - 1} limit 1)
    ) b`);
  const exceeded = waits.filter(({ seconds }) => seconds > 0);
  // a distributed attack on an address must not lock its owner out of known networks
  const isEmailOnly = exceeded.length > 0 && exceeded.every((limit) => limit.scope === 'email');
  if (isEmailOnly && (await isKnownNetwork(queryable, population, email, network))) return 0;
  return Math.max(0, ...exceeded.map(({ seconds }) => seconds));
}

/** A recorded attempt, which counts as a failure until it is cleared. */
export interface Attempt {
  /** Deletes the failures of this address from this network after a successful check. */
  clear(): Promise<void>;
  /** Writes the attempt again in a transaction, so that its commit takes as long whether it contains more or not. */
  rewrite(transaction: Queryable): Promise<void>;
}

/** Records an attempt from a network, by its label. Throws Problem rate_limited (429, `retryAfterSeconds`) without recording it if the limit is reached. */
export async function recordAttempt(
  database: Database,
  population: Population,
  email: string,
  network: string,
): Promise<Attempt> {
  const hash = hashOf(population, email);
  // first without a lock: attempts over the limit must not occupy connections that wait for locks
  const early = await secondsToWait(database, population, email, network);
  const wait =
    early ||
    (await database.transaction(async (transaction) => {
      // both locks in the same order, so that two attempts cannot deadlock
      await transaction.query(
        sql`/* signIn.lockNetwork */ select pg_advisory_xact_lock(hashtextextended('sign-in network ' || ${network}, 0))`,
      );
      await transaction.query(
        sql`/* signIn.lockEmail */ select pg_advisory_xact_lock(hashtextextended('sign-in email ' || ${hash.toString('hex')}, 0))`,
      );
      const seconds = await secondsToWait(transaction, population, email, network);
      if (seconds > 0) return seconds;
      await transaction.query(
        sql`/* signIn.recordAttempt */ insert into sign_in_attempt (email_hash, network) values (${hash}, ${network})`,
      );
      return 0;
    }));
  if (wait > 0) {
    throw new Problem('rate_limited', `Too many failed attempts. Try again in ${Math.ceil(wait / 60)} min.`, {
      retryAfterSeconds: wait,
    });
  }
  return {
    async clear() {
      await database.query(
        sql`/* signIn.clear */ delete from sign_in_attempt where email_hash = ${hash} and network = ${network}`,
      );
    },
    async rewrite(transaction) {
      await transaction.query(
        sql`/* signIn.rewriteAttempt */ update sign_in_attempt set at = at where email_hash = ${hash} and network = ${network}`,
      );
    },
  };
}
