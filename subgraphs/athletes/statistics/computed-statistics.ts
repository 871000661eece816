/** Keeps the rows that are counted from matches equal to what the competitions area says of the matches now. */
import type { Graph } from '../../../schema/entry-point.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import type { MatchFacts } from './match-counting.ts';
import { keyOf, computeMatchRows, computeTotals, type ComputedRow } from './match-statistics.ts';
import { removedStates } from '../athletes/rules.ts';
import { isPublic, type VisibilityFacts } from '../athletes/visibility.ts';
import { lockCanonicalAthletes } from '../athletes/removed-athletes.ts';
import { statistics, statisticsResource, type StatisticsRow } from './rows.ts';

const matchesById = /* GraphQL */ `
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
`;

/** A row as it is stored; what is stored was counted, too. */
type Stored = StatisticsRow & ComputedRow;

const columns = statistics.columns;

/** The columns of a counted row, as `jsonb_to_recordset` reads them. */
const recordset = sql`as r(id uuid, "athleteId" uuid, scope text, sport text, "matchId" uuid, "seasonId" uuid, "competitionId" uuid, "teamId" uuid,
  "eventCode" text, "matchesPlayed" int, "minutesPlayed" int, "matchesTimed" int, metrics jsonb, "asOf" date)`;

const numbersOf = ({ matchesPlayed, minutesPlayed, matchesTimed, metrics, asOf }: ComputedRow): string =>
  JSON.stringify([matchesPlayed, minutesPlayed, matchesTimed, metrics.map(({ key, value }) => [key, value]), asOf]);

/** Rows belong to the account of their athlete; there are none of athletes who are not there, or are no more under the id. */
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

/** The numbers by themselves, for leaderboards. */
async function setMetrics(transaction: Queryable, rows: readonly Stored[]): Promise<void> {
  const values = rows.flatMap(({ id, metrics }) => metrics.map(({ key, value }) => ({ id, key, value })));
  await transaction.query(sql`/* statistics.setComputedMetrics */
    with given as (select * from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as g(id uuid, key text, value float8)),
    gone as (delete from statistic_metric m where m.statistics_id = any(${rows.map(({ id }) => id)}::uuid[])
      and not exists (select from given where given.id = m.statistics_id and given.key = m.key))
    insert into statistic_metric (statistics_id, key, value) select id, key, value from given
    on conflict (statistics_id, key) do update set value = excluded.value where statistic_metric.value <> excluded.value`);
}

async function publicAthletes(transaction: Queryable, rows: readonly ComputedRow[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(rows.map(({ athleteId }) => athleteId))];
  if (ids.length === 0) return new Set();
  const athletes = await transaction.query<VisibilityFacts & { id: string }>(sql`/* statistics.publicAthletes */
    select id, status, visibility, adult_from as "adultFrom", activated_as_minor as "activatedAsMinor" from athlete where id = any(${ids}::uuid[])`);
  return new Set(athletes.filter(isPublic).map(({ id }) => id));
}

/** Takes stored rows to what they are to be, in a few statements for any number of them. Returns the rows that changed, as they were or are. */
async function replace(
  transaction: WriteTransaction,
  stored: readonly Stored[],
  counted: readonly ComputedRow[],
): Promise<Stored[]> {
  const before = new Map(stored.map((row) => [keyOf(row), row]));
  const wanted = new Map(counted.map((row) => [keyOf(row), row]));
  const fresh = counted.filter((row) => !before.has(keyOf(row)));
  const gone = stored.filter((row) => !wanted.has(keyOf(row)));
  const changed = counted.flatMap((row) => {
    const was = before.get(keyOf(row));
    return was && numbersOf(was) !== numbersOf(row) ? [{ ...row, id: was.id }] : [];
  });
  const inserted = fresh.length > 0 ? await insert(transaction, fresh) : [];
  const updated = changed.length > 0 ? await update(transaction, changed) : [];
  if (inserted.length + updated.length > 0) await setMetrics(transaction, [...inserted, ...updated]);
  if (gone.length > 0) {
    const ids = gone.map(({ id }) => id);
    await transaction.query(sql`/* statistics.deleteComputed */ delete from statistics where id = any(${ids}::uuid[])`);
  }
  const seen = await publicAthletes(transaction, gone);
  note(transaction, before, [...inserted, ...updated], gone, seen);
  return [...inserted, ...updated, ...gone];
}

/**
 * Notes what changed. Of matches nothing but tombstones: they follow from a result, which has its own history and event.
 * @param seen athletes whose rows everybody saw
 */
function note(
  transaction: WriteTransaction,
  before: ReadonlyMap<string, Stored>,
  written: readonly Stored[],
  gone: readonly Stored[],
  seen: ReadonlySet<string>,
): void {
  const about = ({ athleteId, scope }: Stored) => ({
    event: scope === 'MATCH' ? null : ('statistics.updated' as const),
    data: { athleteId },
    resourceType: statisticsResource.type,
  });
  for (const after of written)
    if (after.scope !== 'MATCH')
      transaction.record({ ...about(after), action: 'computed', before: before.get(keyOf(after)) ?? null, after });
  for (const row of gone)
    transaction.record({ ...about(row), action: 'deleted', before: row, after: null, publicBefore: seen.has(row.athleteId) });
}

/** Seasons and careers of athletes, from all rows of their matches. */
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

/** A match in which second profiles are the first ones. */
function ofFirsts(match: MatchFacts, firsts: ReadonlyMap<string, string>): MatchFacts {
  if (firsts.size === 0) return match;
  const participations = match.participations.map((each) => ({
    ...each,
    athleteId: firsts.get(each.athleteId) ?? each.athleteId,
  }));
  return { ...match, participations };
}

/** Those of whom there are rows of matches. */
async function athletesCounted(transaction: Queryable, matchIds: readonly string[]): Promise<string[]> {
  const rows = await transaction.query<{
    id: string;
  }>(sql`/* statistics.athletesOfMatches */ select distinct athlete_id as id from statistics
    where match_id = any(${[...matchIds]}::uuid[]) and source = 'COMPUTED'`);
  return rows.map(({ id }) => id);
}

/** How many matches are read at once: of each up to fifty athletes are told. */
const portion = 100;

/**
 * Brings the statistics of all who took part in matches up to date, in the transaction of the projection. Facts are read as they are now,
 * so that events that come twice, late or in another order leave what a rebuild would.
 */
export async function updateMatchStatistics(
  transaction: Queryable,
  writer: Writer,
  graph: Graph,
  matchIds: readonly string[],
): Promise<void> {
  const athletes = new Set<string>();
  await writer.writeWithin(transaction, async (work) => {
    for (let from = 0; from < matchIds.length; from += portion) {
      const ids = matchIds.slice(from, from + portion);
      const data = await graph(matchesById, { ids });
      const matches = data['matchesById'] as MatchFacts[];
      const counting = matches.flatMap(({ participations }) => participations.map(({ athleteId }) => athleteId));
      // before any of their rows: who merges one, shows or hides it, writes all its rows, and takes it first as well
      const firsts = await lockCanonicalAthletes(work, [...counting, ...(await athletesCounted(work, ids))]);
      const counted = matches.flatMap((match) => computeMatchRows(ofFirsts(match, firsts)));
      const stored = await work.query<Stored>(sql`/* statistics.computedOfMatches */ select ${columns} from statistics
        where match_id = any(${ids}::uuid[]) and source = 'COMPUTED' for update`);
      for (const row of await replace(work, stored, counted)) athletes.add(row.athleteId);
    }
    if (athletes.size > 0) await updateTotals(work, [...athletes]);
  });
}
