/** The few athletes of the read model whom an opportunity is compared with: by score, by country, by what it asks of numbers and nations. */
import { expandPositions, positionGroup, positionGroupsOf, type Sport } from '../../../schema/sports.ts';
import { join, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { metric } from '../../../schema/metrics.ts';
import { birthday } from '../../runtime/age.ts';
import type { AthleteFacts, Moment, OpportunityFacts, Requirement } from '../matching/facts.ts';
import type { RankingOptions } from '../recommending/ranking.ts';
import { isCompared } from '../talent/compared-values.ts';
import { notDismissed } from './feedback-filter.ts';

/** What is asked of athletes, and by whom: who is a member there is not looked for. */
export type RecruitingFacts = OpportunityFacts & { readonly organizationId?: string | null };

/** A prospect as it is compared. */
export interface AthleteCandidate {
  readonly id: string;
  readonly sport: Sport;
  readonly facts: Omit<AthleteFacts, 'statistics'>;
  readonly standings: readonly {
    readonly metric: string;
    readonly eventCode: string | null;
    readonly value: number;
    readonly percentile: number | null;
  }[];
  /** Where the athlete is a member now. */
  readonly organizationIds: readonly string[];
}

/** All that are compared; each way of finding some gives its share of them, and the first way what the others leave. */
const candidatesMax = 500;
const livingMax = 100;
const ofNumberMax = 50;
const ofNationsMax = 100;
/** Rows that are looked at on a way, however few of them suit: a walk along an index is as short for rare wishes. */
const walked = { asked: 3_000, others: 1_000, living: 1_500, ofNumber: 600 };
const numbersMax = 3;

/** What is asked of numbers that are kept, the mandatory first; others are compared, but nobody is found by them. */
function numbersAsked({ sport, requirements, profile }: OpportunityFacts): Requirement[] {
  const wanted = (profile?.metrics ?? []).map(({ key, value }): Requirement => {
    const operator = metric(key)?.direction === 'LOWER_IS_BETTER' ? 'LTE' : 'GTE';
    return { metricKey: key, attribute: null, operator, value, mandatory: false, weight: null };
  });
  return [...requirements, ...wanted]
    .filter(({ metricKey }) => metricKey !== null && isCompared(sport, metricKey))
    .toSorted((one, other) => Number(other.mandatory) - Number(one.mandatory));
}

const compared = { GTE: sql`>=`, LTE: sql`<=`, EQ: sql`=` };

function isMet({ metricKey, operator, value }: Requirement): Sql {
  return sql`exists (select from prospect_metric m where m.athlete_id = p.athlete_id and m.sport = p.sport and m.metric = ${metricKey}
    and m.event_code = '' and m.value ${compared[operator]} ${value})`;
}

/** Criteria on `p` that leave out who is known to fail them; of what is not known only numbers that must be met are asked for. */
function criteria(opportunity: RecruitingFacts, { today }: Moment): Sql {
  const { sport, positions, ageRange, nationalities, organizationId = null } = opportunity;
  const where = [sql`p.open_to_opportunities is distinct from false`];
  if (organizationId !== null) where.push(sql`not p.organization_ids && ${[organizationId]}::uuid[]`);
  if (positions.length > 0) {
    const codes = [...expandPositions(sport, positions), ...positions.map((code) => positionGroup(sport, code) ?? code)];
    where.push(sql`(p.positions = '{}' or p.positions && ${codes})`);
  }
  const { min = null, max = null } = ageRange ?? {};
  const day = ageRange?.referenceDate ?? today;
  if (min !== null) where.push(sql`(p.born_by is null or p.born_by <= ${birthday(day, -min)}::date)`);
  if (max !== null) where.push(sql`(p.born_by is null or p.born_by > ${birthday(day, -(max + 1))}::date)`);
  if (nationalities.length > 0) where.push(sql`(p.nationalities = '{}' or p.nationalities && ${[...nationalities]})`);
  where.push(...numbersAsked(opportunity).flatMap((each) => (each.mandatory ? [isMet(each)] : [])));
  return join(where, ' and ');
}

function sexesOf({ sex }: OpportunityFacts): string[] {
  return sex === null || sex === 'UNSPECIFIED' ? ['FEMALE', 'MALE', 'UNSPECIFIED'] : [sex];
}

/** Groups of positions, those that are asked for apart from the others, in which somebody may play there too. */
function groupsOf({ sport, positions, profile }: OpportunityFacts): { asked: string[]; others: string[] } {
  const all = ['', ...new Set(positionGroupsOf(sport).map(({ group }) => group))];
  const wanted = positions.length > 0 ? positions : (profile?.positions ?? []);
  const asked = wanted.length === 0 ? all : all.filter((group) => wanted.some((code) => positionGroup(sport, code) === group));
  return { asked, others: all.filter((group) => !asked.includes(group)) };
}

/** What is compared along a walk: the columns that its index holds. */
const held = sql`id, athlete_id, sport, sex, talent_score, open_to_opportunities, positions, born_by, nationalities, organization_ids`;

/** The best by score: of each category and group of positions a walk along the index, so that all of it may suit. */
function byScore(opportunity: OpportunityFacts, criterion: Sql, most: number): Sql {
  const groups = groupsOf(opportunity);
  const sexes = sexesOf(opportunity);
  const cell = (sex: string, group: string, rows: number): Sql =>
    sql`(select p.id, p.talent_score from (select ${held} from prospect where open_to_opportunities is distinct from false
      and sport = ${opportunity.sport} and sex = ${sex} and position_group = ${group} order by talent_score desc, id desc limit ${rows}) p
      where ${criterion} limit ${most})`;
  const cells = (names: readonly string[], rows: number): Sql[] =>
    sexes.flatMap((sex) => names.map((group) => cell(sex, group, Math.ceil(rows / (sexes.length * names.length)))));
  const all = [...cells(groups.asked, walked.asked), ...cells(groups.others, walked.others)];
  return sql`(select id from (${join(all, ' union all ')}) s order by talent_score desc, id desc limit ${most})`;
}

function living(opportunity: OpportunityFacts, criterion: Sql, country: string): Sql {
  return sql`(select p.id from (select ${held} from prospect where open_to_opportunities is distinct from false and sport = ${opportunity.sport}
    and left(country, 2) = ${country.slice(0, 2)} order by talent_score desc, id desc limit ${walked.living}) p
    where p.sex = any(${sexesOf(opportunity)}) and ${criterion} limit ${livingMax})`;
}

function byNumber(opportunity: OpportunityFacts, criterion: Sql, asked: Requirement): Sql {
  const { operator, value, metricKey, mandatory } = asked;
  const direction = operator === 'LTE' ? sql`asc` : sql`desc`;
  const met = mandatory || operator === 'EQ' ? sql` and value ${compared[operator]} ${value}` : sql``;
  return sql`(select p.id from (select athlete_id, value from prospect_metric where sport = ${opportunity.sport} and metric = ${metricKey}
    and event_code = ''${met} order by value ${direction}, athlete_id ${direction} limit ${walked.ofNumber}) n
    cross join lateral (select * from prospect p where p.sport = ${opportunity.sport} and p.athlete_id = n.athlete_id limit 1) p
    where p.sex = any(${sexesOf(opportunity)}) and ${criterion} order by n.value ${direction}, n.athlete_id limit ${ofNumberMax})`;
}

/**
 * Few may be of a nation, and far down by score: the index knows who is of it in a category and a group of positions. Where the walks by
 * score have found enough, many are, and it is not asked.
 */
function ofNations(opportunity: OpportunityFacts, criterion: Sql): Sql {
  const { asked, others } = groupsOf(opportunity);
  const groups = [...asked, ...others];
  const kinds = sexesOf(opportunity).flatMap((sex) => groups.map((group) => `${opportunity.sport} ${sex} ${group} `));
  const nations = kinds.flatMap((kind) => opportunity.nationalities.map((code) => kind + code));
  return sql`(with p as materialized (select * from prospect where scouting.prospect_nations(sport, sex, position_group, nationalities) && ${nations})
    select p.id from p where (select count(*) from scored) < ${ofNationsMax} and ${criterion} order by p.talent_score desc, p.id desc limit ${ofNationsMax})`;
}

/** At most 500 of them, in no order: each of a sport, a category and ages that suit, and open to opportunities as far as is known. */
export function findAthleteCandidates(
  database: Queryable,
  opportunity: RecruitingFacts,
  moment: Moment,
  asked: RankingOptions['feedbackScope'],
): Promise<AthleteCandidate[]> {
  const { country, nationalities } = opportunity;
  const criterion = criteria(opportunity, moment);
  const numbers = numbersAsked(opportunity).slice(0, numbersMax);
  const others = [
    ...(country === null ? [] : [{ find: living(opportunity, criterion, country), most: livingMax }]),
    ...numbers.map((each) => ({ find: byNumber(opportunity, criterion, each), most: ofNumberMax })),
    ...(nationalities.length === 0 ? [] : [{ find: ofNations(opportunity, criterion), most: ofNationsMax }]),
  ];
  const left = others.reduce((rest, { most }) => rest - most, candidatesMax);
  const found = [sql`select id from scored`, ...others.map(({ find }) => find)];
  return database.query<AthleteCandidate>(sql`/* recommendations.athletes */
    with scored as materialized (${byScore(opportunity, criterion, left)}),
    found as materialized (${join(found, ' union ')})
    select p.athlete_id as id, p.sport, p.facts, p.standings, p.organization_ids as "organizationIds"
    from prospect p where p.id = any(array(select id from found))${notDismissed(asked, sql`p.athlete_id`)}`);
}
