/** Projection of athletes: a prospect row for each sport of a public adult, with the metric values that are compared. */
import { positionGroup } from '../../../schema/position-codes.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { ageBandOf } from '../../runtime/age-bands.ts';
import { ageOn, birthday, latestToday } from '../../runtime/age.ts';
import { graphql } from '../../clients/graphql.ts';
import type { AthleteFacts, SportFacts } from '../matching/facts.ts';
import type { Sport } from '../generated/resolvers.ts';
import { comparedValuesOf, type PlayedSeason } from '../talent/compared-values.ts';
import { markCohortsDue } from './cohorts.ts';
import { traitsOf } from '../prospects/traits.ts';
import { membershipState, type MembershipTerm } from './membership-terms.ts';
import { lockProjection } from './projection-lock.ts';
import { updateScores } from './scores.ts';

/** An athlete as the athletes area publishes it to other areas. */
export interface PublishedAthlete extends Omit<AthleteFacts, 'ageGroup' | 'residence' | 'sports' | 'statistics'> {
  readonly public: boolean;
  readonly minor: boolean;
  readonly country: string | null;
  readonly sports: readonly (SportFacts & { readonly primary: boolean })[];
  readonly verified: boolean;
  readonly dominantHand: string | null;
  readonly seasons: readonly PlayedSeason[];
}

const query = graphql(`
  query projectedAthletes($ids: [ID!]!) {
    athleteOrganizations(ids: $ids) {
      id
      organizationIds
      terms {
        startDate
        endDate
        contractUntil
      }
    }
    athletesById(ids: $ids) {
      id
      public
      minor
      dateOfBirth
      birthYear
      sex
      nationalities
      sports {
        sport
        discipline
        positions
        level
        yearsExperience
        primary
      }
      heightCm
      weightKg
      dominantFoot
      dominantHand
      education {
        graduationYear
        gpa
        gpaScale
      }
      availability {
        openToOpportunities
        from
        types
        relocation
      }
      languages
      country
      verified
      seasons {
        sport
        seasonId
        competitionId
        eventCode
        source
        matchesPlayed
        minutesPlayed
        matchesTimed
        asOf
        metrics {
          key
          value
        }
      }
    }
  }
`);

/** The latest possible date of birth. With only the year known, an athlete is not assumed to be older than certain. */
function bornBy({ dateOfBirth, birthYear }: Pick<PublishedAthlete, 'dateOfBirth' | 'birthYear'>): string | null {
  return dateOfBirth ?? (birthYear === null ? null : `${birthYear}-12-31`);
}

const quarterOf = (day: string): number => Math.ceil(Number(day.slice(5, 7)) / 3);

/** The facts of a match, without statistics. */
function factsOf(athlete: PublishedAthlete): Omit<AthleteFacts, 'statistics'> {
  const { id, dateOfBirth, birthYear, sex, nationalities, country, heightCm, weightKg, dominantFoot, languages } = athlete;
  return {
    id,
    ageGroup: 'SENIOR',
    dateOfBirth,
    birthYear,
    sex,
    nationalities,
    residence: country === null ? null : { country },
    sports: athlete.sports.map(({ sport, discipline, positions, level, yearsExperience }) => ({
      sport,
      discipline,
      positions,
      level,
      yearsExperience,
    })),
    heightCm,
    weightKg,
    dominantFoot,
    education: athlete.education,
    availability: athlete.availability,
    languages,
  };
}

/** The memberships of an athlete as the organizations area publishes them. */
export interface PublishedMemberships {
  readonly organizationIds: readonly string[];
  readonly terms: readonly MembershipTerm[];
}

/** The first of two days. */
const firstOf = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;

/** The rows of an athlete on a day, one for each sport. Minors and hidden profiles have none. */
export function prospectsOf(athlete: PublishedAthlete, { organizationIds, terms }: PublishedMemberships, today: string) {
  if (!athlete.public || athlete.minor) return [];
  const primary = athlete.sports.find((each) => each.primary) ?? athlete.sports[0];
  const born = bornBy(athlete);
  const facts = factsOf(athlete);
  const { freeAgent, contractUntil, changesOn } = membershipState(terms, today);
  return athlete.sports.map(({ sport, positions, level }) => ({
    athlete_id: athlete.id,
    sport,
    is_primary: sport === primary?.sport,
    positions,
    position_group: positions.flatMap((code) => positionGroup(sport, code) ?? [])[0] ?? '',
    sex: athlete.sex,
    country: athlete.country ?? athlete.nationalities[0] ?? null,
    nationalities: athlete.nationalities,
    level,
    born_by: born,
    birth_quarter: athlete.dateOfBirth === null ? null : quarterOf(athlete.dateOfBirth),
    age_band: ageBandOf(born, today),
    verified: athlete.verified,
    open_to_opportunities: athlete.availability?.openToOpportunities ?? null,
    organization_ids: organizationIds.toSorted(),
    facts,
    traits: traitsOf(sport, { ...athlete, freeAgent, organizationIds }),
    height_cm: athlete.heightCm,
    contract_until: contractUntil,
    refresh_on: firstOf(born === null ? null : birthday(born, ageOn(born, today) + 1), changesOn),
  }));
}

type ProspectValues = ReturnType<typeof prospectsOf>[number];

