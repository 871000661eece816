/** Projects matches of the competitions area into computed statistics. */
import type { Graph } from '../../../schema/entry-point.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { graphql } from '../../clients/graphql.ts';
import { lockCanonicalAthletes } from '../athletes/removed-athletes.ts';
import { removedStates } from '../athletes/rules.ts';
import { isPublic, type VisibilityFacts } from '../athletes/visibility.ts';
import type { MatchFacts } from './match-counting.ts';
import { computeMatchRows, computeTotals, keyOf, type ComputedRow } from './match-statistics.ts';
import { statistics, statisticsResource, type StatisticsRow } from './rows.ts';

const matchesById = graphql(`
  query countedMatches($ids: [ID!]!) {
    matchesById(ids: $ids) {
      id
      sport
      seasonId
      competitionId
      eventCode
      published
      date
      counts
      scorersKnown
      assistsKnown
      participations {
        athleteId
        teamId
        inTeam
        played
        minutes
        outcome
        rank
        mark
        unit
        windMmPerS
        reactionTimeMs
        position
        conceded
        method
        actions {
          type
          assist
          count
        }
      }
    }
  }
`);

/** A stored row that was computed. */
type Stored = StatisticsRow & ComputedRow;

const columns = statistics.columns;

/** The columns of a computed row for `jsonb_to_recordset`. */
const recordset = sql`as r(id uuid, "athleteId" uuid, scope text, sport text, "matchId" uuid, "seasonId" uuid, "competitionId" uuid, "teamId" uuid,
  "eventCode" text, "matchesPlayed" int, "minutesPlayed" int, "matchesTimed" int, metrics jsonb, "asOf" date)`;

const valuesOf = ({ matchesPlayed, minutesPlayed, matchesTimed, metrics, asOf }: ComputedRow): string =>
  JSON.stringify([matchesPlayed, minutesPlayed, matchesTimed, metrics.map(({ key, value }) => [key, value]), asOf]);

/** Inserts rows for the account of each athlete. Unknown and removed athletes get none. */
function insert(transaction: Queryable, rows: readonly ComputedRow[]): Promise<Stored[]> {
  return transaction.query<Stored>(sql`/* statistics.insertComputed */
    insert into statistics (account_id, created_at, updated_at, athlete_id, scope, sport, match_id, season_id, competition_id, team_id, event_code,
      matches_played, minutes_played, matches_timed, metrics, source, as_of)
    select athlete.account_id, statement_timestamp(), statement_timestamp(), athlete.id, r.scope, r.sport, r."matchId", r."seasonId", r."competitionId",
      r."teamId", r."eventCode", r."matchesPlayed", r."minutesPlayed", r."matchesTimed", r.metrics, 'COMPUTED', r."asOf"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) ${recordset} join athlete on athlete.id = r."athleteId" and athlete.status <> all(${[...removedStates]})
    order by athlete.id
    returning ${columns}`);
}

function update(transaction: Queryable, rows: readonly (ComputedRow & { id: string })[]): Promise<Stored[]> {
  return transaction.query<Stored>(sql`/* statistics.updateComputed */
    update statistics set version = version + 1, updated_at = statement_timestamp(), matches_played = r."matchesPlayed",
      minutes_played = r."minutesPlayed", matches_timed = r."matchesTimed", metrics = r.metrics, as_of = r."asOf"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) ${recordset} where statistics.id = r.id returning ${columns}`);
}

/** Copies the metrics of rows to the table that leaderboards read. */
async function setMetrics(transaction: Queryable, rows: readonly Stored[]): Promise<void> {
  const values = rows.flatMap(({ id, metrics }) => metrics.map(({ key, value }) => ({ id, key, value })));
  await transaction.query(sql`/* statistics.setComputedMetrics */
    with given as (select * from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as g(id uuid, key text, value float8)),
    removed as (delete from statistic_metric m where m.statistics_id = any(${rows.map(({ id }) => id)}::uuid[])
      and not exists (select from given where given.id = m.statistics_id and given.key = m.key))
    insert into statistic_metric (statistics_id, key, value) select id, key, value from given
    on conflict (statistics_id, key) do update set value = excluded.value where statistic_metric.value <> excluded.value`);
}

async function findPublicAthletes(transaction: Queryable, rows: readonly ComputedRow[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(rows.map(({ athleteId }) => athleteId))];
  if (ids.length === 0) return new Set();
  const athletes = await transaction.query<VisibilityFacts & { id: string }>(sql`/* statistics.publicAthletes */
    select id, status, visibility, adult_from as "adultFrom", activated_as_minor as "activatedAsMinor" from athlete where id = any(${ids}::uuid[])`);
  return new Set(athletes.filter(isPublic).map(({ id }) => id));
}

