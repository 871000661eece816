/** Keeps the stored rankings equal to what their results say, in the transaction of the write that touched them. */
import { isDeepStrictEqual } from 'node:util';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { rankTouched, stagesOf, touchedBy, type Touched } from './scope.ts';
import { refreshBestMarks } from '../best-marks/writes.ts';
import { readFacts, readFrames, type SeasonFrame } from './season-facts.ts';
import type { RankedPlace, RankingChange, RankingRecord, RankingScope } from './rows.ts';

interface Stored extends RankingRecord {
  readonly version: number;
}

/**
 * Lets one write at a time make the rankings of a season, until its commit: of two results at once the second one sees the first. Locks of
 * its own, as writes of matches already share the rows of season and stage.
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

/** Writes rankings that are new or differ, and deletes those that hold nobody any more, in one statement. */
async function store(transaction: Queryable, rankings: readonly RankingRecord[], gone: readonly string[]): Promise<void> {
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
    with gone as (delete from ranking where id = any(${[...gone]}::uuid[]))
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

/** Who stands elsewhere, or has other points. */
function changedPlaces(before: readonly RankedPlace[], after: readonly RankedPlace[]): RankingChange['changed'] {
  const old = new Map(before.map((row) => [row.participantId, row]));
  const now = new Map(after.map((row) => [row.participantId, row]));
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((participantId) => {
    const change = { participantId, before: placeOf(old.get(participantId)), after: placeOf(now.get(participantId)) };
    return isDeepStrictEqual(change.before, change.after) ? [] : [change];
  });
}

/** The most places that one event tells of: who needs more reads the ranking. */
const changedMax = 200;

function changeOf(before: Stored | undefined, after: RankingRecord | undefined): RankingChange | null {
  const of = after ?? before;
  if (!of) return null;
  const { seasonId, contestId, stageId, groupName, type, classification } = of;
  const changed = changedPlaces(before?.rows ?? [], after?.rows ?? []);
  return { seasonId, contestId, stageId, groupName, type, classification, changed };
}

function note(transaction: WriteTransaction, id: string, version: number, accountId: string, change: RankingChange): void {
  const { groupName, changed, ...of } = change;
  const now = { id, version, accountId };
  transaction.record({
    action: 'updated',
    event: 'standings.updated',
    before: now,
    after: now,
    data: { ...of, group: groupName, changed: changed.slice(0, changedMax), changedCount: changed.length },
  });
}

/** JSON as it comes back from the database: without members that are undefined. */
const asStored = (rows: readonly RankedPlace[]): unknown => JSON.parse(JSON.stringify(rows));

async function refreshSeason(
  transaction: WriteTransaction,
  frame: SeasonFrame,
  scopes: readonly RankingScope[],
): Promise<RankingChange[]> {
  const touched = touchedBy(frame, scopes);
  if (!touched.whole && touched.tables.length === 0 && touched.contests.length === 0) return [];
  const [facts, stored] = await Promise.all([
    readFacts(transaction, frame, stagesOf(frame, touched)),
    readStored(transaction, frame.season.id, touched),
  ]);
  const before = new Map(stored.map((ranking) => [ranking.id, ranking]));
  const after = new Map(rankTouched(facts, touched).map((ranking) => [ranking.id, ranking]));
  const different = [...after.values()].filter(({ id, method, ordinal, rows }) => {
    const old = before.get(id);
    return old?.method !== method || old.ordinal !== ordinal || !isDeepStrictEqual(old.rows, asStored(rows));
  });
  const gone = [...before.keys()].filter((id) => !after.has(id));
  if (different.length + gone.length > 0) await store(transaction, different, gone);
  await refreshBestMarks(transaction, facts, frame, touched);
  return [...different.map(({ id }) => id), ...gone].flatMap((id) => {
    const change = changeOf(before.get(id), after.get(id));
    if (!change) return [];
    note(transaction, id, (before.get(id)?.version ?? 0) + 1, frame.season.accountId, change);
    return [change];
  });
}

/**
 * Computes anew every ranking that the given scopes touch (the table of a stage, the order of its contest, that of its season, the best
 * marks of its athletes), stores what differs, and notes an event for each ranking that changed. A scope without a stage is a whole
 * contest, one without a contest the whole season. Call it once, at the end of a write: it reads what the write has done.
 * Returns what changed, for the events of results.
 */
export async function refreshRankings(transaction: WriteTransaction, scopes: readonly RankingScope[]): Promise<RankingChange[]> {
  const seasonIds = [...new Set(scopes.map(({ seasonId }) => seasonId))].toSorted();
  if (seasonIds.length === 0) return [];
  // sent together: the frames are read when the lock is had
  const [, frames] = await Promise.all([lockSeasons(transaction, seasonIds), readFrames(transaction, seasonIds)]);
  const changes: RankingChange[] = [];
  // one after the other: they share a connection
  for (const frame of frames) changes.push(...(await refreshSeason(transaction, frame, scopes)));
  return changes;
}