/** Writes the rows of athletes. Returns the sports in which the cohort of an athlete changed. */
async function writeProspects(transaction: Queryable, ids: readonly string[], rows: readonly ProspectValues[]): Promise<Sport[]> {
  const changed = await transaction.query<{ sport: Sport }>(sql`/* scouting.projectAthletes */
    with published as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(athlete_id uuid, sport text, is_primary boolean, positions text[],
        position_group text, sex text, country text, nationalities text[], level text, born_by date, birth_quarter int, age_band text,
        verified boolean, open_to_opportunities boolean, organization_ids uuid[], facts jsonb, refresh_on date,
        traits text[], height_cm int, contract_until date)),
    before as (select athlete_id, sport, sex, age_band, position_group, level from prospect where athlete_id = any(${[...ids]}::uuid[])),
    deleted as (delete from prospect p where p.athlete_id = any(${[...ids]}::uuid[])
      and not exists (select from published n where n.athlete_id = p.athlete_id and n.sport = p.sport)),
    written as (
      insert into prospect as p (athlete_id, sport, is_primary, positions, position_group, sex, country, nationalities, level, born_by, birth_quarter,
        age_band, verified, open_to_opportunities, organization_ids, facts, refresh_on, traits, height_cm, contract_until)
      select athlete_id, sport, is_primary, positions, position_group, sex, country, nationalities, level, born_by, birth_quarter, age_band, verified,
        open_to_opportunities, organization_ids, facts, refresh_on, traits, height_cm, contract_until from published
      on conflict (sport, athlete_id) do update set version = p.version + 1, computed_at = now(), is_primary = excluded.is_primary,
        positions = excluded.positions, position_group = excluded.position_group, sex = excluded.sex, country = excluded.country,
        nationalities = excluded.nationalities, level = excluded.level, born_by = excluded.born_by, birth_quarter = excluded.birth_quarter,
        age_band = excluded.age_band, verified = excluded.verified, open_to_opportunities = excluded.open_to_opportunities,
        organization_ids = excluded.organization_ids, facts = excluded.facts, refresh_on = excluded.refresh_on,
        traits = excluded.traits, height_cm = excluded.height_cm, contract_until = excluded.contract_until
      where (p.is_primary, p.country, p.verified, p.organization_ids, p.facts, p.refresh_on, p.age_band, p.traits, p.height_cm, p.contract_until)
        is distinct from (excluded.is_primary, excluded.country, excluded.verified, excluded.organization_ids, excluded.facts, excluded.refresh_on,
        excluded.age_band, excluded.traits, excluded.height_cm, excluded.contract_until))
    select distinct coalesce(n.sport, b.sport) as sport from published n full join before b on b.athlete_id = n.athlete_id and b.sport = n.sport
    where (n.sex, n.age_band, n.position_group, n.level) is distinct from (b.sex, b.age_band, b.position_group, b.level)`);
  return changed.map(({ sport }) => sport);
}

/** Writes the compared values of athletes. Returns the sports in which values changed. */
async function writeValues(transaction: Queryable, ids: readonly string[], rows: readonly object[]): Promise<Sport[]> {
  const changed = await transaction.query<{ sport: Sport }>(sql`/* scouting.projectValues */
    with published as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("athleteId" uuid, sport text, metric text, "eventCode" text,
        value float8, rate float8, "rateBefore" float8, matches float8, "matchesBefore" float8, source text, "asOf" date)),
    deleted as (delete from prospect_metric m where m.athlete_id = any(${[...ids]}::uuid[]) and not exists (select from published n
      where n."athleteId" = m.athlete_id and n.sport = m.sport and n.metric = m.metric and n."eventCode" = m.event_code) returning m.sport),
    written as (
      insert into prospect_metric as m (athlete_id, sport, metric, event_code, value, rate, rate_before, matches, matches_before, source, as_of)
      select "athleteId", sport, metric, "eventCode", value, rate, "rateBefore", matches, "matchesBefore", source, "asOf" from published
      on conflict (athlete_id, sport, metric, event_code) do update set value = excluded.value, rate = excluded.rate,
        rate_before = excluded.rate_before, matches = excluded.matches, matches_before = excluded.matches_before,
        source = excluded.source, as_of = excluded.as_of
      where (m.value, m.rate, m.rate_before, m.matches, m.matches_before, m.source, m.as_of) is distinct from
        (excluded.value, excluded.rate, excluded.rate_before, excluded.matches, excluded.matches_before, excluded.source, excluded.as_of)
      returning m.sport)
    select sport from deleted union select sport from written`);
  return changed.map(({ sport }) => sport);
}

/** Updates the rows of at most 1000 athletes from the current data of the other areas. */
export async function projectAthletes(transaction: Queryable, ids: readonly string[], graph: Graph): Promise<void> {
  await lockProjection(transaction, 'prospect');
  const data = await graph(query, { ids: [...ids] });
  const today = latestToday();
  const athletes: readonly PublishedAthlete[] = data.athletesById ?? [];
  const members = data.athleteOrganizations ?? [];
  const memberships = new Map<string, PublishedMemberships>(members.map((each) => [each.id, each]));
  const none: PublishedMemberships = { organizationIds: [], terms: [] };
  const rows = athletes.flatMap((athlete) => prospectsOf(athlete, memberships.get(athlete.id) ?? none, today));
  const seasons = new Map(athletes.map((athlete) => [athlete.id, athlete.seasons]));
  const values = rows.flatMap(({ athlete_id: athleteId, sport }) =>
    comparedValuesOf(seasons.get(athleteId) ?? [], sport).map((each) => ({ athleteId, sport, ...each })),
  );
  const sports = [...(await writeProspects(transaction, ids, rows)), ...(await writeValues(transaction, ids, values))];
  await updateScores(transaction, [...new Set(rows.map((row) => row.athlete_id))]);
  await markCohortsDue(transaction, sports);
}
