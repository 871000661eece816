/** Statistics that leave the public or come to it with the whole profile of their athlete: partners who synchronize hear of each. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { isPublic } from '../athletes/visibility.ts';
import type { AthleteRow } from '../athletes/rows.ts';

/** Leaves a tombstone for each row of an athlete. */
async function leavePublic(transaction: Queryable, athleteId: string): Promise<void> {
  await transaction.query(sql`/* statistics.leavePublic */
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select 'statistics', id, account_id, true, statement_timestamp() from statistics where athlete_id = ${athleteId}
    on conflict (resource_type, resource_id) do update set public = true, at = excluded.at`);
}

/** Brings each row of an athlete back, as changed now. */
async function enterPublic(transaction: Queryable, athleteId: string): Promise<void> {
  await transaction.query(sql`/* statistics.enterPublic */
    with entered as (update statistics set updated_at = statement_timestamp() where athlete_id = ${athleteId} returning id)
    delete from tombstone t using entered e where t.resource_type = 'statistics' and t.resource_id = e.id`);
}

/** Follows a change of a locked athlete, one statement for any number of rows. Of restricted profiles nothing is told: nobody is to learn of a minor. */
export async function followAthleteVisibility(transaction: Queryable, before: AthleteRow, after: AthleteRow): Promise<void> {
  const [was, is] = [isPublic(before), isPublic(after)];
  if (was !== is) await (is ? enterPublic : leavePublic)(transaction, after.id);
}
