/** Determines `adultFrom`. An account's confirmation of adulthood counts only while the account has a verified organization. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { firstAdultDay } from './age.ts';
import { athleteResource, athletes, type AthleteRow } from './rows.ts';

type Age = { readonly [Fact in 'dateOfBirth' | 'birthYear' | 'adultConfirmed']?: AthleteRow[Fact] | undefined };

const lockOf = (accountId: Sql): Sql => sql`hashtextextended('organization_account/' || ${accountId}, 0)`;

/** Whether the account has a verified organization. A shared lock makes a change of the verification wait until the commit. */
export async function hasVerifiedOrganization(transaction: Queryable, accountId: string): Promise<boolean> {
  await transaction.query(
    sql`/* athletes.shareVerificationLock */ select pg_advisory_xact_lock_shared(${lockOf(sql`${accountId}::text`)})`,
  );
  const rows = await transaction.query(sql`/* athletes.verifiedOrganization */
    select from organization_account where account_id = ${accountId} and verified limit 1`);
  return rows.length > 0;
}

/** Locks the verification of accounts against writes that depend on it. An advisory lock, because there may be no row to lock yet. */
export async function lockVerification(transaction: Queryable, accountIds: readonly string[]): Promise<void> {
  await transaction.query(sql`/* athletes.lockVerification */ select pg_advisory_xact_lock(key)
    from (select distinct ${lockOf(sql`id`)} as key from unnest(${[...accountIds]}::text[]) id order by key) l`);
}

/** The first day on which an athlete of the account is certainly an adult, or null. Computed at every write. */
export async function determineAdultFrom(transaction: Queryable, accountId: string, age: Age): Promise<string | null> {
  const { dateOfBirth, birthYear, adultConfirmed } = age;
  const known = dateOfBirth ?? birthYear ?? null;
  const confirmed = known === null && adultConfirmed === true && (await hasVerifiedOrganization(transaction, accountId));
  return firstAdultDay({ dateOfBirth, birthYear, confirmed });
}

/** Athletes per round trip. */
const batchSize = 500;

/** Revokes adult confirmations of accounts without a verified organization. Their athletes are of unknown age again. */
export async function revokeAdultConfirmations(
  transaction: Queryable,
  writer: Writer,
  accountIds: readonly string[],
): Promise<void> {
  const read = () =>
    transaction.query<AthleteRow>(sql`/* athletes.unconfirmed */ select ${athletes.columns} from athlete
      where account_id = any(${[...accountIds]}::uuid[]) and adult_confirmed and adult_from is not null and date_of_birth is null and birth_year is null
        and not exists (select from organization_account o where o.account_id = athlete.account_id and o.verified)
      order by id limit ${batchSize} for update`);
  const revoke = async (work: WriteTransaction, row: AthleteRow): Promise<void> => {
    const status = row.status === 'ACTIVE' ? 'PENDING_CONSENT' : row.status;
    const note = { action: 'unconfirmed', event: 'athlete.status_changed' } as const;
    await changeRow(work, athleteResource, row, { adultFrom: null, status }, note);
  };
  for (let rows = await read(); rows.length > 0; rows = await read()) {
    const batch = rows;
    await writer.writeWithin(transaction, async (work) => {
      for (const row of batch) await revoke(work, row);
    });
  }
}
