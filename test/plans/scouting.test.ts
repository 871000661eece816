/** Query plans of prospects: indexes serve every filter, with 50,000 rows. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../platform/database/database.ts';
import { areaRole } from '../../platform/database/roles.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { readProspectFacets } from '../../subgraphs/scouting/prospects/facets.ts';
import { prospectConditions } from '../../subgraphs/scouting/prospects/filter.ts';
import { createProspectReads } from '../../subgraphs/scouting/prospects/reads.ts';
import type { ProspectRow } from '../../subgraphs/scouting/prospects/rows.ts';
import { createSimilarAthletes } from '../../subgraphs/scouting/similar-athletes/reads.ts';
import type { Context } from '../../subgraphs/runtime/subgraph.ts';
import type { QueryProspectsArgs } from '../../subgraphs/scouting/generated/resolvers.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, inEachOrder, openExplained, testFewRowsRead } from './explained.ts';

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

/** A forward with a number, who is compared with the other forwards. */
function forward(): ProspectRow {
  const cohort = { ageBand: null, position: 'FW', level: null, n: 1000 };
  const goals = { metric: 'goals', eventCode: '', value: 12, matches: 30, matchesBefore: null, overall: 90, percentile: 90 };
  return {
    id: '00000000-0000-4000-8000-000000000001',
    athleteId: '00000000-0000-4000-8000-000000000002',
    version: 1,
    sport: 'FOOTBALL',
    positions: ['ST'],
    positionGroup: 'FW',
    sex: 'MALE',
    level: null,
    ageBand: null,
    birthQuarter: null,
    verified: false,
    standings: [{ ...goals, before: null, growth: null, source: 'COMPUTED', asOf: null, cohort }],
    talentScore: 60,
    confidence: 0.75,
    emerging: false,
    listPlace: 0,
    modelVersion: '',
    computedAt: '2026-11-21T00:00:00.000Z',
  };
}

