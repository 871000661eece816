/** Guesses of passwords are few: counted for all routers together, before a password is looked at. */
import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { parseAddress } from '../../../platform/http/networks.ts';
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { Problem } from '../../../schema/errors.ts';

/** Failures that are let through in a time: of one address of mail from one network, from one network, and of one address from anywhere. */
const bounds = [
  { of: 'pair', failures: 5, minutes: 15 },
  { of: 'network', failures: 20, minutes: 15 },
  { of: 'email', failures: 50, minutes: 60 },
] as const;

/** What of an address is one neighbour: IPv4 whole, IPv6 by its /64. */
function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed?.toString() ?? 'unknown';
  const first = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]);
  return `${first.toString()}/64`;
}

const hashOf = (email: string): Buffer => createHash('sha256').update(email.trim().toLowerCase()).digest();

/** Whether whose address it is signed in from this network in the last month. */
async function cameFrom(queryable: Queryable, email: string, network: string): Promise<boolean> {
  const rows = await queryable.query<{ address: string }>(sql`/* signIn.cameFrom */
    select distinct h.actor ->> 'address' as address from administrator a
    join history h on h.actor ->> 'kind' = 'ADMINISTRATOR' and h.actor ->> 'administratorId' = a.id::text
    where lower(a.email) = lower(${email.trim()}) and h.action = 'signed_in' and h.at > now() - interval '30 days'`);
  return rows.some(({ address }) => networkOf(address) === network);
}

/** Seconds until an attempt is let through; 0 for now. */
async function secondsToWait(queryable: Queryable, email: string, address: string): Promise<number> {
  const [hash, network] = [hashOf(email), networkOf(address)];
  // the attempt that must leave the window before there is room again
  const waits = await queryable.query<{ of: string; seconds: number }>(sql`/* signIn.wait */
    select b.of, ceil(extract(epoch from b.at + make_interval(mins => b.minutes) - clock_timestamp()))::int as seconds from (
      (select ${bounds[0].of} as of, at, ${bounds[0].minutes}::int as minutes from sign_in_attempt where email_hash = ${hash} and network = ${network}
        order by at desc offset ${bounds[0].failures - 1} limit 1)
      union all (select ${bounds[1].of}, at, ${bounds[1].minutes}::int from sign_in_attempt where network = ${network}
        order by at desc offset ${bounds[1].failures - 1} limit 1)
      union all (select ${bounds[2].of}, at, ${bounds[2].minutes}::int from sign_in_attempt where email_hash = ${hash}
        order by at desc offset ${bounds[2].failures - 1} limit 1)
    ) b`);
  const refusing = waits.filter(({ seconds }) => seconds > 0);
  // who fails from everywhere keeps nobody out of where they were let in before
  const isFromAnywhere = refusing.length > 0 && refusing.every((bound) => bound.of === 'email');
  if (isFromAnywhere && (await cameFrom(queryable, email, network))) return 0;
  return Math.max(0, ...refusing.map(({ seconds }) => seconds));
}

/** An attempt that counts as a failure until it is forgiven. */
export interface Attempt {
  /** It was right: failures of this address from this network count no more. */
  forgive(): Promise<void>;
}

/** Notes an attempt. Throws Problem rate_limited (429, `retryAfterSeconds`) when there were too many, and notes nothing then. */
export async function noteAttempt(database: Database, email: string, address: string): Promise<Attempt> {
  const [hash, network] = [hashOf(email), networkOf(address)];
  // without a lock first: a flood of what is refused anyway holds no connection that others wait for
  const early = await secondsToWait(database, email, address);
  const wait =
    early ||
    (await database.transaction(async (transaction) => {
      // both in one order, so that two attempts never wait for one another
      await transaction.query(
        sql`/* signIn.lockNetwork */ select pg_advisory_xact_lock(hashtextextended('sign-in network ' || ${network}, 0))`,
      );
      await transaction.query(
        sql`/* signIn.lockEmail */ select pg_advisory_xact_lock(hashtextextended('sign-in email ' || ${hash.toString('hex')}, 0))`,
      );
      const seconds = await secondsToWait(transaction, email, address);
      if (seconds > 0) return seconds;
      await transaction.query(
        sql`/* signIn.noteAttempt */ insert into sign_in_attempt (email_hash, network) values (${hash}, ${network})`,
      );
      return 0;
    }));
  if (wait > 0) {
    throw new Problem('rate_limited', `Too many attempts failed. Try again in ${Math.ceil(wait / 60)} min.`, {
      retryAfterSeconds: wait,
    });
  }
  return {
    async forgive() {
      await database.query(
        sql`/* signIn.forgive */ delete from sign_in_attempt where email_hash = ${hash} and network = ${network}`,
      );
    },
  };
}
