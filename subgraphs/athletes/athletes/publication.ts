/** Publishes and unpublishes the rows about an athlete with the whole profile, for partners who synchronize. */
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { isPublic, type VisibilityFacts } from './visibility.ts';

type RelatedTable = 'absence' | 'statistics';

/** The rows of each table that are public while the whole profile is. */
const publicRows: Readonly<Record<RelatedTable, Sql>> = {
  absence: sql`disclosure <> 'OWNER'`,
  statistics: sql`true`,
};

/** Writes a public tombstone for each row of an athlete. */
async function unpublish(transaction: Queryable, table: RelatedTable, athleteId: string): Promise<void> {
  await transaction.query(sql`/* athletes.unpublishRows */
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select ${table}, id, account_id, true, statement_timestamp() from ${raw(table)} where athlete_id = ${athleteId} and ${publicRows[table]}
    on conflict (resource_type, resource_id) do update set public = true, at = excluded.at`);
}

/** Deletes the tombstones of an athlete's rows and marks the rows as changed. */
async function publish(transaction: Queryable, table: RelatedTable, athleteId: string): Promise<void> {
  await transaction.query(sql`/* athletes.publishRows */
    with published as (update ${raw(table)} set updated_at = statement_timestamp() where athlete_id = ${athleteId} and ${publicRows[table]} returning id)
    delete from tombstone t using published p where t.resource_type = ${table} and t.resource_id = p.id`);
}

/** Follows a change of a locked athlete. Rows about restricted profiles are never public. */
export async function followAthleteVisibility(
  transaction: Queryable,
  before: VisibilityFacts,
  after: VisibilityFacts & { readonly id: string },
): Promise<void> {
  const [wasPublic, becomesPublic] = [isPublic(before), isPublic(after)];
  if (wasPublic === becomesPublic) return;
  for (const table of ['absence', 'statistics'] as const)
    await (becomesPublic ? publish : unpublish)(transaction, table, after.id);
}
