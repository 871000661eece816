/** Merged and erased athletes: which viewers learn of them, and the profile that a duplicate redirects to. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import type { AthleteRow } from './rows.ts';
import { removedStates } from './rules.ts';

type RemovedAthlete = Pick<AthleteRow, 'id' | 'status' | 'mergedInto'>;

/** Merged and erased athletes that the viewer could read before: formerly public ones, and those of the same account. */
export async function findVisibleRemovals(
  database: Queryable,
  viewer: Viewer,
  ids: readonly string[],
): Promise<RemovedAthlete[]> {
  const known = hasFullAccess(viewer)
    ? sql`true`
    : sql`(account_id = ${viewer.accountId}::uuid
        or exists (select from tombstone t where t.resource_type = 'athlete' and t.resource_id = athlete.id and t.public))`;
  return database.query<RemovedAthlete>(sql`/* athletes.visibleRemovals */ select id, status, merged_into as "mergedInto" from athlete
    where id = any(${[...ids]}::uuid[]) and status in ('MERGED', 'ERASED') and ${known}`);
}

/** All removed athletes among the ids, with the account of the profile they count for. One statement, as that profile can be merged too. */
export async function findRemovedAthletes(
  database: Queryable,
  ids: readonly string[],
): Promise<(RemovedAthlete & { accountId: string })[]> {
  return database.query<RemovedAthlete & { accountId: string }>(sql`/* athletes.removed */
    select a.id, a.status, a.merged_into as "mergedInto", coalesce(f.account_id, a.account_id) as "accountId"
    from athlete a left join athlete f on f.id = a.merged_into where a.id = any(${[...ids]}::uuid[]) and a.status = any(${[...removedStates]})`);
}

interface LockedAthlete {
  readonly id: string;
  readonly into: string | null;
}

/**
 * Locks athletes, and the profiles they are merged into, against merges and erasures until the commit. Returns the canonical profile of
 * each duplicate, for facts of other areas that still name the duplicate.
 */
export async function lockCanonicalAthletes(
  transaction: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(ids);
  const targets = await transaction.query<{ into: string }>(sql`/* athletes.mergedInto */
    select merged_into as into from athlete where id = any(${[...wanted]}::uuid[]) and merged_into is not null`);
  for (const { into } of targets) wanted.add(into);
  for (;;) {
    // the same lock order as merges
    const locked = await transaction.query<LockedAthlete>(sql`/* athletes.lockCanonical */
      select id, merged_into as into from athlete where id = any(${[...wanted]}::uuid[]) order by id for key share`);
    const canonical = new Map(locked.flatMap(({ id, into }) => (into === null ? [] : [[id, into] as const])));
    const missing = [...canonical.values()].filter((id) => !wanted.has(id));
    if (missing.length === 0) return canonical;
    for (const id of missing) wanted.add(id);
  }
}

/** The ids of a profile: its own, and those of its duplicates. */
export const profileIds = (id: string): Sql => sql`(select id from athlete where id = ${id} or merged_into = ${id})`;
