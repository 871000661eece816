/** From when an athlete is an adult, where only an account's word tells: it counts while the account holds a verified organization. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { firstAdultDay } from './age.ts';
import { athleteResource, athletes, type AthleteRow } from './rows.ts';

type Age = { readonly [Fact in 'dateOfBirth' | 'birthYear' | 'adultConfirmed']?: AthleteRow[Fact] | undefined };

const lockOf = (accountId: Sql): Sql => sql`hashtextextended('organization_account/' || ${accountId}, 0)`;

/** Whoever changes the account's verification waits, and then finds the athlete written meanwhile; what was changed before is seen. */
export async function hasVerifiedOrganization(transaction: Queryable, accountId: string): Promise<boolean> {
  await transaction.query(
    sql`/* athletes.holdVerification */ select pg_advisory_xact_lock_shared(${lockOf(sql`${accountId}::text`)})`,
  );
  const rows = await transaction.query(sql`/* athletes.verifiedOrganization */
    select from organization_account where account_id = ${accountId} and verified limit 1`);
  return rows.length > 0;
}

/** Waits for whoever writes by the verification of accounts; who comes later sees what is written of it. There may be no row yet that one could lock. */
export async function lockVerification(transaction: Queryable, accountIds: readonly string[]): Promise<void> {
  await transaction.query(sql`/* athletes.lockVerification */ select pg_advisory_xact_lock(key)
    from (select distinct ${lockOf(sql`id`)} as key from unnest(${[...accountIds]}::text[]) id order by key) l`);
}

/** The first day on which the athlete of an account is certainly an adult, or null: counted at every write, nothing former is kept. */
export async function determineAdultFrom(transaction: Queryable, accountId: string, age: Age): Promise<string | null> {
  const { dateOfBirth, birthYear, adultConfirmed } = age;
  const told = dateOfBirth ?? birthYear ?? null;
  const confirmed = told === null && adultConfirmed === true && (await hasVerifiedOrganization(transaction, accountId));
  return firstAdultDay({ dateOfBirth, birthYear, confirmed });
}

/** How many athletes are read and written at once. */
const portion = 500;

/** Takes back what accounts confirmed that hold no verified organization any more: their athletes are of unknown age again. */
export async function revokeAdultConfirmations(
  transaction: Queryable,
  writer: Writer,
  accountIds: readonly string[],
): Promise<void> {
  const read = () =>
    transaction.query<AthleteRow>(sql`/* athletes.unconfirmed */ select ${athletes.columns} from athlete
      where account_id = any(${[...accountIds]}::uuid[]) and adult_confirmed and adult_from is not null and date_of_birth is null and birth_year is null
        and not exists (select from organization_account o where o.account_id = athlete.account_id and o.verified)
      order by id limit ${portion} for update`);
  const withdraw = async (work: WriteTransaction, row: AthleteRow): Promise<void> => {
    const status = row.status === 'ACTIVE' ? 'PENDING_CONSENT' : row.status;
    const moved = { action: 'unconfirmed', event: 'athlete.status_changed' } as const;
    await changeRow(work, athleteResource, row, { adultFrom: null, status }, moved);
  };
  for (let rows = await read(); rows.length > 0; rows = await read()) {
    const some = rows;
    await writer.writeWithin(transaction, async (work) => {
      for (const row of some) await withdraw(work, row);
    });
  }
}
