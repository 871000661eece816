/** Every documented filter of prospects is served by an index, over 50,000 of them. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { QueryProspectsArgs } from '../../subgraphs/scouting/resolvers.generated.ts';
import { createProspectStore } from '../../subgraphs/scouting/store/prospect.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, inEachOrder, openExplained, readsFew } from './explained.ts';

let database: ClonedDatabase;
let explained: ReturnType<typeof openExplained>;
beforeAll(async () => {
  database = await cloneDatabase();
  await fill(database, 'scouting', [
    `insert into prospect (athlete_id, sport, is_primary, positions, position_group, sex, country, nationalities, level, born_by, age_band, verified,
      organization_ids, facts, talent_score, confidence, emerging, model_version, computed_at)
    select gen_random_uuid(), (array['FOOTBALL', 'TENNIS', 'RUGBY', 'HANDBALL', 'SWIMMING'])[1 + i % 5], i % 7 <> 0,
      case when i % 1000 = 1 then array['PG'] when i % 5 = 0 then array[(array['GK', 'LB', 'CB', 'CM', 'ST'])[1 + (random() * 4)::int]] else '{}' end, '',
      case when random() < 0.001 then 'UNSPECIFIED' when random() < 0.5 then 'MALE' else 'FEMALE' end,
      case when random() < 0.001 then 'IS' else (array['DE', 'FR', 'NG', 'BR', 'JP'])[1 + (random() * 4)::int] end, '{}',
      'NATIONAL', current_date - (18.002 * 365.25 + random() * 5000)::int, '18-20', random() < 0.5, '{}', '{}', (random() * 80)::int,
      (random() * 0.9)::numeric(3, 2), random() < 0.02, '2', now() - random() * interval '100 days'
    from generate_series(1, 50000) i`,
    `insert into prospect_metric (athlete_id, sport, metric, event_code, value, rate, matches, source)
    select athlete_id, sport, case when sport = 'SWIMMING' then 'seasonBestMs' else 'aces' end, case when sport = 'SWIMMING' then '100_FREE' else '' end,
      random() * 1000, 1, 10, 'COMPUTED' from prospect where random() < 0.6`,
    'analyze prospect, prospect_metric',
  ]);
  explained = openExplained(database, 'scouting', 'prospect');
});
afterAll(async () => {
  await explained.close();
  await database.drop();
});

const cases: QueryProspectsArgs[] = [
  {},
  { filter: { sport: ['FOOTBALL'] } },
  { filter: { sport: ['FOOTBALL', 'TENNIS'] } },
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
];

describe('prospects', () => {
  readsFew(inEachOrder(cases, ['COMPUTED_AT_DESC']), (args) =>
    explained.reading(() =>
      createProspectStore(explained.services).list(anonymous(), { first: 20, sort: 'TALENT_SCORE_DESC', ...args }),
    ),
  );
});
