/** SQL conditions of prospect lists, with the validation of the filter. */
import { Problem } from '../../../schema/errors.ts';
import { expandPositions, positionGroup } from '../../../schema/position-codes.ts';
import { eventOf, metricsOf, sportNames, type Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { birthday, latestToday } from '../../runtime/age.ts';
import { rejectFilter, unknownCodes } from '../../runtime/filter-violations.ts';
import type { ProspectFilter } from '../generated/resolvers.ts';

/** A single sport is compared with `=`, so that the index on sport and score provides the order. */
function ofSports(sports: readonly Sport[]): Sql {
  return sports.length === 1 ? sql`prospect.sport = ${sports[0]}` : sql`prospect.sport = any(${[...sports]})`;
}

/** The sports of the results: the requested ones, or those that have a requested position. Null for all. */
function sportsOf(viewer: Viewer, { sport, position }: ProspectFilter): readonly Sport[] | null {
  const requested = sport ?? (position ? sportNames.filter((each) => position.some((code) => positionGroup(each, code))) : null);
  if (viewer.sport === null) return requested;
  return requested?.filter((each) => each === viewer.sport) ?? [viewer.sport];
}

/** Conditions of a filter on `prospect`. */
export interface ProspectConditions {
  /** One condition for each of several sports, which `where` requires too. Empty for one sport or all. */
  readonly parts: readonly Sql[];
  readonly where: readonly Sql[];
  /** Conditions on metric values of `prospect.athlete_id`. Each looks the athlete up in `prospect_metric`. */
  readonly thresholds: readonly Sql[];
}

function reject(parameter: string, code: string, detail: string): never {
  throw new Problem('parameter_invalid', detail, { errors: [{ parameter, code, detail }] });
}

/** The thresholds of a filter, such as `goals:gte:10`, as conditions on `m`, a row of `prospect_metric`. */
function metricConditions(viewer: Viewer, { metric, eventCode, sport: sports }: ProspectFilter): Sql[] {
  if (!metric) return eventCode ? reject('eventCode', 'without_metric', '`eventCode` requires `metric`.') : [];
  const sport = sports?.length === 1 ? sports[0] : viewer.sport;
  if (!sport) return reject('metric', 'without_sport', '`metric` requires exactly one `sport`.');
  if (eventCode && !eventOf(sport, eventCode)) reject('eventCode', 'unknown_event', `${sport} has no event ${eventCode}.`);
  const known: readonly string[] = metricsOf(sport).map(({ key }) => key);
  return metric.map((each) => {
    const [key = '', operator, value] = each.split(':');
    if (!known.includes(key))
      reject('metric', 'unknown_metric', `${sport} has no metric ${key}. Its metrics are ${known.join(', ')}.`);
    const reached = operator === 'gte' ? sql`m.value >= ${Number(value)}` : sql`m.value <= ${Number(value)}`;
    return sql`m.sport = ${sport} and m.metric = ${key} and m.event_code = ${eventCode ?? ''} and ${reached}`;
  });
}

/** A threshold that more athletes reach is not selective: a walk in list order finds some of them soon. */
const selectiveMax = 2000;

/**
 * The athletes who reach a threshold, as a condition, if they are few. The query planner cannot estimate that, because one column holds the
 * values of all metrics. Empty if every threshold has many matches.
 */
export async function selectiveThreshold(database: Queryable, viewer: Viewer, filter: ProspectFilter): Promise<Sql[]> {
  for (const threshold of metricConditions(viewer, filter)) {
    const rows = await database.query<{ id: string }>(
      sql`/* prospects.reaching */ select m.athlete_id as id from prospect_metric m where ${threshold} limit ${selectiveMax + 1}::int`,
    );
    if (rows.length <= selectiveMax) return [sql`prospect.athlete_id = any(${rows.map(({ id }) => id)}::uuid[])`];
  }
  return [];
}

function scoreConditions({ minScore, minConfidence, emerging }: ProspectFilter): Sql[] {
  const where: Sql[] = [];
  if (typeof minConfidence === 'number') where.push(sql`prospect.confidence >= ${minConfidence}::float8`);
  if (typeof emerging === 'boolean') where.push(emerging ? sql`prospect.emerging` : sql`not prospect.emerging`);
  // Scores are whole points. The cast to int makes the condition match their index.
  if (typeof minScore === 'number') where.push(sql`prospect.talent_score >= ${Math.ceil(minScore)}::int`);
  return where;
}

/** The conditions of a filter. Throws Problem parameter_invalid (400) for a position, metric or event that the sport does not have. */
export function prospectConditions(viewer: Viewer, filter: ProspectFilter): ProspectConditions {
  rejectFilter(unknownCodes('position', 'position', filter.sport, filter.position));
  const sports = sportsOf(viewer, filter);
  const where: Sql[] = [sql`prospect.is_primary`];
  if (sports) where.push(ofSports(sports));
  const [sport = null] = filter.sport?.length === 1 ? filter.sport : [viewer.sport];
  if (filter.position) where.push(sql`prospect.positions && ${expandPositions(sport, filter.position)}`);
  if (filter.level) where.push(oneOf(sql`prospect.level`, filter.level));
  if (filter.ageBand) where.push(oneOf(sql`prospect.age_band`, filter.ageBand));
  if (filter.sex) where.push(oneOf(sql`prospect.sex`, filter.sex));
  if (filter.country) where.push(oneOf(sql`prospect.country`, filter.country));
  if (typeof filter.ageMax === 'number')
    where.push(sql`prospect.born_by > ${birthday(latestToday(), -(filter.ageMax + 1))}::date`);
  const thresholds = metricConditions(viewer, filter).map(
    (condition) => sql`exists (select from prospect_metric m where m.athlete_id = prospect.athlete_id and ${condition})`,
  );
  const parts = sports !== null && sports.length > 1 ? [...new Set(sports)].map((each) => ofSports([each])) : [];
  return { parts, where: [...where, ...scoreConditions(filter)], thresholds };
}
