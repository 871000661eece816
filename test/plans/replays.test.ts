/** Every documented filter and order of replays is served by an index, over 50,000 of them. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { QueryReplaysArgs } from '../../subgraphs/competitions/resolvers.generated.ts';
import { createReplayStore } from '../../subgraphs/competitions/store/replay.ts';
import type { Context } from '../../subgraphs/subgraph.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, inEachOrder, openExplained, readsFew } from './explained.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ids = (number: string): string => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

let database: ClonedDatabase;
let replays: ReturnType<typeof openExplained>;
beforeAll(async () => {
  database = await cloneDatabase();
  await fill(database, 'competitions', [
    `insert into competition (id, account_id, status, name, sport, type, search) values ('${id(1)}', '${id(1)}', 'PUBLISHED', 'Cup', 'FOOTBALL', 'CUP', 'cup')`,
    `insert into season (id, account_id, status, competition_id, published, sport, name, start_date, end_date)
    select ${ids('i')}, '${id(1)}', 'FINISHED', '${id(1)}', true, 'FOOTBALL', i::text, '2026-01-01', '2026-02-01' from generate_series(1, 100) i`,
    `insert into contest (id, account_id, published, season_id, sport, name) select id, account_id, true, id, sport, 'C' from season`,
    `insert into stage (id, account_id, published, season_id, contest_id, sport, name, type) select id, account_id, true, id, id, sport, 'S', 'LEAGUE' from season`,
    `insert into match (id, account_id, published, season_id, competition_id, contest_id, stage_id, sport, starts_at)
    select ${ids('i')}, s.account_id, true, s.id, s.competition_id, s.id, s.id, s.sport, now()
    from generate_series(1, 5000) i join season s on s.id = ${ids('1 + i % 100')}`,
    `insert into replay (account_id, created_at, updated_at, status, published, match_id, season_id, athlete_ids, sport, title, kind, url, language, expires_at)
    select ${ids('i % 500')}, day, day, case when i % 10 = 0 then 'DRAFT' else 'PUBLISHED' end, i % 10 <> 0, m.id, m.season_id,
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
  replays = openExplained(database, 'competitions', 'replay');
});
afterAll(async () => {
  await replays.close();
  await database.drop();
});

const lists: QueryReplaysArgs[] = [
  {},
  { filter: { matchId: id(7) } },
  { filter: { seasonId: id(7) } },
  { filter: { athleteId: id(7) } },
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

/** Somebody without a key, who knows every athlete. */
const reader = (): Context => ({
  ...anonymous(),
  graph: (_, variables) =>
    Promise.resolve({
      athletesById: [variables?.['ids']].flat().map((each) => ({ id: each, accountId: '', public: true, minor: false })),
    }),
});

describe('replays', () => {
  readsFew(inEachOrder(lists, ['CREATED_AT_ASC', 'UPDATED_AT_ASC']), (args) =>
    replays.reading(() => createReplayStore(replays.services).list(reader(), { first: 20, sort: 'CREATED_AT_DESC', ...args })),
  );
});
