/** Selects the athletes of the read model that an opportunity is compared with: by score, country, required metrics and nationalities. */
import { expandPositions, positionGroup, positionGroupsOf } from '../../../schema/position-codes.ts';
import type { Sport } from '../../../schema/sports.ts';
import { join, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { birthday } from '../../runtime/age.ts';
import type { AthleteFacts, Moment, OpportunityFacts, Requirement } from '../matching/facts.ts';
import { profileRequirement } from '../matching/metric-parts.ts';
import type { RankingOptions } from '../recommending/ranking.ts';
import { isCompared } from '../talent/compared-values.ts';
import { notDismissed } from './feedback-filter.ts';

/** An opportunity, or another recruiting need, with its organization. Members of the organization are not selected. */
export type RecruitingFacts = OpportunityFacts & { readonly organizationId?: string | null };

/** A prospect with the data that is compared. */
export interface AthleteCandidate {
  readonly id: string;
  readonly sport: Sport;
  readonly facts: Omit<AthleteFacts, 'statistics'>;
  /** The compared values without an event. Null without any. */
  readonly values: readonly (readonly [metric: string, value: number, percentile: number | null, matches: number])[] | null;
  /** Organizations with a current membership of the athlete. */
  readonly organizationIds: readonly string[];
}

/** Limits of the result and of each selection. The selection by score gets what the others leave. */
const candidatesMax = 500;
const byCountryMax = 100;
const byMetricMax = 50;
const byNationalityMax = 100;
/** Rows that an index walk reads. They bound the cost if few rows meet the criteria. */
const walkRows = { requiredGroups: 3_000, otherGroups: 1_000, country: 1_500, metric: 600 };
const metricsMax = 3;

/** The requirements on compared metrics, mandatory ones first. The index contains no other metrics. */
function metricRequirements({ sport, requirements, profile }: OpportunityFacts): Requirement[] {
  return [...requirements, ...(profile?.metrics ?? []).map(profileRequirement)]
    .filter(({ metricKey }) => metricKey !== null && isCompared(sport, metricKey))
    .toSorted((one, other) => Number(other.mandatory) - Number(one.mandatory));
}

const operators = { GTE: sql`>=`, LTE: sql`<=`, EQ: sql`=` };

function meets({ metricKey, operator, value }: Requirement): Sql {
  return sql`exists (select from prospect_metric m where m.athlete_id = p.athlete_id and m.sport = p.sport and m.metric = ${metricKey}
    and m.event_code = '' and m.value ${operators[operator]} ${value})`;
}

/** Eligibility conditions on `p`. Unknown data passes, except for the values of mandatory metrics. */
function eligibilityOf(opportunity: RecruitingFacts, { today }: Moment): Sql {
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
  where.push(...metricRequirements(opportunity).flatMap((each) => (each.mandatory ? [meets(each)] : [])));
  return join(where, ' and ');
}

function sexesOf({ sex }: OpportunityFacts): string[] {
  return sex === null || sex === 'UNSPECIFIED' ? ['FEMALE', 'MALE', 'UNSPECIFIED'] : [sex];
}

/** The position groups of the sport: the required ones, and the others, whose athletes can also play a required position. */
function groupsOf({ sport, positions, profile }: OpportunityFacts): { required: string[]; others: string[] } {
  const all = ['', ...new Set(positionGroupsOf(sport).map(({ group }) => group))];
  const codes = positions.length > 0 ? positions : (profile?.positions ?? []);
  const required = codes.length === 0 ? all : all.filter((group) => codes.some((code) => positionGroup(sport, code) === group));
  return { required, others: all.filter((group) => !required.includes(group)) };
}

/** The columns of the covering index of a walk. */
const indexed = sql`id, athlete_id, sport, sex, talent_score, open_to_opportunities, positions, born_by, nationalities, organization_ids`;

/** The athletes with the highest scores. Each sex and position group has its own index walk, so that every one is represented. */
function byScore(opportunity: OpportunityFacts, eligible: Sql, most: number): Sql {
  const groups = groupsOf(opportunity);
  const sexes = sexesOf(opportunity);
  const walk = (sex: string, group: string, rows: number): Sql =>
    sql`(select p.id, p.talent_score from (select ${indexed} from prospect where open_to_opportunities is distinct from false
      and sport = ${opportunity.sport} and sex = ${sex} and position_group = ${group} order by talent_score desc, id desc limit ${rows}) p
      where ${eligible} limit ${most})`;
  const walks = (names: readonly string[], rows: number): Sql[] =>
    sexes.flatMap((sex) => names.map((group) => walk(sex, group, Math.ceil(rows / (sexes.length * names.length)))));
  const all = [...walks(groups.required, walkRows.requiredGroups), ...walks(groups.others, walkRows.otherGroups)];
  return sql`(select id from (${join(all, ' union all ')}) s order by talent_score desc, id desc limit ${most})`;
}

function byCountry(opportunity: OpportunityFacts, eligible: Sql, country: string, most: number): Sql {
  return sql`(select p.id from (select ${indexed} from prospect where open_to_opportunities is distinct from false and sport = ${opportunity.sport}
    and left(country, 2) = ${country.slice(0, 2)} order by talent_score desc, id desc limit ${walkRows.country}) p
    where p.sex = any(${sexesOf(opportunity)}) and ${eligible} limit ${most})`;
}

function byMetric(opportunity: OpportunityFacts, eligible: Sql, requirement: Requirement, most: number): Sql {
  const { operator, value, metricKey, mandatory } = requirement;
  const direction = operator === 'LTE' ? sql`asc` : sql`desc`;
  const met = mandatory || operator === 'EQ' ? sql` and value ${operators[operator]} ${value}` : sql``;
  return sql`(select p.id from (select athlete_id, value from prospect_metric where sport = ${opportunity.sport} and metric = ${metricKey}
    and event_code = ''${met} order by value ${direction}, athlete_id ${direction} limit ${walkRows.metric}) n
    cross join lateral (select * from prospect p where p.sport = ${opportunity.sport} and p.athlete_id = n.athlete_id limit 1) p
    where p.sex = any(${sexesOf(opportunity)}) and ${eligible} order by n.value ${direction}, n.athlete_id limit ${most})`;
}

/**
 * Athletes of a required nationality. They can be few and have low scores, so an index finds them by sex, position group and nationality.
 * The selection is skipped if the walks by score found enough athletes, because then the nationality is common.
 */
function byNationality(opportunity: OpportunityFacts, eligible: Sql, most: number): Sql {
  const { required, others } = groupsOf(opportunity);
  const prefixes = sexesOf(opportunity).flatMap((sex) =>
    [...required, ...others].map((group) => `${opportunity.sport} ${sex} ${group} `),
  );
  const keys = prefixes.flatMap((prefix) => opportunity.nationalities.map((code) => prefix + code));
  return sql`(with p as materialized (select * from prospect where scouting.prospect_nations(sport, sex, position_group, nationalities) && ${keys})
    select p.id from p where (select count(*) from scored) < ${most} and ${eligible} order by p.talent_score desc, p.id desc limit ${most})`;
}

/**
 * At most 500 athletes in no particular order. Each meets the known criteria on sport, category, age and availability.
 * @param options the share of the 500, if a recipient has several needs
 */
export function findAthleteCandidates(
  database: Queryable,
  opportunity: RecruitingFacts,
  moment: Moment,
  { feedbackScope, share = 1 }: Pick<RankingOptions, 'feedbackScope' | 'share'> = {},
): Promise<AthleteCandidate[]> {
  const { country, nationalities } = opportunity;
  const eligible = eligibilityOf(opportunity, moment);
  const shareOf = (most: number): number => Math.ceil(most * share);
  const selection = (most: number, select: (most: number) => Sql) => ({ most: shareOf(most), select: select(shareOf(most)) });
  const selections = [
    ...(country === null ? [] : [selection(byCountryMax, (most) => byCountry(opportunity, eligible, country, most))]),
    ...metricRequirements(opportunity)
      .slice(0, metricsMax)
      .map((each) => selection(byMetricMax, (most) => byMetric(opportunity, eligible, each, most))),
    ...(nationalities.length === 0 ? [] : [selection(byNationalityMax, (most) => byNationality(opportunity, eligible, most))]),
  ];
  const remaining = selections.reduce((rest, { most }) => rest - most, shareOf(candidatesMax));
  const found = [sql`select id from scored`, ...selections.map(({ select }) => select)];
  return database.query<AthleteCandidate>(sql`/* recommendations.athletes */
    with scored as materialized (${byScore(opportunity, eligible, remaining)}),
    found as materialized (${join(found, ' union ')})
    select p.athlete_id as id, p.sport, p.facts, p.organization_ids as "organizationIds",
      (select json_agg(json_build_array(each -> 'metric', each -> 'value', each -> 'percentile', each -> 'matches')) from jsonb_array_elements(p.standings) each
        where each ->> 'eventCode' = '') as values
    from prospect p where p.id = any(array(select id from found))${notDismissed(feedbackScope, sql`p.athlete_id`)}`);
}
