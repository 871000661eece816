/** Publishes and unpublishes statistics with the whole profile of their athlete, for partners who synchronize. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { AthleteRow } from '../athletes/rows.ts';
import { isPublic } from '../athletes/visibility.ts';

/** Writes a public tombstone for each row of an athlete. */
async function unpublish(transaction: Queryable, athleteId: string): Promise<void> {
  await transaction.query(sql`/* statistics.unpublish */
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select 'statistics', id, account_id, true, statement_timestamp() from statistics where athlete_id = ${athleteId}
    on conflict (resource_type, resource_id) do update set public = true, at = excluded.at`);
}

/** Deletes the tombstones of an athlete's rows and marks the rows as changed. */
async function publish(transaction: Queryable, athleteId: string): Promise<void> {
  await transaction.query(sql`/* statistics.publish */
    with published as (update statistics set updated_at = statement_timestamp() where athlete_id = ${athleteId} returning id)
    delete from tombstone t using published p where t.resource_type = 'statistics' and t.resource_id = p.id`);
}

/** Follows a change of a locked athlete, in one statement. Statistics of restricted profiles are never public. */
export async function followAthleteVisibility(transaction: Queryable, before: AthleteRow, after: AthleteRow): Promise<void> {
  const [wasPublic, becomesPublic] = [isPublic(before), isPublic(after)];
  if (wasPublic !== becomesPublic) await (becomesPublic ? publish : unpublish)(transaction, after.id);
}
