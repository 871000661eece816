/** Selects the open opportunities of the read model that an athlete is compared with: by country, level, positions and deadline. */
import { expandPositions, positionGroup } from '../../../schema/position-codes.ts';
import { join, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { AthleteFacts, Moment, OpportunityFacts, SportFacts } from '../matching/facts.ts';
import { countryOf } from '../matching/preferences.ts';
import { levelLadder } from '../matching/features.ts';
import type { RankingOptions } from '../recommending/ranking.ts';
import { notDismissed } from './feedback-filter.ts';

/** An open opportunity with the data that is compared. */
export interface OpportunityCandidate {
  readonly id: string;
  readonly organizationId: string;
  readonly facts: OpportunityFacts;
}

/** The limit over all sports, and the share of each selection. The selection by deadline gets what the others leave. */
const candidatesMax = 500;
const shares = { country: 0.3, positions: 0.25, level: 0.15 };
const sportsMax = 5;
/** Rows that an index walk reads. They bound the cost if few rows meet the criteria. */
const walkRows = 800;

/** The first and the last possible date of birth. */
function bornBetween({ dateOfBirth, birthYear }: AthleteFacts): readonly [string, string] | null {
  if (dateOfBirth !== null) return [dateOfBirth, dateOfBirth];
  return birthYear === null ? null : [`${birthYear}-01-01`, `${birthYear}-12-31`];
}

/** The position codes with which an opportunity can require one of the played positions. */
function codesOf({ sport, positions }: SportFacts): string[] {
  return [...expandPositions(sport, positions), ...positions.map((code) => positionGroup(sport, code) ?? code)];
}

/** Eligibility conditions on `o`. Unknown athlete data passes. */
function eligibilityOf(athlete: AthleteFacts, played: SportFacts, { now, today }: Moment): Sql {
  const { sex, nationalities, ageGroup } = athlete;
  const where = [sql`o.application_deadline > ${now.toISOString()}::timestamptz`];
  if (sex !== 'UNSPECIFIED') where.push(sql`(o.sex is null or o.sex in ('UNSPECIFIED', ${sex}))`);
  if (played.positions.length > 0) where.push(sql`(o.positions = '{}' or o.positions && ${codesOf(played)})`);
  if (nationalities.length > 0) where.push(sql`(o.nationalities = '{}' or o.nationalities && ${[...nationalities]})`);
  if (ageGroup !== 'SENIOR') where.push(sql`o.minors_allowed`);
  const { residence, availability } = athlete;
  if (residence !== null && availability !== null && availability.relocation !== 'INTERNATIONAL')
    where.push(sql`(o.country is null or left(o.country, 2) = ${countryOf(residence.country)})`);
  const born = bornBetween(athlete);
  if (born !== null) {
    const ageOf = (day: string): Sql => sql`extract(year from age(coalesce(o.reference_date, ${today}::date), ${day}::date))`;
    where.push(
      sql`(o.age_min is null or ${ageOf(born[0])} >= o.age_min) and (o.age_max is null or ${ageOf(born[1])} <= o.age_max)`,
    );
  }
  return join(where, ' and ');
}

const soonestFirst = sql`order by application_deadline, id`;

/** Walks an index in the order of deadlines. */
function walk(index: Sql, { now }: Moment, eligible: Sql, most: number): Sql {
  return sql`(select o.id from (select * from open_opportunity where ${index} and application_deadline > ${now.toISOString()}::timestamptz
    ${soonestFirst} limit ${walkRows}) o where ${eligible} limit ${most})`;
}

/** The selections of candidates in one of the athlete's sports. */
function selectionsIn(athlete: AthleteFacts, played: SportFacts, moment: Moment, most: number): Sql[] {
  const { sport, positions, level } = played;
  const eligible = eligibilityOf(athlete, played, moment);
  const shareOf = (share: number): number => Math.floor(share * most);
  const country = athlete.residence?.country ?? null;
  // The athlete's level and the next one.
  const levels = level === null ? [] : levelLadder.slice(levelLadder.indexOf(level), levelLadder.indexOf(level) + 2);
  const walks = [
    ...(country === null
      ? []
      : [{ index: sql`sport = ${sport} and left(country, 2) = ${country.slice(0, 2)}`, most: shareOf(shares.country) }]),
    ...levels.map((each) => ({ index: sql`sport = ${sport} and level = ${each}`, most: shareOf(shares.level) })),
  ];
  const byPositions = sql`(with o as materialized (select * from open_opportunity where positions && ${codesOf(played)} and sport = ${sport} ${soonestFirst} limit ${walkRows})
    select o.id from o where ${eligible} ${soonestFirst} limit ${shareOf(shares.positions)})`;
  const withPositions = positions.length > 0;
  const remaining = walks.reduce((rest, each) => rest - each.most, withPositions ? most - shareOf(shares.positions) : most);
  return [
    ...walks.map((each) => walk(each.index, moment, eligible, each.most)),
    ...(withPositions ? [byPositions] : []),
    walk(sql`sport = ${sport}`, moment, eligible, remaining),
  ];
}

/** At most 500 open opportunities in no particular order. Each is in a sport of the athlete and meets the known criteria. */
export async function findOpportunityCandidates(
  database: Queryable,
  athlete: AthleteFacts,
  moment: Moment,
  feedbackScope: RankingOptions['feedbackScope'],
): Promise<OpportunityCandidate[]> {
  const sports = athlete.sports.slice(0, sportsMax);
  if (sports.length === 0) return [];
  const most = Math.floor(candidatesMax / sports.length);
  const found = sports.flatMap((played) => selectionsIn(athlete, played, moment, most));
  return database.query<OpportunityCandidate>(sql`/* recommendations.opportunities */ with found as materialized (${join(found, ' union ')})
    select o.id, o.organization_id as "organizationId", o.facts
    from open_opportunity o where o.id = any(array(select id from found))${notDismissed(feedbackScope, sql`o.id`)}`);
}
