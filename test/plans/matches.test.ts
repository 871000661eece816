/** Query plans of matches: indexes serve every filter and order, and the matches of a team, with 20,000 matches. */
import { createGraphCaller } from '../../schema/entry-point.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANONYMOUS } from '../../schema/viewer.ts';
import type { QueryMatchesArgs } from '../../subgraphs/competitions/generated/resolvers.ts';
import { createMatchReads } from '../../subgraphs/competitions/matches/reads.ts';
import type { Context } from '../../subgraphs/runtime/subgraph.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, inEachOrder, openExplained, testFewRowsRead } from './explained.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ids = (number: string): string => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

let database: ClonedDatabase;
let matches: ReturnType<typeof openExplained>;
let teams: ReturnType<typeof openExplained>;
beforeAll(async () => {
  database = await cloneDatabase();
  await fill(database, 'competitions', [
    `insert into competition (id, account_id, status, name, sport, type, search) select ${ids('i')}, ${ids('i')}, 'PUBLISHED', i::text, 'FOOTBALL', 'CUP', 'cup'
    from generate_series(1, 20) i`,
    `insert into season (id, account_id, status, competition_id, published, sport, name, start_date, end_date)
    select ${ids('i')}, ${ids('1 + i % 20')}, 'FINISHED', ${ids('1 + i % 20')}, true, 'FOOTBALL', i::text, '2026-01-01', '2026-02-01' from generate_series(1, 100) i`,
    `insert into contest (id, account_id, published, season_id, sport, name) select id, account_id, true, id, sport, 'C' from season`,
    `insert into stage (id, account_id, published, season_id, contest_id, sport, name, type) select id, account_id, true, id, id, sport, 'S', 'LEAGUE' from season`,
    `insert into participant (id, account_id, published, season_id, sport, type, team_id)
    select ${ids('i')}, ${ids('1')}, true, ${ids('1 + i % 100')}, 'FOOTBALL', 'TEAM', ${ids('i')} from generate_series(0, 1999) i`,
    `insert into match (id, account_id, created_at, updated_at, published, season_id, competition_id, contest_id, stage_id, sport, status, group_name, matchday,
      starts_at, date)
    select ${ids('i')}, s.account_id, moment, moment, random() > 0.05, s.id, s.competition_id, s.id, s.id,
      case when random() < 0.001 then 'CYCLING' else (array['FOOTBALL', 'HANDBALL'])[1 + (random() * 1)::int] end,
      case when random() < 0.001 then 'SUSPENDED' else (array['FINISHED', 'TIMED'])[1 + (random() * 1)::int] end,
      case when random() < 0.001 then 'Z' else (array['A', 'B', null])[1 + (random() * 2)::int] end,
      case when random() < 0.001 then 99 else (random() * 37)::int + 1 end, moment, moment::date
    from (select i, now() - random() * interval '900 days' as moment from generate_series(1, 20000) i) as g
      join season s on s.id = ${ids('1 + i % 100')}`,
    `insert into match_participant (match_id, ordinal, participant_id, team_id, athlete_ids, starts_at, published)
    select m.id, o, ${ids('(i * 7 + o * 1000) % 2000')}, ${ids('(i * 7 + o * 1000) % 2000')},
      array(select ${ids('((i * 7 + o * 1000) % 2000) * 11 + p')} from generate_series(0, 3) p), m.starts_at, m.published
    from generate_series(1, 20000) i cross join generate_series(0, 1) o join match m on m.id = ${ids('i')}`,
    `insert into external_id (resource_type, account_id, scheme, value, resource_id) select 'match', account_id, 'FEED', md5(id::text), id from match`,
    'vacuum analyze match_participant',
    'analyze match',
    'analyze external_id',
  ]);
  matches = openExplained(database, 'competitions', 'match');
  teams = openExplained(database, 'competitions', 'match_participant', /^\/\* matches\.ofTeams \*\//);
});
afterAll(async () => {
  await Promise.all([matches.close(), teams.close()]);
  await database.drop();
});

/** A viewer that can read every athlete and team. */
const reader = (viewer = ANONYMOUS): Context => ({
  ...anonymous(),
  viewer,
  graph: createGraphCaller((_, variables) => {
    const visibleAthletes = [variables['ids']].flat().map((each) => ({ id: each, accountId: '', public: true, minor: false }));
    return Promise.resolve({ athletesById: visibleAthletes, teamsById: visibleAthletes });
  }),
});

const lists: QueryMatchesArgs[] = [
  {},
  { filter: { competitionId: [id(7)] } },
  { filter: { competitionId: [id(7), id(8), id(9)] } },
  { filter: { seasonId: [id(7)] } },
  { filter: { contestId: [id(7)] } },
  { filter: { stageId: [id(7)] } },
  { filter: { group: 'A' } },
  { filter: { group: 'Z' } },
  { filter: { matchday: 5 } },
  { filter: { matchday: 99 } },
  { filter: { sport: ['FOOTBALL'] } },
  { filter: { sport: ['CYCLING'] } },
  { filter: { status: ['FINISHED'] } },
  { filter: { status: ['SUSPENDED'] } },
  { filter: { participantId: [id(7)] } },
  { filter: { teamId: [id(7)] } },
  { filter: { teamId: [id(7), id(8), id(9)] } },
  { filter: { teamId: [id(7)], opponentId: id(1007) } },
  { filter: { live: true } },
  { filter: { live: false } },
  { filter: { date: 'today' } },
  { filter: { date: 'today', timeZone: 'Asia/Tokyo', live: true } },
  { filter: { date: '2030-01-01' } },
  { filter: { athleteId: [id(77)] } },
  { filter: { seasonId: [id(7), id(8), id(9)] } },
  { filter: { contestId: [id(7), id(8), id(9)] } },
  { filter: { stageId: [id(7), id(8), id(9)] } },
  { filter: { participantId: [id(7), id(8), id(9)] } },
  { filter: { athleteId: [id(77), id(78), id(79)] } },
  { filter: { dateFrom: '2000-01-01' } },
  { filter: { dateFrom: '2030-01-01' } },
  { filter: { dateTo: '2000-01-01' } },
  { filter: { dateTo: '2030-01-01' } },
  { filter: { seasonId: [id(7)], matchday: 5 } },
  { filter: { externalId: 'FEED:c4ca4238a0b923820dcc509a6f75849b' } },
  { filter: { updatedSince: '2020-01-01T00:00:00Z' } },
  { filter: { updatedSince: new Date().toISOString() } },
];

describe('matches', () => {
  testFewRowsRead(inEachOrder(lists, ['START_TIME_DESC']), (args) =>
    matches.reading(() => createMatchReads(matches.services).list(reader(), { first: 20, sort: 'START_TIME_ASC', ...args })),
  );

  test('of an account', async () => {
    const own = reader({ ...ANONYMOUS, kind: 'KEY', accountId: id(7) });
    const { scans, rows } = await matches.reading(() =>
      createMatchReads(matches.services).list(own, { first: 20, sort: 'START_TIME_ASC', filter: { mine: true } }),
    );
    expect([scans.includes('Seq Scan'), rows < 5_000]).toEqual([false, true]);
  });

  test('of a team', async () => {
    const pages = createMatchReads(teams.services).pagesOfTeams;
    const { scans, rows } = await teams.reading(() => pages([{ owner: id(7), first: 20 }], reader()));
    expect([scans.includes('Seq Scan'), rows < 100]).toEqual([false, true]);
  });
});
