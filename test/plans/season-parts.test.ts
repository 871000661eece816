/** Query plans of contests, stages, participants, adjustments and tie-break decisions: indexes serve every filter of large tables. */
import { createGraphCaller } from '../../schema/entry-point.ts';
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Context } from '../../subgraphs/runtime/subgraph.ts';
import { createPartReads, type PartReads } from '../../subgraphs/competitions/season-parts/part-reads.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, openExplained, testFewRowsRead } from './explained.ts';

const id = (kind: string, number: number): string => `00000000-0000-4000-8000-${kind}${String(number).padStart(11, '0')}`;

/** SQL of the ID of a row, by kind and number. */
const sqlId = (kind: string, number: string): string =>
  `('00000000-0000-4000-8000-${kind}' || lpad((${number})::text, 11, '0'))::uuid`;

const account = sqlId('a', 'i % 500');
const days = `now() - random() * interval '900 days'`;
const part = `account_id, created_at, updated_at, published, season_id, sport`;
const values = (season: string): string =>
  `${account}, ${days}, ${days}, random() < 0.9, ${sqlId('5', season)}, (array['FOOTBALL', 'TENNIS', 'SWIMMING'])[1 + i % 3]`;

let database: ClonedDatabase;
const opened: ReturnType<typeof openExplained>[] = [];
beforeAll(async () => {
  database = await cloneDatabase();
  await fill(database, 'competitions', [
    `insert into competition (id, account_id, status, name, sport, type, search)
      select ${sqlId('c', 'i')}, ${account}, 'PUBLISHED', 'c', 'FOOTBALL', 'LEAGUE', 'c' from generate_series(1, 10) i`,
    `insert into season (id, account_id, competition_id, published, sport, name, start_date, end_date)
      select ${sqlId('5', 'i')}, ${account}, ${sqlId('c', '1 + i % 10')}, true, 'FOOTBALL', i::text, '2026-01-01', '2026-12-31'
      from generate_series(1, 1000) i`,
    `insert into contest (id, ${part}, name, event_code, ordinal)
      select ${sqlId('e', 'i')}, ${values('1 + i % 1000')}, i::text,
        case when random() < 0.001 then 'OMNIUM' else (array['100M', '200M', 'MILE'])[1 + i % 3] end, i % 40
      from generate_series(1, 20000) i`,
    `insert into stage (id, ${part}, contest_id, name, type, ordinal)
      select ${sqlId('d', 'i')}, ${values('1 + i % 1000')}, ${sqlId('e', '1 + i % 20000')}, i::text,
        case when random() < 0.001 then 'SWIM_OFF' else (array['HEATS', 'SEMIFINAL', 'FINAL'])[1 + i % 3] end, i % 4
      from generate_series(1, 30000) i`,
    `insert into participant (id, ${part}, contest_id, type, team_id, group_name)
      select ${sqlId('b', 'i')}, ${values('1 + i % 1000')}, ${sqlId('e', '1 + i % 20000')}, 'TEAM', ${sqlId('7', 'i % 3999')},
        case when random() < 0.001 then 'Z' else (array['A', 'B'])[1 + i % 2] end
      from generate_series(1, 40000) i`,
    `insert into adjustment (${part}, stage_id, participant_id, points, reason)
      select ${values('1 + i % 1000')}, ${sqlId('d', '1 + i % 30000')}, ${sqlId('b', '1 + i % 40000')}, -1, 'r' from generate_series(1, 20000) i`,
    `insert into tie_break_decision (${part}, stage_id, participant_ids, criterion, reason)
      select ${values('1 + i % 1000')}, ${sqlId('d', '1 + i % 30000')}, '{}', 'DRAW_OF_LOTS', 'r' from generate_series(1, 20000) i`,
    'analyze',
  ]);
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await database.drop();
});

/** A viewer that can read every season and team. */
const reader = (): Context => ({
  ...anonymous(),
  load: <Key, Value>() => Promise.resolve({} as Value & Key),
  graph: createGraphCaller(() =>
    Promise.resolve({ teamsById: [7, 8, 9].map((number) => ({ id: id('7', number), public: true })) }),
  ),
});

const common = [
  {},
  { seasonId: id('5', 7) },
  { updatedSince: '2020-01-01T00:00:00Z' },
  { updatedSince: new Date().toISOString() },
  { externalId: 'FEED:1' },
];

/** Each list with common and own filters. */
function reads<Kind extends keyof PartReads>(kind: Kind, table: string, own: readonly object[]): void {
  let explained: ReturnType<typeof openExplained> | undefined;
  describe(kind, () => {
    testFewRowsRead([...common, ...own], (filter) => {
      if (!explained) {
        explained = openExplained(database, 'competitions', table);
        opened.push(explained);
      }
      const part = createPartReads(explained.services, { byId: () => Promise.reject(new Error('a season is loaded')) })[kind];
      return explained.reading(() => part.list(reader(), { first: 20, filter }));
    });
  });
}

reads('contests', 'contest', [{ eventCode: ['100M'] }, { eventCode: ['OMNIUM'] }, { eventCode: ['100M', 'OMNIUM'] }]);
reads('stages', 'stage', [{ contestId: id('e', 7) }, { type: ['HEATS'] }, { type: ['SWIM_OFF'] }]);
reads('participants', 'participant', [
  { contestId: id('e', 7) },
  { teamId: [id('7', 7)] },
  { teamId: [7, 8, 9].map((number) => id('7', number)) },
  { group: 'A' },
  { group: 'Z' },
  { seasonId: [id('5', 7)], group: 'A' },
  { seasonId: [7, 8, 9].map((number) => id('5', number)) },
]);
reads('adjustments', 'adjustment', [{ stageId: id('d', 7) }, { participantId: id('b', 7) }]);
reads('tieBreakDecisions', 'tie_break_decision', [{ stageId: id('d', 7) }]);
