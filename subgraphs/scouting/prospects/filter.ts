/** SQL conditions of prospect lists, with the validation of the filter. */
import type { Violation } from '../../../schema/errors.ts';
import { expandPositions, positionGroup } from '../../../schema/position-codes.ts';
import { sportNames, type Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { ageBands } from '../../runtime/age-bands.ts';
import { birthday, latestToday } from '../../runtime/age.ts';
import { rejectFilter, reversedRange, unknownCodes, withoutContract } from '../../runtime/filter-violations.ts';
import type { ProspectFilter } from '../generated/resolvers.ts';
import { metricConditions } from './thresholds.ts';
import { traitConditions } from './traits.ts';

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

function scoreConditions({ minScore, minConfidence, emerging }: ProspectFilter): Sql[] {
  const where: Sql[] = [];
  if (typeof minConfidence === 'number') where.push(sql`prospect.confidence >= ${minConfidence}::float8`);
  if (typeof emerging === 'boolean') where.push(emerging ? sql`prospect.emerging` : sql`not prospect.emerging`);
  // Scores are whole points. The cast to int makes the condition match their index.
  if (typeof minScore === 'number') where.push(sql`prospect.talent_score >= ${Math.ceil(minScore)}::int`);
  return where;
}

/** A violation for age bands of which none contains an age within the range. */
function outsideBands({ ageMin, ageMax, ageBand }: ProspectFilter): Violation[] {
  if (!ageBand) return [];
  const isWithin = ageBands.some(([youngest, name], index) => {
    // the bands are sorted by age, oldest first
    const oldest = index === 0 ? Infinity : (ageBands[index - 1]?.[0] ?? Infinity) - 1;
    return ageBand.includes(name) && youngest <= (ageMax ?? Infinity) && oldest >= (ageMin ?? 0);
  });
  if (isWithin) return [];
  const detail = `No age of \`ageBand\` ${ageBand.join(', ')} is within \`ageMin\` and \`ageMax\`.`;
  return [{ parameter: 'ageBand', code: 'range', detail }];
}

/** Violations of filters that can match nothing. */
function filterViolations(filter: ProspectFilter): Violation[] {
  const { sport, position, ageMin, ageMax, heightCmMin, heightCmMax } = filter;
  return [
    ...unknownCodes('position', 'position', sport, position),
    ...reversedRange(['ageMin', ageMin], ['ageMax', ageMax]),
    ...reversedRange(['heightCmMin', heightCmMin], ['heightCmMax', heightCmMax]),
    ...outsideBands(filter),
    ...withoutContract(filter),
  ];
}

/** Ages of athletes whose birth year alone is known count from its last day: they are not assumed to be older than certain. */
function ageConditions({ ageMin, ageMax, ageBand }: ProspectFilter): Sql[] {
  const where: Sql[] = [];
  if (ageBand) where.push(oneOf(sql`prospect.age_band`, ageBand));
  if (typeof ageMin === 'number') where.push(sql`prospect.born_by <= ${birthday(latestToday(), -ageMin)}::date`);
  if (typeof ageMax === 'number') where.push(sql`prospect.born_by > ${birthday(latestToday(), -(ageMax + 1))}::date`);
  return where;
}

function rangeConditions({ heightCmMin, heightCmMax, contractUntil }: ProspectFilter): Sql[] {
  const where: Sql[] = [];
  if (typeof heightCmMin === 'number') where.push(sql`prospect.height_cm >= ${heightCmMin}::int`);
  if (typeof heightCmMax === 'number') where.push(sql`prospect.height_cm <= ${heightCmMax}::int`);
  if (contractUntil) where.push(sql`prospect.contract_until <= ${contractUntil}::date`);
  return where;
}

/** The conditions of a filter. Throws Problem parameter_invalid (400) for a position, metric or event that the sport does not have. */
export function prospectConditions(viewer: Viewer, filter: ProspectFilter): ProspectConditions {
  rejectFilter(filterViolations(filter));
  const sports = sportsOf(viewer, filter);
  const where: Sql[] = [sql`prospect.is_primary`];
  if (sports) where.push(ofSports(sports));
  const [sport = null] = filter.sport?.length === 1 ? filter.sport : [viewer.sport];
  if (filter.position) where.push(sql`prospect.positions && ${expandPositions(sport, filter.position)}`);
  if (filter.level) where.push(oneOf(sql`prospect.level`, filter.level));
  if (filter.sex) where.push(oneOf(sql`prospect.sex`, filter.sex));
  if (filter.country) where.push(oneOf(sql`prospect.country`, filter.country));
  where.push(
    ...ageConditions(filter),
    ...rangeConditions(filter),
    ...traitConditions(sports, filter),
    ...scoreConditions(filter),
  );
  const thresholds = metricConditions(viewer, filter).map(
    (condition) => sql`exists (select from prospect_metric m where m.athlete_id = prospect.athlete_id and ${condition})`,
  );
  const parts = sports !== null && sports.length > 1 ? [...new Set(sports)].map((each) => ofSports([each])) : [];
  return { parts, where, thresholds };
}
