/** Query plans of results, results of an athlete, and replays: indexes serve every filter and order, with 20,000 results and 50,000 replays. */
import { createGraphCaller } from '../../schema/entry-point.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANONYMOUS, SYSTEM } from '../../schema/viewer.ts';
import { createResultReads } from '../../subgraphs/competitions/results/reads.ts';
import type { Context } from '../../subgraphs/runtime/subgraph.ts';
import { createReplayReads } from '../../subgraphs/competitions/replays/reads.ts';
import type { QueryReplaysArgs, QueryResultsArgs } from '../../subgraphs/competitions/generated/resolvers.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, inEachOrder, openExplained, testFewRowsRead } from './explained.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ids = (number: string): string => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

let database: ClonedDatabase;
let results: ReturnType<typeof openExplained>;
let careers: ReturnType<typeof openExplained>;
let replays: ReturnType<typeof openExplained>;
beforeAll(async () => {
  database = await cloneDatabase();
  await fill(database, 'competitions', [
    `insert into competition (id, account_id, status, name, sport, type, search) values ('${id(1)}', '${id(1)}', 'PUBLISHED', 'Cup', 'FOOTBALL', 'CUP', 'cup')`,
    `insert into season (id, account_id, status, competition_id, published, sport, name, start_date, end_date)
    select ${ids('i')}, '${id(1)}', 'FINISHED', '${id(1)}', true, 'FOOTBALL', i::text, '2026-01-01', '2026-02-01' from generate_series(1, 100) i`,
    `insert into contest (id, account_id, published, season_id, sport, name) select id, account_id, true, id, sport, 'C' from season`,
    `insert into stage (id, account_id, published, season_id, contest_id, sport, name, type) select id, account_id, true, id, id, sport, 'S', 'LEAGUE' from season`,
    `insert into participant (id, account_id, published, season_id, sport, type, team_id) select ${ids('i')}, '${id(1)}', true, ${ids('1 + i % 100')}, 'FOOTBALL', 'TEAM', ${ids('i')} from generate_series(0, 1999) i`,
    `insert into match (id, account_id, published, season_id, competition_id, contest_id, stage_id, sport, starts_at)
    select ${ids('i')}, s.account_id, true, s.id, s.competition_id, s.id, s.id, s.sport, now() - random() * interval '900 days'
    from generate_series(1, 20000) i join season s on s.id = ${ids('1 + i % 100')}`,
    `insert into match_participant (match_id, ordinal, participant_id, team_id, athlete_ids, result, starts_at, published)
    select m.id, o, ${ids('(i * 7 + o * 1000) % 2000')}, ${ids('(i * 7 + o * 1000) % 2000')},
      array(select ${ids('((i * 7 + o * 1000) % 2000) * 11 + p')} from generate_series(0, 10) p), '{}', m.starts_at, true
    from generate_series(1, 20000) i cross join generate_series(0, 1) o join match m on m.id = ${ids('i')}`,
    `insert into result (account_id, created_at, updated_at, published, status, match_id, season_id, contest_id, stage_id, sport, starts_at)
    select account_id, starts_at, starts_at, true,
      case when random() < 0.001 then 'ANNULLED' else (array['OFFICIAL', 'CORRECTED'])[1 + (random() * 1)::int] end,
      id, season_id, contest_id, stage_id, case when random() < 0.001 then 'CYCLING' else sport end, starts_at from match`,
    'vacuum analyze match_participant',
    'analyze result',
    `insert into replay (account_id, created_at, updated_at, status, published, match_id, season_id, athlete_ids, sport, title, kind, url, language, expires_at)
    select ${ids('i % 500')}, day, day, case when i % 1990 = 0 then 'REVIEW' when i % 10 = 0 then 'DRAFT' else 'PUBLISHED' end, i % 10 <> 0, m.id, m.season_id,
      array[${ids('i % 3000')}, ${ids('i % 777')}],
      case when random() < 0.001 then 'CYCLING' else (array['FOOTBALL', 'TENNIS', 'RUGBY'])[1 + i % 3] end, md5(i::text),
      case when random() < 0.001 then 'ANALYSIS' else (array['FULL', 'CLIP'])[1 + i % 2] end, 'https://video.example/' || i,
      case when random() < 0.001 then 'is' else (array['en', 'de', 'fr'])[1 + i % 3] end,
      case when i % 7 = 0 then now() + (random() - 0.5) * interval '900 days' end
    from (select i, now() - random() * interval '900 days' as day from generate_series(1, 50000) i) n join match m on m.id = ${ids('1 + i % 5000')}`,
    `insert into external_id (resource_type, account_id, scheme, value, resource_id) select 'replay', account_id, 'FEED', title, id from replay`,
    'analyze replay',
    'analyze external_id',
  ]);
  results = openExplained(database, 'competitions', 'result');
  replays = openExplained(database, 'competitions', 'replay');
  careers = openExplained(database, 'competitions', 'match_participant', /^\/\* results\.ofAthletes \*\//);
});
afterAll(async () => {
  await Promise.all([results, careers, replays].map((each) => each.close()));
  await database.drop();
});

const resultLists: QueryResultsArgs[] = [
  {},
  { filter: { seasonId: [id(7)] } },
  { filter: { contestId: [id(7)] } },
  { filter: { stageId: [id(7)] } },
  { filter: { participantId: [id(7)] } },
  { filter: { teamId: [id(7)] } },
  { filter: { athleteId: [id(77)] } },
  { filter: { seasonId: [id(7), id(8), id(9)] } },
  { filter: { contestId: [id(7), id(8), id(9)] } },
  { filter: { stageId: [id(7), id(8), id(9)] } },
  { filter: { participantId: [id(7), id(8), id(9)] } },
  { filter: { teamId: [id(7), id(8), id(9)] } },
  { filter: { athleteId: [id(77), id(78), id(79)] } },
  { filter: { status: ['OFFICIAL'] } },
  { filter: { status: ['ANNULLED'] } },
  { filter: { updatedSince: '2020-01-01T00:00:00Z' } },
  { filter: { updatedSince: new Date().toISOString() } },
];

/** An anonymous viewer that can read every athlete and team. */
const reader = (viewer = ANONYMOUS): Context => ({
  ...anonymous(),
  viewer,
  graph: createGraphCaller((_, variables) => {
    const visibleAthletes = [variables['ids']].flat().map((each) => ({ id: each, accountId: '', public: true, minor: false }));
    return Promise.resolve({ athletesById: visibleAthletes, teamsById: visibleAthletes });
  }),
});

const read = (args: QueryResultsArgs, context = reader()) =>
  results.reading(() => createResultReads(results.services).list(context, { first: 20, sort: 'START_TIME_DESC', ...args }));

describe('results', () => {
  testFewRowsRead(inEachOrder(resultLists, ['START_TIME_ASC', 'UPDATED_AT_ASC']), read);

  test('of a rare sport, on the host of the sport', async () => {
    const { scans, rows } = await read({}, reader({ ...ANONYMOUS, sport: 'CYCLING' }));
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBeLessThan(100);
  });

  test('of two athletes use the index of athletes', async () => {
    const keys = [77, 78].map((number) => ({ owner: id(number), first: 20, after: null }));
    const { scans, rows } = await careers.reading(() => createResultReads(careers.services).pagesOfAthletes(keys, reader()));
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBeLessThan(200);
  });
});

const replayLists: QueryReplaysArgs[] = [
  {},
  { filter: { matchId: [id(7)] } },
  { filter: { seasonId: [id(7)] } },
  { filter: { athleteId: [id(7)] } },
  { filter: { matchId: [id(7), id(8), id(9)] } },
  { filter: { seasonId: [id(7), id(8), id(9)] } },
  { filter: { athleteId: [id(7), id(8), id(9)] } },
  { filter: { sport: ['FOOTBALL'] } },
  { filter: { sport: ['CYCLING'] } },
  { filter: { kind: ['CLIP'] } },
  { filter: { kind: ['ANALYSIS'] } },
  { filter: { language: ['en'] } },
  { filter: { language: ['is'] } },
  { filter: { status: ['PUBLISHED'] } },
  { filter: { externalId: 'FEED:c4ca4238a0b923820dcc509a6f75849b' } },
  { filter: { updatedSince: '2020-01-01T00:00:00Z' } },
  { filter: { updatedSince: new Date().toISOString() } },
];

describe('replays', () => {
  const read = (context: Context, args: QueryReplaysArgs) =>
    replays.reading(() => createReplayReads(replays.services).list(context, { first: 20, sort: 'CREATED_AT_DESC', ...args }));
  testFewRowsRead(inEachOrder(replayLists, ['CREATED_AT_ASC', 'UPDATED_AT_ASC']), (args) => read(reader(), args));

  describe('for moderators', () => {
    const waiting: QueryReplaysArgs = { filter: { status: ['REVIEW'] }, sort: 'CREATED_AT_ASC' };
    testFewRowsRead([waiting], (args) => read({ ...reader(), viewer: SYSTEM }, args));
  });
});
