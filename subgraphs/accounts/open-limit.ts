/** The limit of open reports and verification requests of an account, far above normal use: moderators read each of them. */
import { Problem } from '../../schema/errors.ts';
import { raw, sql } from '../../platform/database/database.ts';
import type { WriteTransaction } from '../../platform/writes/write.ts';

/** Maximum number of open rows per account and table. */
const openMax = 100;

const limited = {
  report: `Your account has ${openMax} open reports. Wait until moderators have resolved some of them.`,
  verification_request: `Your account has ${openMax} open verification requests. Withdraw some of them, or wait until moderators have decided them.`,
} as const;

/** Throws Problem conflict (409) if the account has too many open rows. Concurrent requests of an account wait for each other. */
export async function requireBelowOpenMax(
  transaction: WriteTransaction,
  table: keyof typeof limited,
  accountId: string,
): Promise<void> {
  await transaction.query(
    sql`${raw(`/* ${table}.lockAccount */`)} select pg_advisory_xact_lock(hashtextextended(${`${table} ${accountId}`}, 0))`,
  );
  const open = await transaction.query(
    sql`${raw(`/* ${table}.open */`)} select from ${raw(table)} where account_id = ${accountId} and status = 'OPEN' limit ${openMax}`,
  );
  if (open.length >= openMax) throw new Problem('conflict', limited[table]);
}
