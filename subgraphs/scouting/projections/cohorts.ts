/** Cohorts of scouting: made anew for each sport in which numbers changed, and then the scores of the sport. */
import { selectCohorts, refreshCohorts } from '../../../platform/cohorts.ts';
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import type { Sport } from '../resolvers.generated.ts';
import { updateScores } from './scores.ts';

/** Sets the cohorts of a metric to what the numbers of all prospects of the sport say. */
export async function renewCohorts(database: Queryable, sport: Sport, metric: string): Promise<void> {
  await database.query(sql`/* upkeep.renewProspectCohorts */
    with grouped as (
      select m.event_code, v.kind, p.sex, p.age_band, nullif(p.position_group, '') as position_group, p.level, v.value
      from prospect_metric m join prospect p on p.sport = m.sport and p.athlete_id = m.athlete_id,
        lateral (values ('VALUE', m.rate), ('GROWTH', m.rate - m.rate_before)) v(kind, value)
      where m.sport = ${sport} and m.metric = ${metric} and v.value is not null),
    made as (${selectCohorts(sql`event_code, kind`)}),
    gone as (delete from cohort c where c.sport = ${sport} and c.metric = ${metric} and not exists (
      select from made where (made.event_code, made.kind, made.sex, made.age_band, made.position_group, made.level)
        = (c.event_code, c.kind, c.sex, c.age_band, c.position_group, c.level)))
    insert into cohort (sport, metric, event_code, kind, sex, age_band, position_group, level, size, knots)
    select ${sport}, ${metric}, event_code, kind, sex, age_band, position_group, level, size, knots from made
    on conflict (sport, metric, event_code, kind, sex, age_band, position_group, level) do update set size = excluded.size, knots = excluded.knots
    where (cohort.size, cohort.knots) is distinct from (excluded.size, excluded.knots)`);
}

/** Metrics that a sport has numbers or cohorts of. */
async function metricsIn(database: Queryable, sport: Sport): Promise<string[]> {
  const rows = await database.query<{ metric: string }>(sql`/* upkeep.prospectMetrics */
    with recursive found as (
      (select metric from prospect_metric where sport = ${sport} order by metric limit 1)
      union all select (select m.metric from prospect_metric m where m.sport = ${sport} and m.metric > found.metric order by m.metric limit 1)
      from found where found.metric is not null)
    select metric from found where metric is not null union select metric from cohort where sport = ${sport}`);
  return rows.map(({ metric }) => metric);
}

/** The next athletes of a sport, after an id. */
async function athletesOf(database: Queryable, sport: Sport, after: string | null): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`/* upkeep.prospectsOf */ select athlete_id as id from prospect
    where sport = ${sport} and ${after === null ? sql`true` : sql`athlete_id > ${after}`} order by athlete_id limit ${scoredMax}::int`);
  return rows.map(({ id }) => id);
}

/** Athletes whose scores are computed in one go. */
const scoredMax = 1000;
/** Projections wait while cohorts are renewed: a step takes no more when it lasts so long. */
const stepMs = 500;

/** What is left to do of a sport. */
interface Renewal {
  readonly sport: Sport;
  /** Changes that were noted when it began. */
  readonly changes: number;
  readonly metrics: string[];
  after: string | null;
  /** Whether a metric could not be renewed: then the sport stays noted. */
  failed: boolean;
}

/** Notes that numbers of sports changed. */
export async function markCohortsDue(transaction: Queryable, sports: readonly Sport[]): Promise<void> {
  if (sports.length === 0) return;
  await transaction.query(sql`/* prospects.cohortsDue */
    insert into cohort_due (sport) select unnest(${[...new Set(sports)].sort()}::text[])
    on conflict (sport) do update set changes = cohort_due.changes + 1`);
}

/**
 * Makes the function that renews the cohorts and scores of sports whose numbers changed, some at each call; it returns whether there is
 * more. What changes meanwhile is renewed the next time; a process that ends in between leaves the sport to be renewed again.
 */
export function createProspectRenewal(database: Database): () => Promise<boolean> {
  let left: Renewal[] = [];

  async function begin(): Promise<Renewal[]> {
    const due = await database.query<Pick<Renewal, 'sport' | 'changes'>>(
      sql`/* upkeep.cohortsDue */ select sport, changes from cohort_due order by sport`,
    );
    return Promise.all(
      due.map(async (each) => ({ ...each, metrics: await metricsIn(database, each.sport), after: null, failed: false })),
    );
  }

  /** Returns whether the sport is done. */
  async function step(renewal: Renewal): Promise<boolean> {
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
    await database.query(sql`/* upkeep.cohortsRenewed */ delete from cohort_due where sport = ${sport} and changes = ${changes}`);
    return true;
  }

  return async () => {
    if (left.length === 0) left = await begin();
    const begun = performance.now();
    for (let [renewal] = left; renewal && performance.now() - begun < stepMs; [renewal] = left)
      if (await step(renewal)) left = left.filter((each) => each !== renewal);
    return left.length > 0;
  };
}
