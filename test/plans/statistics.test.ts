/** Query plans of statistics: indexes serve every filter and order of 50,000 rows, most of them of matches. */
import { createGraphCaller } from '../../schema/entry-point.ts';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { SYSTEM } from '../../schema/viewer.ts';
import type { QueryAthleteStatisticsArgs } from '../../subgraphs/athletes/generated/resolvers.ts';
import { createAthleteReads } from '../../subgraphs/athletes/athletes/reads.ts';
import { createStatisticsReads } from '../../subgraphs/athletes/statistics/reads.ts';
import type { AreaServices, Context } from '../../subgraphs/runtime/subgraph.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, inEachOrder, openExplained, testFewRowsRead } from './explained.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ids = (number: string): string => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

let database: ClonedDatabase;
let statistics: ReturnType<typeof openExplained>;
beforeAll(async () => {
  database = await cloneDatabase();
  await fill(database, 'athletes', [
    `insert into athlete (id, account_id, status, display_name, adult_from, sex, nationalities, sports, sport_codes, availability, visibility, verification, search)
    select ${ids('i')}, ${ids('i % 50')}, 'ACTIVE', 'A', '2001-01-01', 'FEMALE', '{}', '[]', '{}', '{}', 'PUBLIC', '{}', '' from generate_series(1, 1000) i`,
    // forty matches per athlete in two seasons, and some reports
    `insert into statistics (account_id, created_at, updated_at, athlete_id, scope, sport, match_id, season_id, competition_id, team_id, metrics, source)
    select ${ids('i % 50')}, day, day, ${ids('1 + i % 1000')}, 'MATCH', case when i % 5000 = 0 then 'RUGBY' else (array['FOOTBALL', 'HANDBALL'])[1 + i % 2] end,
      ${ids('1 + i / 30')}, ${ids('1 + i % 500')}, ${ids('1 + i % 40')}, ${ids('1 + i % 300')}, '[]', 'COMPUTED'
    from (select i, now() - random() * interval '900 days' as day from generate_series(1, 48000) i) n`,
    `insert into statistics (account_id, created_at, updated_at, athlete_id, scope, sport, season_id, metrics, source, event_code, matches_played, verified)
    select ${ids('i % 50')}, day, day, ${ids('1 + i % 1000')}, case when i <= 1000 then 'CAREER' else 'SEASON' end, 'FOOTBALL',
      case when i > 1000 then ${ids('1 + i % 500')} end, '[]', case when i % 100 = 0 then 'PROVIDER' else 'SELF_REPORTED' end,
      case when i % 500 = 0 then '50_FREE' when i % 2 = 0 then '100_FREE' end, case when i % 500 = 0 then 40 else 2 end, i % 500 = 0
    from (select i, now() - random() * interval '900 days' as day from generate_series(1, 2000) i) n`,
    `insert into statistic_metric (statistics_id, key, value) select id, case when random() < 0.001 then 'redCards' else 'goals' end, 1 + floor(random() * 3) from statistics`,
    'analyze athlete',
    'analyze statistics',
    'analyze statistic_metric',
  ]);
  statistics = openExplained(database, 'athletes', 'statistics', /^\/\* statistics\.(?:list|leaderboard) \*\//);
});
afterAll(async () => {
  await statistics.close();
  await database.drop();
});

const lists: QueryAthleteStatisticsArgs[] = [
  {},
  { filter: { athleteId: [id(7)] } },
  { filter: { matchId: [id(7)] } },
  { filter: { seasonId: [id(7)] } },
  { filter: { competitionId: [id(7)] } },
  { filter: { teamId: [id(7)] } },
  { filter: { athleteId: [id(7), id(8), id(9)] } },
  { filter: { matchId: [id(7), id(8), id(9)] } },
  { filter: { seasonId: [id(7), id(8), id(9)] } },
  { filter: { competitionId: [id(7), id(8), id(9)] } },
  { filter: { teamId: [id(7), id(8), id(9)] } },
  { filter: { sport: ['FOOTBALL'] } },
  { filter: { sport: ['RUGBY'] } },
  { filter: { scope: ['MATCH'] } },
  { filter: { scope: ['CAREER'] } },
  { filter: { source: ['COMPUTED'] } },
  { filter: { source: ['PROVIDER'] } },
  { filter: { metric: 'goals' }, sort: 'VALUE_DESC' },
  { filter: { metric: 'redCards' }, sort: 'VALUE_ASC' },
  { filter: { metric: 'goals', seasonId: [id(7)] }, sort: 'VALUE_DESC' },
  { filter: { metric: 'goals', seasonId: [id(7)], scope: ['SEASON'] }, sort: 'VALUE_ASC' },
  { filter: { metric: 'goals', competitionId: [id(7)] }, sort: 'VALUE_DESC' },
  { filter: { metric: 'goals', competitionId: [id(7)], source: ['PROVIDER'] }, sort: 'VALUE_DESC' },
  { filter: { metric: 'goals', teamId: [id(7)] }, sort: 'VALUE_DESC' },
  { filter: { metric: 'goals', athleteId: [id(7)] }, sort: 'VALUE_DESC' },
  { filter: { metric: 'goals', seasonId: [id(7), id(8), id(9)] }, sort: 'VALUE_DESC' },
  { filter: { metric: 'goals', competitionId: [id(7), id(8), id(9)] }, sort: 'VALUE_DESC' },
  { filter: { metric: 'goals', competitionId: [id(7), id(8), id(9)], scope: ['SEASON'] }, sort: 'BEST' },
  { filter: { metric: 'goals', seasonId: Array.from({ length: 20 }, (_, index) => id(index + 1)) }, sort: 'VALUE_DESC' },
  { filter: { metric: 'goals', matchId: [id(7)] }, sort: 'VALUE_DESC' },
  { filter: { metric: 'redCards', sport: ['RUGBY'] }, sort: 'VALUE_DESC' },
  { filter: { metric: 'yellowCards', sport: ['RUGBY'] }, sort: 'VALUE_ASC' },
  { filter: { metric: 'goals', scope: ['CAREER'] }, sort: 'VALUE_DESC' },
  { filter: { metric: 'goals', sport: ['FOOTBALL'], scope: ['SEASON'], source: ['PROVIDER'] }, sort: 'VALUE_DESC' },
  { filter: { metric: 'redCards', source: ['COMPUTED'], scope: ['CAREER'] }, sort: 'VALUE_DESC' },
  { filter: { sport: ['RUGBY'], scope: ['MATCH'] } },
  { filter: { seasonId: [id(7)], scope: ['SEASON'] } },
  { filter: { competitionId: [id(7)], source: ['PROVIDER'] } },
  { filter: { metric: 'goals', scope: ['SEASON'] }, sort: 'BEST' },
  { filter: { metric: 'goals', sex: ['FEMALE'], ageMax: 40, minMatches: 2 }, sort: 'BEST' },
  { filter: { eventCode: ['100_FREE'] } },
  { filter: { eventCode: ['50_FREE'] } },
  { filter: { verified: true } },
  { filter: { minMatches: 30 } },
  { filter: { minMatches: 100 } },
  { filter: { updatedSince: '2020-01-01T00:00:00Z' } },
  { filter: { updatedSince: new Date().toISOString() } },
];

describe('statistics', () => {
  // the services that a list uses
  const services = () => statistics.services as unknown as AreaServices;
  const reader = (): Context => ({
    ...anonymous(),
    graph: createGraphCaller(() => Promise.resolve({ teamsById: [{ id: id(7), public: true }] })),
  });
  const read = (context: Context, args: QueryAthleteStatisticsArgs) =>
    statistics.reading(() => {
      const store = createStatisticsReads(services(), createAthleteReads(services()));
      return store.list(context, { first: 20, sort: 'UPDATED_AT_DESC', ...args });
    });
  testFewRowsRead(inEachOrder(lists, ['UPDATED_AT_ASC', 'COMPUTED_FIRST']), (args) => read(reader(), args));

  describe('for moderators', () => {
    const waiting: QueryAthleteStatisticsArgs = {
      filter: { verified: false, source: ['PROVIDER', 'SELF_REPORTED'] },
      sort: 'UPDATED_AT_ASC',
    };
    testFewRowsRead([waiting], (args) => read({ ...reader(), viewer: SYSTEM }, args));
  });
});
