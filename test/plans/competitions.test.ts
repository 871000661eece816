/** Query plans of competitions and seasons: indexes serve every filter and order, with 50,000 rows each. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { QueryCompetitionsArgs, QuerySeasonsArgs } from '../../subgraphs/competitions/generated/resolvers.ts';
import { createCompetitionReads } from '../../subgraphs/competitions/competitions/reads.ts';
import { createSeasonReads } from '../../subgraphs/competitions/seasons/reads.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, inEachOrder, openExplained, testFewRowsRead } from './explained.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

let database: ClonedDatabase;
let competitions: ReturnType<typeof openExplained>;
let seasons: ReturnType<typeof openExplained>;
beforeAll(async () => {
  database = await cloneDatabase();
  await fill(database, 'competitions', [
    `insert into competition (id, account_id, created_at, updated_at, status, name, sport, type, category, age_group, level, country, organizer_id, search)
    select ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, ('00000000-0000-4000-8000-' || lpad((i % 500)::text, 12, '0'))::uuid,
      now() - random() * interval '900 days', now() - random() * interval '900 days',
      case when random() < 0.001 then 'ARCHIVED' when random() < 0.1 then 'DRAFT' else 'PUBLISHED' end, md5(i::text),
      (array['FOOTBALL', 'TENNIS', 'RUGBY', 'HANDBALL', 'SWIMMING'])[1 + i % 5],
      case when random() < 0.001 then 'FRIENDLY' else (array['LEAGUE', 'CUP', 'SERIES'])[1 + (random() * 2)::int] end,
      case when random() < 0.001 then 'MIXED' else (array['MEN', 'WOMEN'])[1 + (random() * 1)::int] end,
      case when random() < 0.001 then 'MASTERS' else (array['SENIOR', 'U19', 'U17'])[1 + (random() * 2)::int] end,
      case when random() < 0.001 then 'SCHOOL' else (array['NATIONAL', 'REGIONAL'])[1 + (random() * 1)::int] end,
      case when random() < 0.001 then 'IS' else (array['DE', 'FR', 'NG', 'BR', 'JP'])[1 + (random() * 4)::int] end,
      case when i % 3 = 0 then ('00000000-0000-4000-8000-' || lpad((i % 3000)::text, 12, '0'))::uuid end, md5(i::text)
    from generate_series(1, 50000) i`,
    `insert into season (account_id, created_at, updated_at, status, competition_id, published, sport, name, start_date, end_date)
    select c.account_id, c.created_at, c.updated_at,
      case when random() < 0.001 then 'CANCELLED' else (array['PLANNED', 'IN_PROGRESS', 'FINISHED'])[1 + (random() * 2)::int] end, c.id,
      c.status <> 'DRAFT', c.sport, '2026', day, day + 200
    from (select *, date '2010-01-01' + (random() * 6000)::int as day from competition) c`,
    `insert into external_id (resource_type, account_id, scheme, value, resource_id) select 'competition', account_id, 'FEED', name, id from competition`,
    'analyze competition',
    'analyze season',
    'analyze external_id',
  ]);
  competitions = openExplained(database, 'competitions', 'competition');
  seasons = openExplained(database, 'competitions', 'season');
});
afterAll(async () => {
  await Promise.all([competitions.close(), seasons.close()]);
  await database.drop();
});

const competitionLists: QueryCompetitionsArgs[] = [
  {},
  { filter: { q: 'd41d8' } },
  { filter: { sport: ['FOOTBALL'] } },
  { filter: { sport: ['CYCLING'] } },
  { filter: { type: ['LEAGUE'] } },
  { filter: { type: ['FRIENDLY'] } },
  { filter: { category: ['MEN'] } },
  { filter: { category: ['MIXED'] } },
  { filter: { ageGroup: ['SENIOR'] } },
  { filter: { ageGroup: ['MASTERS'] } },
  { filter: { level: ['NATIONAL'] } },
  { filter: { level: ['SCHOOL'] } },
  { filter: { country: ['DE'] } },
  { filter: { country: ['IS'] } },
  { filter: { status: ['PUBLISHED'] } },
  { filter: { status: ['ARCHIVED'] } },
  { filter: { externalId: 'FEED:c4ca4238a0b923820dcc509a6f75849b' } },
  { filter: { updatedSince: '2020-01-01T00:00:00Z' } },
  { filter: { updatedSince: new Date().toISOString() } },
];

describe('competitions', () => {
  testFewRowsRead(inEachOrder(competitionLists, ['CREATED_AT_ASC', 'NAME_ASC', 'NAME_DESC']), (args) =>
    competitions.reading(() =>
      createCompetitionReads(competitions.services).list(anonymous(), { first: 20, sort: 'CREATED_AT_DESC', ...args }),
    ),
  );
});

const seasonLists: QuerySeasonsArgs[] = [
  {},
  { sort: 'START_DATE_ASC' },
  { sort: 'CREATED_AT_DESC' },
  { filter: { competitionId: [id(7)] } },
  { filter: { competitionId: [id(7), id(8), id(9)] } },
  { filter: { sport: ['FOOTBALL'] } },
  { filter: { sport: ['CYCLING'] } },
  { filter: { status: ['PLANNED'] } },
  { filter: { status: ['CANCELLED'] } },
  { filter: { dateFrom: '2010-01-01' } },
  { filter: { dateFrom: '2026-11-01' } },
  { filter: { dateTo: '2030-01-01' } },
  { filter: { dateTo: '2010-01-05' } },
  { filter: { dateFrom: '2015-01-01', dateTo: '2015-01-02' } },
  { filter: { updatedSince: '2020-01-01T00:00:00Z' } },
];

describe('seasons', () => {
  testFewRowsRead(seasonLists, (args) =>
    seasons.reading(() => createSeasonReads(seasons.services).list(anonymous(), { first: 20, sort: 'START_DATE_DESC', ...args })),
  );
});
