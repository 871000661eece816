/** Cohorts of prospects. A renewal recomputes the cohorts of a sport whose values changed, then its scores. */
import { selectCohorts, refreshCohorts } from '../../../platform/cohorts.ts';
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import type { Sport } from '../generated/resolvers.ts';
import { updateScores } from './scores.ts';

/** Recomputes the cohorts of a metric from the values of all prospects of the sport. */
export async function renewCohorts(database: Queryable, sport: Sport, metric: string): Promise<void> {
  await database.query(sql`/* maintenance.renewProspectCohorts */
    with grouped as (
      select m.event_code, v.kind, p.sex, p.age_band, nullif(p.position_group, '') as position_group, p.level, v.value
      from prospect_metric m join prospect p on p.sport = m.sport and p.athlete_id = m.athlete_id,
        lateral (values ('VALUE', m.rate), ('GROWTH', m.rate - m.rate_before)) v(kind, value)
      where m.sport = ${sport} and m.metric = ${metric} and v.value is not null),
    computed as (${selectCohorts(sql`event_code, kind`)}),
    deleted as (delete from cohort c where c.sport = ${sport} and c.metric = ${metric} and not exists (
      select from computed n where (n.event_code, n.kind, n.sex, n.age_band, n.position_group, n.level)
        = (c.event_code, c.kind, c.sex, c.age_band, c.position_group, c.level)))
    insert into cohort (sport, metric, event_code, kind, sex, age_band, position_group, level, size, knots)
    select ${sport}, ${metric}, event_code, kind, sex, age_band, position_group, level, size, knots from computed
    on conflict (sport, metric, event_code, kind, sex, age_band, position_group, level) do update set size = excluded.size, knots = excluded.knots
    where (cohort.size, cohort.knots) is distinct from (excluded.size, excluded.knots)`);
}

/** The metrics of a sport that have values or cohorts. */
async function metricsIn(database: Queryable, sport: Sport): Promise<string[]> {
  const rows = await database.query<{ metric: string }>(sql`/* maintenance.prospectMetrics */
    with recursive found as (
      (select metric from prospect_metric where sport = ${sport} order by metric limit 1)
      union all select (select m.metric from prospect_metric m where m.sport = ${sport} and m.metric > found.metric order by m.metric limit 1)
      from found where found.metric is not null)
    select metric from found where metric is not null union select metric from cohort where sport = ${sport}`);
  return rows.map(({ metric }) => metric);
}

/** The next athletes of a sport, after an id. */
async function athletesOf(database: Queryable, sport: Sport, after: string | null): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`/* maintenance.prospectsOf */ select athlete_id as id from prospect
    where sport = ${sport} and ${after === null ? sql`true` : sql`athlete_id > ${after}`} order by athlete_id limit ${scoredMax}::int`);
  return rows.map(({ id }) => id);
}

/** Athletes whose scores are computed in one batch. */
const scoredMax = 1000;
/** Projections wait during a renewal, so a call stops after this time. */
const callMaxMs = 500;

/** The remaining work of a sport. */
interface Renewal {
  readonly sport: Sport;
  /** The change counter at the start of the renewal. */
  readonly changes: number;
  readonly metrics: string[];
  after: string | null;
  /** Whether the renewal of a metric failed. The sport then stays due. */
  failed: boolean;
}

/** Marks sports whose values changed as due for a renewal. */
export async function markCohortsDue(transaction: Queryable, sports: readonly Sport[]): Promise<void> {
  if (sports.length === 0) return;
  await transaction.query(sql`/* prospects.cohortsDue */
    insert into cohort_due (sport) select unnest(${[...new Set(sports)].sort()}::text[])
    on conflict (sport) do update set changes = cohort_due.changes + 1`);
}

/**
 * Creates a function that renews the cohorts and scores of due sports, a part at each call, and returns whether there is more. Changes
 * during a renewal keep the sport due. So does a process that stops before the end.
 */
export function createProspectRenewal(database: Database): () => Promise<boolean> {
  let remaining: Renewal[] = [];

  async function start(): Promise<Renewal[]> {
    const due = await database.query<Pick<Renewal, 'sport' | 'changes'>>(
      sql`/* maintenance.cohortsDue */ select sport, changes from cohort_due order by sport`,
    );
    return Promise.all(
      due.map(async (each) => ({ ...each, metrics: await metricsIn(database, each.sport), after: null, failed: false })),
    );
  }

  /** Renews the next metric, or the next batch of scores. Returns whether the sport is finished. */
  async function advance(renewal: Renewal): Promise<boolean> {
    const { sport, changes } = renewal;
    const metric = renewal.metrics.pop();
    if (metric !== undefined) {
      try {
        await refreshCohorts(database, (transaction) => renewCohorts(transaction, sport, metric));
      } catch (error) {
        renewal.failed = true;
        throw error;
      }
      return false;
    }
    const ids = await athletesOf(database, sport, renewal.after);
    if (ids.length > 0) await updateScores(database, ids, sport);
    renewal.after = ids.at(-1) ?? renewal.after;
    if (ids.length === scoredMax) return false;
    if (renewal.failed) return true;
    await database.query(
      sql`/* maintenance.cohortsRenewed */ delete from cohort_due where sport = ${sport} and changes = ${changes}`,
    );
    return true;
  }

  return async () => {
    if (remaining.length === 0) remaining = await start();
    const startedAt = performance.now();
    for (let [renewal] = remaining; renewal && performance.now() - startedAt < callMaxMs; [renewal] = remaining)
      if (await advance(renewal)) remaining = remaining.filter((each) => each !== renewal);
    return remaining.length > 0;
  };
}
