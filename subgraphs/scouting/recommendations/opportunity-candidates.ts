/** The few open opportunities of the read model that an athlete is compared with: near, of the athlete's level and positions, and the next to close. */
import { expandPositions, positionGroup } from '../../../schema/sports.ts';
import { join, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { AthleteFacts, Moment, OpportunityFacts, SportFacts } from '../matching/facts.ts';
import { levelLadder } from '../matching/features.ts';
import type { RankingOptions } from '../recommending/ranking.ts';
import { notDismissed } from './feedback-filter.ts';

/** An open opportunity as it is compared. */
export interface OpportunityCandidate {
  readonly id: string;
  readonly organizationId: string;
  readonly facts: OpportunityFacts;
}

/** All that are compared, of all sports; each way of finding some gives its share of them, and the last way what the others leave. */
const candidatesMax = 500;
const shares = { living: 0.3, ofPositions: 0.25, ofLevel: 0.15 };
const sportsMax = 5;
/** Rows that are looked at on a way, however few of them suit. */
const walked = 800;

/** The first and the last day on which the athlete may have been born. */
function bornBetween({ dateOfBirth, birthYear }: AthleteFacts): readonly [string, string] | null {
  if (dateOfBirth !== null) return [dateOfBirth, dateOfBirth];
  return birthYear === null ? null : [`${birthYear}-01-01`, `${birthYear}-12-31`];
}

/** Codes of positions by which an opportunity may ask for who plays some. */
function codesOf({ sport, positions }: SportFacts): string[] {
  return [...expandPositions(sport, positions), ...positions.map((code) => positionGroup(sport, code) ?? code)];
}

/** Criteria on `o` that leave out what the athlete is known to fail. */
function criteria(athlete: AthleteFacts, played: SportFacts, { now, today }: Moment): Sql {
  const { sex, nationalities, ageGroup } = athlete;
  const where = [sql`o.application_deadline > ${now.toISOString()}::timestamptz`];
  if (sex !== 'UNSPECIFIED') where.push(sql`(o.sex is null or o.sex in ('UNSPECIFIED', ${sex}))`);
  if (played.positions.length > 0) where.push(sql`(o.positions = '{}' or o.positions && ${codesOf(played)})`);
  if (nationalities.length > 0) where.push(sql`(o.nationalities = '{}' or o.nationalities && ${[...nationalities]})`);
  if (ageGroup !== 'SENIOR') where.push(sql`o.minors_allowed`);
  const born = bornBetween(athlete);
  if (born !== null) {
    const ageOf = (day: string): Sql => sql`extract(year from age(coalesce(o.reference_date, ${today}::date), ${day}::date))`;
    where.push(
      sql`(o.age_min is null or ${ageOf(born[0])} >= o.age_min) and (o.age_max is null or ${ageOf(born[1])} <= o.age_max)`,
    );
  }
  return join(where, ' and ');
}

const soonest = sql`order by application_deadline, id`;

/** Walks along an index in the order of deadlines. */
function walk(index: Sql, { now }: Moment, criterion: Sql, most: number): Sql {
  return sql`(select o.id from (select * from open_opportunity where ${index} and application_deadline > ${now.toISOString()}::timestamptz
    ${soonest} limit ${walked}) o where ${criterion} limit ${most})`;
}

function inSport(athlete: AthleteFacts, played: SportFacts, moment: Moment, most: number): Sql[] {
  const { sport, positions, level } = played;
  const criterion = criteria(athlete, played, moment);
  const share = (of: number): number => Math.floor(of * most);
  const country = athlete.residence?.country ?? null;
  // at the athlete's level, and the step above
  const levels = level === null ? [] : levelLadder.slice(levelLadder.indexOf(level), levelLadder.indexOf(level) + 2);
  const ways = [
    ...(country === null
      ? []
      : [{ index: sql`sport = ${sport} and left(country, 2) = ${country.slice(0, 2)}`, most: share(shares.living) }]),
    ...levels.map((each) => ({ index: sql`sport = ${sport} and level = ${each}`, most: share(shares.ofLevel) })),
  ];
  const asking = sql`(with o as materialized (select * from open_opportunity where positions && ${codesOf(played)} and sport = ${sport} ${soonest} limit ${walked})
    select o.id from o where ${criterion} ${soonest} limit ${share(shares.ofPositions)})`;
  const left = ways.reduce((rest, way) => rest - way.most, positions.length === 0 ? most : most - share(shares.ofPositions));
  return [
    ...ways.map((way) => walk(way.index, moment, criterion, way.most)),
    ...(positions.length === 0 ? [] : [asking]),
    walk(sql`sport = ${sport}`, moment, criterion, left),
  ];
}

/** At most 500 of them, in no order: each takes applications at the moment, in a sport of the athlete's, of people like the athlete. */
export async function findOpportunityCandidates(
  database: Queryable,
  athlete: AthleteFacts,
  moment: Moment,
  asked: RankingOptions['feedbackScope'],
): Promise<OpportunityCandidate[]> {
  const sports = athlete.sports.slice(0, sportsMax);
  if (sports.length === 0) return [];
  const most = Math.floor(candidatesMax / sports.length);
  const found = sports.flatMap((played) => inSport(athlete, played, moment, most));
  return database.query<OpportunityCandidate>(sql`/* recommendations.opportunities */ with found as materialized (${join(found, ' union ')})
    select o.id, o.organization_id as "organizationId", o.facts
    from open_opportunity o where o.id = any(array(select id from found))${notDismissed(asked, sql`o.id`)}`);
}