describe('prospects', () => {
  let explained: ReturnType<typeof openExplained>;
  beforeAll(async () => {
    await fill(database, 'scouting', [
      `insert into prospect (athlete_id, sport, is_primary, positions, position_group, sex, country, nationalities, level, born_by, age_band, verified,
      organization_ids, facts, talent_score, confidence, emerging, list_place, model_version, computed_at, height_cm, contract_until, traits)
    select gen_random_uuid(), sport, i % 7 <> 0,
      case when i % 1000 = 1 then array['PG'] when i % 5 = 0 then array[(array['GK', 'LB', 'CB', 'CM', 'ST'])[1 + (random() * 4)::int]] else '{}' end, '',
      case when random() < 0.001 then 'UNSPECIFIED' when random() < 0.5 then 'MALE' else 'FEMALE' end,
      case when random() < 0.001 then 'IS' else (array['DE', 'FR', 'NG', 'BR', 'JP'])[1 + (random() * 4)::int] end, '{}',
      'NATIONAL', current_date - (18.002 * 365.25 + random() * 5000)::int, '18-20', random() < 0.5, '{}', '{}', (random() * 80)::int,
      (random() * 0.9)::numeric(3, 2), random() < 0.02,
      (10 - i % 5) * 10000 + (random() * 4)::int * 2000 + (random() * 800)::int, '2', now() - random() * interval '100 days',
      case when random() < 0.8 then 150 + (random() * 50)::int end, case when random() < 0.3 then current_date + (random() * 900)::int end,
      array(select sport || trait from unnest(array[' verified:' || (random() < 0.001), ' open:' || (random() < 0.3), ' freeAgent:' || (random() < 0.01),
        ' language:' || case when random() < 0.001 then 'is' else 'en' end,
        case when sport = 'FOOTBALL' then ' foot:' || (array['LEFT', 'RIGHT', 'RIGHT', 'BOTH'])[1 + (random() * 3)::int] end]) trait where trait is not null)
    from generate_series(1, 50000) i, lateral (select (array['FOOTBALL', 'TENNIS', 'RUGBY', 'HANDBALL', 'SWIMMING'])[1 + i % 5] as sport) of_sport`,
      `update prospect set profile_group = 'FOOTBALL ' || sex || ' FW', profile =
        platform.cube(array[35 * random(), 25 * random(), 30 * random(), 20 * random(), 10 * random()]::float8[]) where sport = 'FOOTBALL'`,
      `insert into prospect_metric (athlete_id, sport, metric, event_code, value, rate, matches, source, percentile)
    select athlete_id, sport, case when sport = 'SWIMMING' then 'seasonBestMs' else 'aces' end, case when sport = 'SWIMMING' then '100_FREE' else '' end,
      value, value / 20, 10, 'COMPUTED', case when random() < 0.01 then 100 else random() * 90 end
    from (select *, random() * 1000 as value from prospect) p where random() < 0.6`,
      'vacuum analyze prospect, prospect_metric',
    ]);
    explained = openExplained(database, 'scouting', 'prospect');
  });
  afterAll(async () => {
    await explained.close();
  });

  const cases: QueryProspectsArgs[] = [
    {},
    { filter: { sport: ['FOOTBALL'] } },
    { filter: { sport: ['FOOTBALL', 'TENNIS'] } },
    { filter: { sport: ['HANDBALL', 'SWIMMING'], sex: ['MALE'] } },
    { filter: { sport: ['CYCLING'] } },
    { filter: { position: ['GK'] } },
    { filter: { position: ['PG'] } },
    { filter: { sex: ['MALE'] } },
    { filter: { sex: ['UNSPECIFIED'] } },
    { filter: { country: ['DE'] } },
    { filter: { country: ['IS'] } },
    { filter: { country: ['IS', 'DE'] } },
    { filter: { ageMax: 18 } },
    { filter: { ageMax: 30 } },
    { filter: { minScore: 10.5 } },
    { filter: { minScore: 77.5 } },
    { filter: { minScore: 90 } },
    { filter: { emerging: true } },
    { filter: { emerging: false } },
    { filter: { emerging: true, sport: ['TENNIS'], country: ['DE'] } },
    { filter: { sport: ['TENNIS'], metric: ['aces:gte:200', 'aces:lte:900'] } },
    { filter: { sport: ['TENNIS'], metric: ['aces:gte:990'] } },
    { filter: { sport: ['SWIMMING'], metric: ['seasonBestMs:lte:3'], eventCode: '100_FREE' } },
    { filter: { sport: ['TENNIS'], level: ['NATIONAL'], ageBand: ['18-20'] } },
    { filter: { minConfidence: 0.4 } },
    { filter: { minConfidence: 0.87 } },
    { filter: { sport: ['TENNIS'], metric: ['aces:gte:49.9:perMatch'] } },
    { filter: { sport: ['TENNIS'], metric: ['aces:gte:10:perMatch', 'aces:gte:50:percentile'] } },
    { filter: { sport: ['TENNIS'], metric: ['aces:gte:100:percentile'] } },
    { filter: { ageMin: 31 } },
    { filter: { heightCmMin: 200 } },
    { filter: { heightCmMin: 180, sport: ['TENNIS'] } },
    { filter: { contractUntil: new Date().toISOString().slice(0, 10) } },
    { filter: { verified: true } },
    { filter: { verified: false, sport: ['TENNIS'] } },
    { filter: { dominantFoot: ['LEFT'] } },
    { filter: { dominantFoot: ['LEFT'], sport: ['TENNIS'] } },
    { filter: { dominantHand: ['LEFT'] } },
    { filter: { language: ['is'] } },
    { filter: { freeAgent: true, sport: ['FOOTBALL'] } },
    { filter: { openToOpportunities: true, availableFor: ['TRIAL'] } },
    {
      filter: {
        emerging: true,
        sport: ['FOOTBALL'],
        position: ['CB'],
        dominantFoot: ['LEFT'],
        openToOpportunities: true,
        contractUntil: new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10),
      },
    },
  ];

  testFewRowsRead(inEachOrder(cases, ['TALENT_SCORE_DESC', 'COMPUTED_AT_DESC']), (args) =>
    explained.reading(() =>
      createProspectReads({ ...explained.services, expensiveDatabase: explained.services.database }).list(anonymous(), {
        first: 20,
        sort: 'EMERGING_FIRST',
        ...args,
      }),
    ),
  );

  describe('similar athletes', () => {
    test.each([{}, { ageMax: 22 }, { country: ['IS'] }])('are read from the index of profiles: %j', async (filter) => {
      const explained = openExplained(database, 'scouting', 'prospect', /prospects\.similar/);
      const subject = forward();
      const findSimilar = createSimilarAthletes(explained.services, { byAthlete: () => Promise.resolve([subject]) });
      const context: Context = { ...anonymous(), load: <Value>() => Promise.resolve(subject as Value) };
      const { scans, rows } = await explained.reading(() =>
        findSimilar(context, { athleteId: subject.athleteId, first: 50, filter }),
      );
      await explained.close();
      expect(scans).toHaveLength(1);
      expect(scans).not.toContain('Seq Scan');
      expect(rows).toBeLessThan(5_000);
    });
  });

  describe('facets', () => {
    const tennis = prospectConditions(ANONYMOUS, { sport: ['TENNIS'], level: ['NATIONAL'], metric: ['aces:gte:990'] });

    test('are counted from an index alone', async () => {
      const explained = openExplained(database, 'scouting', 'prospect', /prospects\.facets/);
      const { scans } = await explained.reading(() => readProspectFacets(explained.services.database, tennis));
      await explained.close();
      expect(scans).toEqual(['Index Only Scan']);
    });

    test('compare thresholds with the highest scores only, and report it', async () => {
      const area = openDatabase({ url: database.urlAs(areaRole('scouting')), name: 'test-facets', poolSize: 1 });
      const every = { ...tennis, where: [sql`prospect.is_primary`] };
      const facets = await Promise.all([tennis, every].map((each) => readProspectFacets(area, each)));
      await area.close();
      expect(facets).toMatchObject([
        { capped: false, level: [{ value: 'NATIONAL' }] },
        { capped: true, level: [{ value: 'NATIONAL' }] },
      ]);
    });
  });
});
