/** Candidates of recommendations: indexes find them among 30,000 athletes and opportunities, and the rankings keep their guarantees. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, type Database } from '../../platform/database/database.ts';
import { areaRole } from '../../platform/database/roles.ts';
import type { AthleteFacts, OpportunityFacts, Requirement } from '../../subgraphs/scouting/matching/facts.ts';
import { computeFit } from '../../subgraphs/scouting/matching/match.ts';
import { findAthleteCandidates } from '../../subgraphs/scouting/recommendations/athlete-candidates.ts';
import { factsOf, rankAthletes } from '../../subgraphs/scouting/recommendations/athlete-ranking.ts';
import { rankOpportunities } from '../../subgraphs/scouting/recommendations/opportunity-ranking.ts';
import type { RankedItem } from '../../subgraphs/scouting/recommending/ranking.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { fill, openExplained } from './explained.ts';

const moment = { now: new Date(), today: new Date().toISOString().slice(0, 10) };

let cloned: ClonedDatabase;
let database: Database;
let athletes: ReturnType<typeof openExplained>;
let opportunities: ReturnType<typeof openExplained>;
beforeAll(async () => {
  cloned = await cloneDatabase();
  await fill(cloned, 'scouting', [
    `insert into prospect (athlete_id, sport, is_primary, positions, position_group, sex, country, nationalities, level, born_by, age_band, verified,
      open_to_opportunities, organization_ids, facts, standings, talent_score)
    select id, sport, true, positions, position_group, sex, country, array[nation], 'NATIONAL', born, '18-20', false, i % 10 > 0,
      array['00000000-0000-4000-8000-0000000000' || 10 + i % 31]::uuid[],
      jsonb_build_object('id', id, 'ageGroup', 'SENIOR', 'dateOfBirth', born, 'birthYear', null, 'sex', sex, 'nationalities', array[nation],
        'residence', jsonb_build_object('country', country), 'heightCm', 160 + i % 40, 'weightKg', null, 'dominantFoot', null, 'education', null,
        'availability', null, 'languages', array['de'],
        'padding', repeat(md5(i::text), 25), 'sports', jsonb_build_array(jsonb_build_object('sport', sport, 'discipline', null, 'positions', positions, 'level', 'NATIONAL', 'yearsExperience', null))),
      case when i % 2 = 0 then jsonb_build_array(jsonb_build_object('metric', 'goals', 'eventCode', '', 'value', i % 40, 'percentile', i % 100)) else '[]' end,
      (random() * 80)::int
    from (select i, gen_random_uuid() as id, case when i % 3 = 0 then 'FOOTBALL' else 'HANDBALL' end as sport,
        case when i % 15 = 0 then array['GK'] when i % 12 = 0 then array['LB', 'LM'] when i % 3 = 0 then array['ST'] else '{}' end as positions,
        case when i % 15 = 0 then 'GK' when i % 12 = 0 then 'DF' when i % 3 = 0 then 'FW' else '' end as position_group,
        case when i % 7 < 4 then 'MALE' else 'FEMALE' end as sex,
        case when i % 997 = 0 then 'IS' else (array['DE', 'FR', 'NG', 'BR', 'GB-ENG'])[1 + (random() * 4)::int] end as country,
        case when i % 997 = 0 then 'IS' else (array['DE', 'FR', 'NG', 'BR', 'GB'])[1 + (random() * 4)::int] end as nation,
        current_date - (18.1 * 365.25 + random() * 5000)::int as born from generate_series(1, 30000) i) made`,
    `insert into prospect_metric (athlete_id, sport, metric, event_code, value, rate, matches, source)
    select athlete_id, sport, 'goals', '', (standings -> 0 -> 'value')::float8, 0.1, 10, 'COMPUTED' from prospect where standings <> '[]'`,
    `insert into open_opportunity (id, version, organization_id, sport, positions, sex, age_min, age_max, nationalities, country, level, minors_allowed,
      application_deadline, facts)
    select id, 1, ('00000000-0000-4000-8000-0000000000' || 10 + i % 30)::uuid, sport, positions, sex, 16, oldest, '{}', country, 'NATIONAL', i % 4 = 0,
      deadline, jsonb_build_object('id', id, 'type', 'TRIAL', 'sport', sport, 'disciplines', '{}'::text[], 'positions', positions, 'sex', sex,
        'ageRange', jsonb_build_object('min', 16, 'max', oldest, 'referenceDate', null), 'nationalities', '{}'::text[], 'country', country,
        'startDate', null, 'applicationDeadline', deadline, 'requirements', '[]'::jsonb, 'languages', array['de'], 'minorsAllowed', i % 4 = 0,
        'academic', null, 'profile', null, 'organization', jsonb_build_object('level', 'NATIONAL'))
    from (select i, gen_random_uuid() as id, (array['FOOTBALL', 'HANDBALL', 'TENNIS', 'RUGBY', 'CYCLING'])[1 + i % 5] as sport,
        case when i % 90 = 0 then array['GK'] when i % 4 = 0 then array['ST'] else '{}' end as positions,
        case when i % 2 = 0 then 'MALE' else 'FEMALE' end as sex, 18 + i % 12 as oldest,
        (array['DE', 'FR', 'NG', 'BR', 'IS'])[1 + (random() * 4)::int] as country,
        now() + (random() * 100 - 10) * interval '1 day' as deadline from generate_series(1, 30000) i) made`,
    'vacuum analyze',
  ]);
  database = openDatabase({ url: cloned.urlAs(areaRole('scouting')), name: 'test-recommendations', poolSize: 1 });
  athletes = openExplained(cloned, 'scouting', 'prospect', /recommendations/);
  opportunities = openExplained(cloned, 'scouting', 'open_opportunity', /recommendations/);
});
afterAll(async () => {
  await Promise.all([athletes.close(), opportunities.close(), database.close()]);
  await cloned.drop();
});

const wanted: OpportunityFacts = {
  id: 'wanted',
  type: 'TRIAL',
  sport: 'FOOTBALL',
  disciplines: [],
  positions: [],
  sex: null,
  ageRange: null,
  nationalities: [],
  country: null,
  startDate: null,
  applicationDeadline: '2999-01-01T00:00:00.000Z',
  requirements: [],
  languages: [],
  minorsAllowed: false,
  academic: null,
  profile: null,
  organization: { level: 'NATIONAL' },
};
const goals = (value: number, mandatory: boolean): Requirement => ({
  metricKey: 'goals',
  attribute: null,
  operator: 'GTE',
  value,
  mandatory,
  weight: null,
});
const offers: Partial<OpportunityFacts>[] = [
  {},
  { sport: 'TENNIS' },
  { positions: ['LB'], sex: 'FEMALE', ageRange: { min: 18, max: 20, referenceDate: null }, country: 'DE' },
  { positions: ['LM'] },
  { positions: ['GK'], country: 'IS', nationalities: ['IS'] },
  { nationalities: ['DE', 'BR'], country: 'GB-ENG' },
  { nationalities: ['JP'] },
  { ageRange: { min: 60, max: 70, referenceDate: null }, country: 'DE' },
  { requirements: [goals(39, true)] },
  { requirements: [goals(38, true)], positions: ['GK'], nationalities: ['IS'] },
  { requirements: [goals(10, false), { ...goals(5, false), operator: 'LTE' }], sex: 'MALE' },
];

const person: AthleteFacts = {
  id: 'person',
  ageGroup: 'SENIOR',
  dateOfBirth: '2004-03-01',
  birthYear: null,
  sex: 'MALE',
  nationalities: ['DE'],
  residence: { country: 'DE' },
  sports: [{ sport: 'FOOTBALL', discipline: null, positions: ['ST'], level: 'NATIONAL', yearsExperience: null }],
  heightCm: null,
  weightKg: null,
  dominantFoot: null,
  education: null,
  availability: null,
  languages: [],
  statistics: [],
};
const [football] = person.sports;
const people: Partial<AthleteFacts>[] = [
  {},
  { sports: [] },
  { sports: [...person.sports, { sport: 'HANDBALL', discipline: null, positions: [], level: null, yearsExperience: null }] },
  { sex: 'UNSPECIFIED', dateOfBirth: null, birthYear: 2004, residence: null },
  { sports: football ? [{ ...football, positions: ['GK'] }] : [] },
  { ageGroup: 'U18', dateOfBirth: null },
  { dateOfBirth: '1960-01-01' },
];

/** Checks the guarantees of every ranking. */
function expectGuarantees(list: readonly RankedItem[]): void {
  expect(list.map(({ expected }) => expected)).not.toContain(null);
  const first = list.slice(0, 10).flatMap(({ organizationIds }) => organizationIds);
  for (const id of first) expect(first.filter((each) => each === id).length).toBeLessThanOrEqual(3);
}

