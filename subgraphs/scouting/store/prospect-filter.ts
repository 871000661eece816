/** Which prospects a list shows: conditions on the table, and what a filter may not ask for. */
import { Problem } from '../../../schema/errors.ts';
import { expandPositions, metricsOf, type Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database.ts';
import { birthday, latestToday } from '../../age.ts';
import type { ProspectFilter } from '../resolvers.generated.ts';

/** One sport is compared with `=`, so that the index of sport and score gives the order. */
function ofSports(sports: readonly Sport[]): Sql {
  return sports.length === 1 ? sql`prospect.sport = ${sports[0]}` : sql`prospect.sport = any(${[...sports]})`;
}

function refuseMetric(detail: string): never {
  throw new Problem('parameter_invalid', detail, { errors: [{ parameter: 'metric', code: 'unknown_metric', detail }] });
}

/** What numbers of the one sport that is asked for are to reach, as `goals:gte:10` says. */
function thresholds({ metric, eventCode }: ProspectFilter, sport: Sport | null): Sql[] {
  if (!metric) return [];
  if (sport === null) return refuseMetric('Name the one sport whose numbers are meant.');
  const known: readonly string[] = metricsOf(sport).map(({ key }) => key);
  return metric.map((each) => {
    const [key = '', operator, value] = each.split(':');
    if (!known.includes(key)) refuseMetric(`${sport} has no metric ${key}. It has ${known.join(', ')}.`);
    const compared = operator === 'gte' ? sql`m.value >= ${Number(value)}` : sql`m.value <= ${Number(value)}`;
    return sql`exists (select from prospect_metric m where m.athlete_id = prospect.athlete_id and m.sport = ${sport} and m.metric = ${key}
      and m.event_code = ${eventCode ?? ''} and ${compared})`;
  });
}

/** The conditions of a filter. Throws Problem parameter_invalid (400) for numbers that the sport has not. */
export function prospectConditions(viewer: Viewer, filter: ProspectFilter): Sql[] {
  const where: Sql[] = [sql`prospect.is_primary`];
  if (filter.sport) where.push(ofSports(filter.sport));
  if (viewer.sport) where.push(ofSports([viewer.sport]));
  const [sport = null] = filter.sport?.length === 1 ? filter.sport : [viewer.sport];
  if (filter.position) where.push(sql`prospect.positions && ${expandPositions(sport, filter.position)}`);
  if (filter.level) where.push(sql`prospect.level = any(${filter.level})`);
  if (filter.ageBand) where.push(sql`prospect.age_band = any(${filter.ageBand})`);
  where.push(...thresholds(filter, sport));
  if (filter.sex) where.push(sql`prospect.sex = any(${filter.sex})`);
  if (filter.country) where.push(sql`prospect.country = any(${filter.country})`);
  if (typeof filter.ageMax === 'number')
    where.push(sql`prospect.born_by > ${birthday(latestToday(), -(filter.ageMax + 1))}::date`);
  if (typeof filter.minConfidence === 'number') where.push(sql`prospect.confidence >= ${filter.minConfidence}::float8`);
  if (typeof filter.emerging === 'boolean') where.push(filter.emerging ? sql`prospect.emerging` : sql`not prospect.emerging`);
  // Scores are whole points, and their index knows no fractions.
  if (typeof filter.minScore === 'number') where.push(sql`prospect.talent_score >= ${Math.ceil(filter.minScore)}::int`);
  return where;
}
