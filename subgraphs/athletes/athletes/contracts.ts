/** The earliest end of an athlete's contracts, beside the facts of each sport: lists by the end of contracts read no other athletes. */
import { sql, type Queryable } from '../../../platform/database/database.ts';

/** Updates it after a change of the athletes' memberships. */
export async function keepContracts(transaction: Queryable, athleteIds: readonly string[]): Promise<void> {
  const ids = [...new Set(athleteIds)];
  // a sport that another transaction adds meanwhile would miss the change
  await transaction.query(sql`/* athletes.lockForContracts */ select from athlete
    where id = any(${ids}::uuid[]) and exists (select from membership m where m.athlete_id = athlete.id and m.contract_until is not null)
    order by id for share`);
  await transaction.query(sql`/* athletes.keepContracts */ update athlete_sport set contract_until = earliest_contract(athlete_id)
    where athlete_id = any(${ids}::uuid[]) and contract_until is distinct from earliest_contract(athlete_id)`);
}
