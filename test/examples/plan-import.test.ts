/** A plan of several collections against a server that implements the batch contract and stops in the middle. */
import { expect, test } from '@jest/globals';
import { openReport } from '../../examples/import/report.ts';
import { runImport } from '../../examples/import/run.ts';
import { startBatchServer, type BatchServer } from './batch-server.ts';

const match = (team1: string, team2: string) => ({
  round: 'Matchday 1',
  date: '2018-08-11',
  team1,
  team2,
  score: { ft: [1, 0] },
});
const season = JSON.stringify({
  name: 'English Premier League 2018/19',
  matches: [match('A', 'B'), match('B', 'C'), match('C', 'A')],
});

async function importing(server: BatchServer, text = season) {
  const report = openReport();
  const run = { url: server.url, key: 'secret', batchSize: 500, concurrency: 2, report, source: 'data/2018-19_en.1.json' };
  const failure = await runImport('season', text, run).then(
    () => null,
    (reason: unknown) => String(reason),
  );
  const counts = report
    .summary()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
  return { failure, report, counts: Object.fromEntries(counts.map(([kind, ...cells]) => [kind, cells.map(Number)])) };
}

const usedUp = {
  status: 429,
  headers: { 'retry-after': '40000' },
  body: { code: 'quota_exceeded', detail: 'The day is used up.' },
};

test('collections follow each other with the ids of those before, and the season is finished at the end', async () => {
  await using server = await startBatchServer();
  const { failure, report } = await importing(server);
  expect(failure).toBeNull();
  const seasonId = server.stored.get('/api/v1/competitions/seasons/batch english-premier-league/2018-19')?.id;
  expect(server.calls.map(({ path, items }) => [path, items.length])).toEqual([
    ['/api/v1/organizations/batch', 3],
    ['/api/v1/organizations/teams/batch', 3],
    ['/api/v1/competitions/batch', 1],
    ['/api/v1/competitions/seasons/batch', 1],
    [`/api/v1/competitions/seasons/${seasonId}/stages/batch`, 1],
    [`/api/v1/competitions/seasons/${seasonId}/participants/batch`, 3],
    ['/api/v1/competitions/matches/batch', 3],
  ]);
  expect([...server.finished]).toEqual([seasonId]);
  // The key's scopes, whether competition and season exist, seven batches, the read of the season's status, and its end.
  expect(report.cost()).toMatch(/^12 calls in /);
});

test('an import that stopped in the middle is resumed, and finishes the season once', async () => {
  let isUsedUp = true;
  await using server = await startBatchServer((_, count) => (isUsedUp && count > 5 ? usedUp : undefined));
  const first = await importing(server);
  expect(first.failure).toContain('The day is used up.');
  expect(first.counts).not.toHaveProperty('matches');
  expect(server.finished.size).toBe(0);
  isUsedUp = false;
  const second = await importing(server);
  expect(second.counts).toMatchObject({
    organizations: [3, 0, 0, 3, 0],
    participants: [3, 3, 0, 0, 0],
    matches: [3, 3, 0, 0, 0],
  });
  expect(server.finished.size).toBe(1);
  const third = await importing(server);
  expect(third.counts).toMatchObject({ participants: [3, 0, 0, 3, 0], matches: [3, 0, 0, 3, 0] });
  expect(third.report.cost()).toMatch(/^11 calls in /);
});

test('rows that refer to a rejected row are rejected with its reason, and the season stays open', async () => {
  const errors = [{ pointer: '/items/0/name', code: 'taken', detail: 'is taken' }];
  await using server = await startBatchServer(({ path, items }) =>
    path.endsWith('/teams/batch') && items.length === 3
      ? { status: 422, body: { code: 'validation_failed', detail: 'Invalid items', errors } }
      : undefined,
  );
  const { failure, counts, report } = await importing(server);
  expect(failure).toBeNull();
  expect(counts).toMatchObject({ teams: [3, 2, 0, 0, 1], participants: [3, 2, 0, 0, 1], matches: [3, 1, 0, 0, 2] });
  expect(report.rejections(9)).toContain('participants: english-premier-league/2018-19/eng/a was not written');
  expect(server.finished.size).toBe(0);
});
