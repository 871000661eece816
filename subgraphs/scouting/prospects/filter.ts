/** Which prospects a list shows: conditions on the table, and what a filter may not ask for. */
import { Problem } from '../../../schema/errors.ts';
import { eventOf, expandPositions, metricsOf, type Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { birthday, latestToday } from '../../runtime/age.ts';
import type { ProspectFilter } from '../resolvers.generated.ts';

/** One sport is compared with `=`, so that the index of sport and score gives the order. */
function ofSports(sports: readonly Sport[]): Sql {
  return sports.length === 1 ? sql`prospect.sport = ${sports[0]}` : sql`prospect.sport = any(${[...sports]})`;
}

function refuse(parameter: string, code: string, detail: string): never {
  throw new Problem('parameter_invalid', detail, { errors: [{ parameter, code, detail }] });
}

/** What numbers of the one sport that is asked for are to reach, as `goals:gte:10` says: conditions on `m`, a row of `prospect_metric`. */
function thresholds(viewer: Viewer, { metric, eventCode, sport: sports }: ProspectFilter): Sql[] {
  if (!metric)
    return eventCode ? refuse('eventCode', 'without_metric', 'An event is that of numbers: name a metric as well.') : [];
  const sport = sports?.length === 1 ? sports[0] : viewer.sport;
  if (!sport) return refuse('metric', 'without_sport', 'Name the one sport whose numbers are meant.');
  if (eventCode && !eventOf(sport, eventCode)) refuse('eventCode', 'unknown_event', `${sport} has no event ${eventCode}.`);
  const known: readonly string[] = metricsOf(sport).map(({ key }) => key);
  return metric.map((each) => {
    const [key = '', operator, value] = each.split(':');
    if (!known.includes(key)) refuse('metric', 'unknown_metric', `${sport} has no metric ${key}. It has ${known.join(', ')}.`);
    const compared = operator === 'gte' ? sql`m.value >= ${Number(value)}` : sql`m.value <= ${Number(value)}`;
    return sql`m.sport = ${sport} and m.metric = ${key} and m.event_code = ${eventCode ?? ''} and ${compared}`;
  });
}

/** So many are looked up; of more, some are met soon along the order of a list. */
const fewMax = 2000;

/**
 * Who reaches one of the numbers, where they are few: a condition. Statistics cannot tell that, for values of all metrics are in one
 * column. Empty where many reach each of them.
 */
export async function selectiveThreshold(database: Queryable, viewer: Viewer, filter: ProspectFilter): Promise<Sql[]> {
  for (const threshold of thresholds(viewer, filter)) {
    const rows = await database.query<{ id: string }>(
      sql`/* prospects.reaching */ select m.athlete_id as id from prospect_metric m where ${threshold} limit ${fewMax + 1}::int`,
    );
    if (rows.length <= fewMax) return [sql`prospect.athlete_id = any(${rows.map(({ id }) => id)}::uuid[])`];
  }
  return [];
}

/** The conditions of a filter. Throws Problem parameter_invalid (400) for numbers and events that the sport has not. */
export function prospectConditions(viewer: Viewer, filter: ProspectFilter): Sql[] {
  const where: Sql[] = [sql`prospect.is_primary`];
  if (filter.sport) where.push(ofSports(filter.sport));
  if (viewer.sport) where.push(ofSports([viewer.sport]));
  const [sport = null] = filter.sport?.length === 1 ? filter.sport : [viewer.sport];
  if (filter.position) where.push(sql`prospect.positions && ${expandPositions(sport, filter.position)}`);
  if (filter.level) where.push(oneOf(sql`prospect.level`, filter.level));
  if (filter.ageBand) where.push(oneOf(sql`prospect.age_band`, filter.ageBand));
  for (const threshold of thresholds(viewer, filter))
    where.push(sql`exists (select from prospect_metric m where m.athlete_id = prospect.athlete_id and ${threshold})`);
  if (filter.sex) where.push(oneOf(sql`prospect.sex`, filter.sex));
  if (filter.country) where.push(oneOf(sql`prospect.country`, filter.country));
  if (typeof filter.ageMax === 'number')
    where.push(sql`prospect.born_by > ${birthday(latestToday(), -(filter.ageMax + 1))}::date`);
  if (typeof filter.minConfidence === 'number') where.push(sql`prospect.confidence >= ${filter.minConfidence}::float8`);
  if (typeof filter.emerging === 'boolean') where.push(filter.emerging ? sql`prospect.emerging` : sql`not prospect.emerging`);
  // Scores are whole points, and their index knows no fractions.
  if (typeof filter.minScore === 'number') where.push(sql`prospect.talent_score >= ${Math.ceil(filter.minScore)}::int`);
  return where;
}