/** The ranked athletes who meet every criterion, as far as known data shows. */
async function eligibleOf(list: readonly RankedItem[], opportunity: OpportunityFacts): Promise<RankedItem[]> {
  const candidates = await findAthleteCandidates(database, opportunity, moment);
  const fits = new Map(candidates.map((each) => [each.id, computeFit(factsOf(each), opportunity, moment)]));
  return list.filter(({ id }) => fits.get(id)?.eligible === true);
}

describe('athletes for an opportunity', () => {
  test.each(offers.map((more) => [JSON.stringify(more), { ...wanted, ...more }] as const))('%s', async (_, opportunity) => {
    const { scans, rows } = await athletes.reading(() =>
      rankAthletes(athletes.services.database, opportunity, moment, { limit: 20 }),
    );
    expect(scans.length).toBeGreaterThan(0);
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBeLessThan(10_000);
    const list = await rankAthletes(database, opportunity, moment, { limit: 20 });
    expectGuarantees(list);
    expect(await rankAthletes(database, opportunity, moment, { limit: 20 })).toEqual(list);
  });

  test('are the suitable ones even when few suit', async () => {
    const rare = await rankAthletes(database, { ...wanted, positions: ['GK'], nationalities: ['IS'] }, moment, { limit: 50 });
    expect(rare.length).toBeGreaterThan(0);
    const counted = await rankAthletes(database, { ...wanted, requirements: [goals(38, true)] }, moment, { limit: 50 });
    expect(counted.length).toBe(50);
    expect(await eligibleOf(counted, { ...wanted, requirements: [goals(38, true)] })).toHaveLength(50);
    const second = await rankAthletes(database, { ...wanted, positions: ['LM'] }, moment, { limit: 20 });
    expect((await eligibleOf(second, { ...wanted, positions: ['LM'] })).length).toBeGreaterThan(10);
    const outsiders = { ...wanted, organizationId: '00000000-0000-4000-8000-000000000020' };
    const list = await rankAthletes(database, outsiders, moment, { limit: 50 });
    expect(list.flatMap(({ organizationIds }) => organizationIds)).not.toContain(outsiders.organizationId);
  });
});

describe('opportunities for an athlete', () => {
  test.each(people.map((more) => [JSON.stringify(more), { ...person, ...more }] as const))('%s', async (_, athlete) => {
    const list = await rankOpportunities(database, athlete, moment, { limit: 20 });
    expectGuarantees(list);
    expect(await rankOpportunities(database, athlete, moment, { limit: 20 })).toEqual(list);
    expect(list.length > 0).toBe(athlete.sports.length > 0 && athlete.dateOfBirth !== '1960-01-01');
    if (athlete.sports.length === 0) return;
    const { rows } = await opportunities.reading(() =>
      rankOpportunities(opportunities.services.database, athlete, moment, { limit: 20 }),
    );
    expect(rows).toBeLessThan(10_000);
  });
});