/** Replaces stored rows by computed ones, in a few statements for any number of rows. Returns the inserted, updated and deleted rows. */
async function replace(
  transaction: WriteTransaction,
  stored: readonly Stored[],
  computed: readonly ComputedRow[],
): Promise<Stored[]> {
  const before = new Map(stored.map((row) => [keyOf(row), row]));
  const wanted = new Map(computed.map((row) => [keyOf(row), row]));
  const added = computed.filter((row) => !before.has(keyOf(row)));
  const removed = stored.filter((row) => !wanted.has(keyOf(row)));
  const changed = computed.flatMap((row) => {
    const old = before.get(keyOf(row));
    return old && valuesOf(old) !== valuesOf(row) ? [{ ...row, id: old.id }] : [];
  });
  const inserted = added.length > 0 ? await insert(transaction, added) : [];
  const updated = changed.length > 0 ? await update(transaction, changed) : [];
  if (inserted.length + updated.length > 0) await setMetrics(transaction, [...inserted, ...updated]);
  if (removed.length > 0) {
    const ids = removed.map(({ id }) => id);
    await transaction.query(sql`/* statistics.deleteComputed */ delete from statistics where id = any(${ids}::uuid[])`);
  }
  const publicAthletes = await findPublicAthletes(transaction, removed);
  record(transaction, before, [...inserted, ...updated], removed, publicAthletes);
  return [...inserted, ...updated, ...removed];
}

/** Records the changes. Rows of matches leave tombstones only, because the result that they follow from has its own history and event. */
function record(
  transaction: WriteTransaction,
  before: ReadonlyMap<string, Stored>,
  written: readonly Stored[],
  removed: readonly Stored[],
  publicAthletes: ReadonlySet<string>,
): void {
  const about = ({ athleteId, scope }: Stored) => ({
    event: scope === 'MATCH' ? null : ('statistics.updated' as const),
    data: { athleteId },
    resourceType: statisticsResource.type,
  });
  for (const after of written)
    if (after.scope !== 'MATCH')
      transaction.record({ ...about(after), action: 'computed', before: before.get(keyOf(after)) ?? null, after });
  for (const row of removed) {
    const publicBefore = publicAthletes.has(row.athleteId);
    transaction.record({ ...about(row), action: 'deleted', before: row, after: null, publicBefore });
  }
}

/** Recomputes the season and career rows of athletes from all rows of their matches. */
export async function updateTotals(transaction: WriteTransaction, athleteIds: readonly string[]): Promise<void> {
  const rows = await transaction.query<Stored>(sql`/* statistics.computedOfAthletes */ select ${columns} from statistics
    where athlete_id = any(${[...athleteIds]}::uuid[]) and source = 'COMPUTED' order by match_id, id`);
  const matches = rows.filter(({ scope }) => scope === 'MATCH');
  await replace(
    transaction,
    rows.filter(({ scope }) => scope !== 'MATCH'),
    computeTotals(matches),
  );
}

/** A match whose participations name canonical profiles instead of duplicates. */
function withCanonicalAthletes(match: MatchFacts, canonical: ReadonlyMap<string, string>): MatchFacts {
  if (canonical.size === 0) return match;
  const participations = match.participations.map((each) => ({
    ...each,
    athleteId: canonical.get(each.athleteId) ?? each.athleteId,
  }));
  return { ...match, participations };
}

/** Athletes with stored rows of the matches. */
async function findCountedAthletes(transaction: Queryable, matchIds: readonly string[]): Promise<string[]> {
  const rows = await transaction.query<{
    id: string;
  }>(sql`/* statistics.athletesOfMatches */ select distinct athlete_id as id from statistics
    where match_id = any(${[...matchIds]}::uuid[]) and source = 'COMPUTED'`);
  return rows.map(({ id }) => id);
}

/** Matches per fetch. A match has up to fifty participations. */
const batchSize = 100;

/**
 * Recomputes the statistics of all participants of matches, in the transaction of the projection. It reads the current facts, so that
 * repeated, late and reordered events give the same result as a rebuild.
 */
export async function updateMatchStatistics(
  transaction: Queryable,
  writer: Writer,
  graph: Graph,
  matchIds: readonly string[],
): Promise<void> {
  const athletes = new Set<string>();
  await writer.writeWithin(transaction, async (work) => {
    for (let from = 0; from < matchIds.length; from += batchSize) {
      const ids = matchIds.slice(from, from + batchSize);
      const matches: readonly MatchFacts[] = (await graph(matchesById, { ids })).matchesById ?? [];
      const participants = matches.flatMap(({ participations }) => participations.map(({ athleteId }) => athleteId));
      // athletes before their rows, as in merges and changes of visibility
      const canonical = await lockCanonicalAthletes(work, [...participants, ...(await findCountedAthletes(work, ids))]);
      const computed = matches.flatMap((match) => computeMatchRows(withCanonicalAthletes(match, canonical)));
      const stored = await work.query<Stored>(sql`/* statistics.computedOfMatches */ select ${columns} from statistics
        where match_id = any(${ids}::uuid[]) and source = 'COMPUTED' for update`);
      for (const row of await replace(work, stored, computed)) athletes.add(row.athleteId);
    }
    if (athletes.size > 0) await updateTotals(work, [...athletes]);
  });
}
