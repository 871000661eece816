/** The state of the matching of saved searches: which are due, where they continue, and what they have found. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { Subject, Walk } from './list-pages.ts';
import type { Searched } from './searched-list.ts';

/** A search that is due, with the place where it continues. */
export interface DueSearch extends Searched {
  readonly id: string;
  readonly accountId: string;
  readonly changedSince: string;
  readonly changeCursor: string | null;
  /** The start of the walk through the changes. */
  readonly changesReadAt: string;
  readonly scanDue: boolean;
  readonly knownBefore: string | null;
}

/** A run that fails or whose process ends is repeated after this time. */
const claim = sql`interval '5 minutes'`;

/** Due searches among which the accounts take turns. */
const windowSize = 1_000;

/**
 * Claims due searches, at most `limit`. Accounts take turns: the second search of an account follows the first searches of the others.
 * Other processes do not receive a claimed search.
 */
export function claimDue(database: Queryable, limit: number): Promise<DueSearch[]> {
  return database.query<DueSearch>(sql`/* savedSearches.claimDue */
    with due as materialized (
      select id, account_id, next_run_at from saved_search where not paused and next_run_at <= now() order by next_run_at, id limit ${windowSize}::int),
    turns as (select id, row_number() over (partition by account_id order by next_run_at, id) as turn, next_run_at from due),
    chosen as (
      select s.id from saved_search s join turns t on t.id = s.id where not s.paused and s.next_run_at <= now()
      order by t.turn, t.next_run_at limit ${limit}::int for update of s skip locked),
    claimed as (
      update saved_search s set next_run_at = now() + ${claim},
        changes_read_at = case when s.change_cursor is null then now() else s.changes_read_at end
      from chosen where s.id = chosen.id returning s.*)
    select c.id, c.account_id as "accountId", c.kind, c.filter, c.changed_since as "changedSince", c.change_cursor as "changeCursor",
      c.changes_read_at as "changesReadAt", c.scanned_at < now() - interval '1 day' as "scanDue", c.known_before as "knownBefore"
    from claimed c join turns t on t.id = c.id order by t.turn, t.next_run_at, c.id`);
}

/** Moves claimed searches to their next interval without a run. A later run finds what changed in the meantime. */
export async function postpone(database: Queryable, searches: readonly DueSearch[]): Promise<void> {
  await database.query(sql`/* savedSearches.postpone */ update saved_search set next_run_at = now() + make_interval(mins => interval_minutes)
    where id = any(${searches.map(({ id }) => id)}::uuid[])`);
}

/** Changes of running transactions become visible later, with earlier times: the walks overlap by this time. */
const overlap = sql`interval '1 minute'`;

/** Starts the matching of a new search, or of a new filter: what it finds now is known. @param at a time before the walk */
export async function startMatching(transaction: Queryable, id: string, { subjects, next }: Walk, at: string): Promise<void> {
  await transaction.query(sql`/* savedSearches.forget */ delete from saved_search_subject where search_id = ${id}`);
  await transaction.query(sql`/* savedSearches.addBaseline */ insert into saved_search_subject (search_id, subject_id)
    select ${id}, unnest(${subjects.map((subject) => subject.id)}::uuid[]) on conflict do nothing`);
  await transaction.query(sql`/* savedSearches.start */ update saved_search set next_run_at = now() + make_interval(mins => interval_minutes),
    changed_since = ${at}::timestamptz - ${overlap}, change_cursor = null, changes_read_at = null, scanned_at = now(),
    known_before = ${next === null ? null : at}::timestamptz where id = ${id}`);
}

/** Moves the next run when the interval of a search changes. */
export async function moveNextRun(transaction: Queryable, id: string, byMinutes: number): Promise<void> {
  await transaction.query(sql`/* savedSearches.moveNextRun */
    update saved_search set next_run_at = next_run_at + make_interval(mins => ${byMinutes}::int) where id = ${id}`);
}

/** Stores where the next run continues. @param cursor of the unfinished walk through the changes; null if it reached the end */
export async function finishRun(
  transaction: Queryable,
  search: DueSearch,
  cursor: string | null,
  scanned: boolean,
): Promise<void> {
  await transaction.query(sql`/* savedSearches.finishRun */ update saved_search set next_run_at = now() + make_interval(mins => interval_minutes),
    change_cursor = ${cursor}, changed_since = ${cursor === null ? sql`${search.changesReadAt}::timestamptz - ${overlap}` : sql`changed_since`},
    scanned_at = ${scanned ? sql`now()` : sql`scanned_at`} where id = ${search.id}`);
}

/** Stores what a run found. Returns the number of new matches: subjects that the search has not found before. */
export async function addMatches(
  transaction: Queryable,
  search: DueSearch,
  found: readonly Subject[],
  at: string,
): Promise<number> {
  const { knownBefore } = search;
  const ids = found
    .filter(({ createdAt }) => knownBefore === null || Date.parse(createdAt) >= Date.parse(knownBefore))
    .map(({ id }) => id);
  if (ids.length === 0) return 0;
  const added = await transaction.query<{ id: string }>(sql`/* savedSearches.addMatches */
    insert into saved_search_subject (search_id, subject_id, matched_at)
    select distinct ${search.id}::uuid, id, ${at}::timestamptz from unnest(${ids}::uuid[]) as found(id) on conflict do nothing returning id`);
  return added.length;
}

/** Athletes of the last day's rows: one can be added after the removal of the athlete was processed. */
export const recentSubjects = sql`select subject_id from saved_search_subject where added_at > now() - interval '1 day'`;

/** Deletes everything that searches have found of erased athletes. */
export async function eraseSubjects(transaction: Queryable, ids: readonly string[]): Promise<void> {
  await transaction.query(
    sql`/* savedSearches.eraseSubjects */ delete from saved_search_subject where subject_id = any(${[...ids]}::uuid[])`,
  );
}

/** Moves what searches have found of a merged athlete to the profile that remains. */
export async function mergeSubjects(transaction: Queryable, id: string, intoId: string): Promise<void> {
  await transaction.query(sql`/* savedSearches.deleteDuplicates */ delete from saved_search_subject merged using saved_search_subject remaining
    where merged.subject_id = ${id} and remaining.subject_id = ${intoId} and remaining.search_id = merged.search_id`);
  await transaction.query(
    sql`/* savedSearches.moveMerged */ update saved_search_subject set subject_id = ${intoId} where subject_id = ${id}`,
  );
}

/** Locks the search of a run. False if it was deleted or paused, or its filter has changed since: the run then has no effect. */
export async function lockUnchanged(transaction: Queryable, { id, filter, changedSince }: DueSearch): Promise<boolean> {
  const rows = await transaction.query(sql`/* savedSearches.lockUnchanged */ select id from saved_search
    where id = ${id} and filter = ${JSON.stringify(filter)}::jsonb and changed_since = ${changedSince}::timestamptz and not paused for update`);
  return rows.length > 0;
}

/** The number of searches of an account. Concurrent requests of the account wait until the transaction ends. */
export async function countSearches(transaction: Queryable, accountId: string): Promise<number> {
  await transaction.query(
    sql`/* savedSearches.lockAccount */ select pg_advisory_xact_lock(hashtextextended(${`saved_search ${accountId}`}, 0))`,
  );
  const [row] = await transaction.query<{ count: number }>(
    sql`/* savedSearches.count */ select count(*)::int as count from saved_search where account_id = ${accountId}`,
  );
  return row?.count ?? 0;
}
