/** Keeps the stored rankings consistent with the results, in the transaction that changes the results. */
import { isDeepStrictEqual } from 'node:util';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { refreshBestMarks } from '../best-marks/writes.ts';
import type { RankedPlace, RankingChange, RankingRecord, RankingScope } from './rows.ts';
import { rankTouched, stagesOf, touchedBy, type Touched } from './scope.ts';
import { readFacts, readStructures, type SeasonStructure } from './season-facts.ts';

interface Stored extends RankingRecord {
  readonly version: number;
}

/**
 * Serializes the computation of a season's rankings until the commit: of two concurrent results, the second transaction reads the first result.
 * Uses advisory locks, because writes of matches already share the row locks of season and stage.
 */
async function lockSeasons(transaction: Queryable, seasonIds: readonly string[]): Promise<void> {
  const keys = seasonIds.map((id) => `rankings ${id}`);
  await transaction.query(
    sql`/* rankings.lock */ select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as key`,
  );
}

function readStored(transaction: Queryable, seasonId: string, { tables, contests, whole, all }: Touched): Promise<Stored[]> {
  return transaction.query<Stored>(sql`/* rankings.stored */
    select id, version, season_id as "seasonId", contest_id as "contestId", stage_id as "stageId", group_name as "groupName", type,
      classification, method, ordinal, rows from ranking
    where season_id = ${seasonId} and (${all} or stage_id = any(${[...tables]}::uuid[]) or contest_id = any(${[...contests]}::uuid[])
      or (${whole} and contest_id is null))`);
}

/** Writes new and changed rankings and deletes empty ones, in one statement. */
async function store(transaction: Queryable, rankings: readonly RankingRecord[], deleted: readonly string[]): Promise<void> {
  const rows = rankings.map(
    ({ id, seasonId, contestId, stageId, groupName, type, classification, method, ordinal, rows: places }) => ({
      id,
      season_id: seasonId,
      contest_id: contestId,
      stage_id: stageId,
      group_name: groupName,
      type,
      classification,
      method,
      ordinal,
      rows: places,
    }),
  );
  await transaction.query(sql`/* rankings.store */
    with deleted as (delete from ranking where id = any(${[...deleted]}::uuid[]))
    insert into ranking (id, season_id, contest_id, stage_id, group_name, type, classification, method, ordinal, rows, updated_at)
    select id, season_id, contest_id, stage_id, group_name, type, classification, method, ordinal, rows, statement_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, season_id uuid, contest_id uuid, stage_id uuid, group_name text,
      type text, classification text, method text, ordinal int, rows jsonb)
    on conflict (id) do update set version = ranking.version + 1, method = excluded.method, ordinal = excluded.ordinal,
      rows = excluded.rows, updated_at = excluded.updated_at`);
}

type Place = NonNullable<RankingChange['changed'][number]['after']>;

const placeOf = (row: RankedPlace | undefined): Place | null =>
  row ? { position: row.position, points: row.points ?? null } : null;

/** The participants whose position or points changed. */
function changedPlaces(before: readonly RankedPlace[], after: readonly RankedPlace[]): RankingChange['changed'] {
  const old = new Map(before.map((row) => [row.participantId, row]));
  const now = new Map(after.map((row) => [row.participantId, row]));
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((participantId) => {
    const change = { participantId, before: placeOf(old.get(participantId)), after: placeOf(now.get(participantId)) };
    return isDeepStrictEqual(change.before, change.after) ? [] : [change];
  });
}

/** Maximum number of places in one event. Clients that need more read the ranking. */
const changedMax = 200;

function changeOf(before: Stored | undefined, after: RankingRecord | undefined): RankingChange | null {
  const ranking = after ?? before;
  if (!ranking) return null;
  const { seasonId, contestId, stageId, groupName, type, classification } = ranking;
  const changed = changedPlaces(before?.rows ?? [], after?.rows ?? []);
  return { seasonId, contestId, stageId, groupName, type, classification, changed };
}

function record(transaction: WriteTransaction, id: string, version: number, accountId: string, change: RankingChange): void {
  const { groupName, changed, ...scope } = change;
  const row = { id, version, accountId };
  transaction.record({
    action: 'updated',
    event: 'standings.updated',
    before: row,
    after: row,
    data: { ...scope, group: groupName, changed: changed.slice(0, changedMax), changedCount: changed.length },
  });
}

/** Rows as the database returns them: without undefined members. */
const asStored = (rows: readonly RankedPlace[]): unknown => JSON.parse(JSON.stringify(rows));

async function refreshSeason(
  transaction: WriteTransaction,
  structure: SeasonStructure,
  scopes: readonly RankingScope[],
): Promise<RankingChange[]> {
  const touched = touchedBy(structure, scopes);
  if (!touched.whole && touched.tables.length === 0 && touched.contests.length === 0) return [];
  const [facts, stored] = await Promise.all([
    readFacts(transaction, structure, stagesOf(structure, touched)),
    readStored(transaction, structure.season.id, touched),
  ]);
  const before = new Map(stored.map((ranking) => [ranking.id, ranking]));
  const after = new Map(rankTouched(facts, touched).map((ranking) => [ranking.id, ranking]));
  const different = [...after.values()].filter(({ id, method, ordinal, rows }) => {
    const old = before.get(id);
    return old?.method !== method || old.ordinal !== ordinal || !isDeepStrictEqual(old.rows, asStored(rows));
  });
  const deleted = [...before.keys()].filter((id) => !after.has(id));
  if (different.length + deleted.length > 0) await store(transaction, different, deleted);
  await refreshBestMarks(transaction, facts, structure, touched);
  return [...different.map(({ id }) => id), ...deleted].flatMap((id) => {
    const change = changeOf(before.get(id), after.get(id));
    if (!change) return [];
    record(transaction, id, (before.get(id)?.version ?? 0) + 1, structure.season.accountId, change);
    return [change];
  });
}

/**
 * Recomputes every ranking that the given scopes affect: the table of a stage, the rankings of its contest and season, and the best
 * marks of its athletes. Stores the differences and records an event for each changed ranking. A scope without a stage is a whole
 * contest, one without a contest the whole season. Call it once, at the end of a write, because it reads what the write has done.
 * Returns the changes, for the events of results.
 */
export async function refreshRankings(transaction: WriteTransaction, scopes: readonly RankingScope[]): Promise<RankingChange[]> {
  const seasonIds = [...new Set(scopes.map(({ seasonId }) => seasonId))].toSorted();
  if (seasonIds.length === 0) return [];
  // Sent together, but executed in order: the structures are read after the lock is acquired.
  const [, structures] = await Promise.all([lockSeasons(transaction, seasonIds), readStructures(transaction, seasonIds)]);
  const changes: RankingChange[] = [];
  // One after another, because they share a connection.
  for (const structure of structures) changes.push(...(await refreshSeason(transaction, structure, scopes)));
  return changes;
}
