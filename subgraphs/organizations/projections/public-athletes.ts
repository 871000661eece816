/** Projects which athletes have a public profile, and publishes or unpublishes their memberships and transfers. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { publish, unpublish } from '../organizations/publication.ts';

/**
 * Locks the organizations of athletes' memberships until the commit, so that a concurrent suspension or reinstatement waits. Organizations
 * are locked before memberships, as in all writes.
 */
async function lockOrganizationsOf(transaction: Queryable, athleteIds: readonly string[]): Promise<void> {
  await transaction.query(sql`/* organizations.lockOfAthletes */ select from organization
    where id in (select organization_id from membership where athlete_id = any(${[...athleteIds]}::uuid[])) order by id for key share`);
}

/** Removes athletes from the public ones and unpublishes their memberships and transfers. */
export async function hideAthletes(transaction: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await lockOrganizationsOf(transaction, ids);
  await unpublish(transaction, 'membership', sql`membership.athlete_id = any(${[...ids]}::uuid[])`);
  await unpublish(transaction, 'transfer', sql`transfer.athlete_id = any(${[...ids]}::uuid[])`);
  await transaction.query(
    sql`/* organizations.hideAthletes */ delete from public_athlete where athlete_id = any(${[...ids]}::uuid[])`,
  );
}

/** Adds athletes to the public ones and publishes the memberships and transfers of those that are new. */
export async function showAthletes(transaction: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const added = await transaction.query<{ id: string }>(sql`/* organizations.showAthletes */
    insert into public_athlete (athlete_id) select unnest(${[...ids]}::uuid[]) on conflict do nothing returning athlete_id as id`);
  if (added.length === 0) return;
  const addedIds = added.map(({ id }) => id);
  await lockOrganizationsOf(transaction, addedIds);
  await publish(transaction, 'membership', sql`membership.athlete_id = any(${addedIds}::uuid[])`);
  await publish(transaction, 'transfer', sql`transfer.athlete_id = any(${addedIds}::uuid[])`);
}
