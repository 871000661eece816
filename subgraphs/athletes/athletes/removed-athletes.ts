/** Athletes who are no more under their ids: who is told so, and where the id leads. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { removedStates } from './rules.ts';
import type { AthleteRow } from './rows.ts';

type Departed = Pick<AthleteRow, 'id' | 'status' | 'mergedInto'>;

/** Those of the ids that are merged or erased, as far as the viewer knew of them: everybody of what everybody once saw, an owner of the own. */
export async function findVisibleRemovals(database: Queryable, viewer: Viewer, ids: readonly string[]): Promise<Departed[]> {
  const known = hasFullAccess(viewer)
    ? sql`true`
    : sql`(account_id = ${viewer.accountId}::uuid
        or exists (select from tombstone t where t.resource_type = 'athlete' and t.resource_id = athlete.id and t.public))`;
  return database.query<Departed>(sql`/* athletes.departed */ select id, status, merged_into as "mergedInto" from athlete
    where id = any(${[...ids]}::uuid[]) and status in ('MERGED', 'ERASED') and ${known}`);
}

/** Those of the ids that are no more, whoever asks, and whose they are: in one look, as the first profile may become another's second one. */
export async function findRemovedAthletes(database: Queryable, ids: readonly string[]): Promise<(Departed & { accountId: string })[]> {
  return database.query<Departed & { accountId: string }>(sql`/* athletes.departedNow */
    select a.id, a.status, a.merged_into as "mergedInto", coalesce(f.account_id, a.account_id) as "accountId"
    from athlete a left join athlete f on f.id = a.merged_into where a.id = any(${[...ids]}::uuid[]) and a.status = any(${[...removedStates]})`);
}

interface Held {
  readonly id: string;
  readonly into: string | null;
}

/**
 * Keeps athletes, and those they are merged into, as they are until the commit: a merge or an erasure of one of them waits, or is over.
 * Returns the first profile of each second one: where facts of other areas still name a second profile, the first one is meant.
 */
export async function lockCanonicalAthletes(transaction: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(ids);
  const led = await transaction.query<{ into: string }>(sql`/* athletes.mergedInto */
    select merged_into as into from athlete where id = any(${[...wanted]}::uuid[]) and merged_into is not null`);
  for (const { into } of led) wanted.add(into);
  for (;;) {
    // in the order in which merges lock them
    const held = await transaction.query<Held>(sql`/* athletes.holdFirsts */
      select id, merged_into as into from athlete where id = any(${[...wanted]}::uuid[]) order by id for key share`);
    const firsts = new Map(held.flatMap(({ id, into }) => (into === null ? [] : [[id, into] as const])));
    const unheld = [...firsts.values()].filter((id) => !wanted.has(id));
    if (unheld.length === 0) return firsts;
    for (const id of unheld) wanted.add(id);
  }
}

/** The ids under which something is held of an athlete: the own one, and those of second profiles. */
export const profileIds = (id: string): Sql => sql`(select id from athlete where id = ${id} or merged_into = ${id})`;
