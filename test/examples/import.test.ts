/** The importer against a server that implements the batch contract and fails in different ways. */
import { describe, expect, test } from '@jest/globals';
import { openReport } from '../../examples/import/report.ts';
import { runImport } from '../../examples/import/run.ts';
import { startBatchServer, type BatchServer } from './batch-server.ts';

const header = 'name,country_file,founded,stadium,city,aliases';
const clubs = (count: number, ...more: string[]) =>
  [header, ...Array.from({ length: count }, (_, index) => `FC ${index},de,,,,`), ...more].join('\n');

async function importing(
  server: BatchServer,
  source: string,
  text: string,
  more: { patienceMs?: number; batchSize?: number; timeoutMs?: number } = {},
) {
  const report = openReport();
  const failure = await runImport(source, text, {
    url: server.url,
    key: 'secret',
    batchSize: 10,
    concurrency: 2,
    report,
    ...more,
  }).then(
    () => null,
    (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
  );
  return { report, failure, counts: report.summary().split('\n').at(-1)?.trim().split(/\s+/).slice(1).map(Number) };
}

describe('import', () => {
  test('a second import changes nothing', async () => {
    await using server = await startBatchServer();
    expect((await importing(server, 'clubs', clubs(95))).counts).toEqual([95, 95, 0, 0, 0]);
    expect((await importing(server, 'clubs', clubs(95))).counts).toEqual([95, 0, 0, 95, 0]);
    expect(server.stored.size).toBe(95);
    expect(server.calls).toHaveLength(20);
    expect(server.calls[0]).toMatchObject({ path: '/api/v1/organizations/batch', key: 'secret' });
  });

  test('squads are written as teams, athletes and memberships that name their ids', async () => {
    await using server = await startBatchServer();
    const player = (number: number) => ({ number, pos: 'MF', name: `Player ${number}`, date_of_birth: '1999-01-31' });
    const squads = ['GER', 'SCO'].map((code) => ({ name: code, fifa_code: code, players: [player(1), player(2)] }));
    const { failure, report } = await importing(server, 'squads', JSON.stringify(squads));
    expect(failure).toBeNull();
    expect(report.rejections(9)).toBe('');
    expect(server.calls.map(({ path, items }) => [path, items.length])).toEqual([
      ['/api/v1/organizations/teams/batch', 2],
      ['/api/v1/athletes/batch', 4],
      ['/api/v1/organizations/memberships/batch', 4],
    ]);
    const athlete = server.stored.get('/api/v1/athletes/batch world-cup/sco/player-2');
    const team = server.stored.get('/api/v1/organizations/teams/batch world-cup/sco');
    const membership = server.stored.get('/api/v1/organizations/memberships/batch world-cup/sco/player-2');
    expect(membership?.item).toMatchObject({ personId: athlete?.id, teamId: team?.id });
  });

  test('a rejected row is reported by line, and the other rows are written', async () => {
    await using server = await startBatchServer();
    const { counts, report, failure } = await importing(server, 'clubs', clubs(3, 'FC Utopia,de,,,Nowhere,'));
    expect(failure).toBeNull();
    expect(counts).toEqual([4, 3, 0, 0, 1]);
    expect(JSON.parse(report.jsonLines())).toEqual({
      kind: 'organizations',
      place: 'line 5',
      label: 'FC Utopia',
      reasons: ['conflict: No such city'],
    });
  });

  test('a batch with malformed items is sent again without them', async () => {
    const errors = [{ pointer: '/items/1/name', code: 'too_long', detail: 'is too long' }];
    const rejection = { status: 422, body: { code: 'validation_failed', detail: 'Invalid items', errors } };
    await using server = await startBatchServer((_, count) => (count === 1 ? rejection : undefined));
    const { counts, report } = await importing(server, 'clubs', clubs(4));
    expect(counts).toEqual([4, 3, 0, 0, 1]);
    expect(report.rejections(9)).toContain('line 3: FC 1: /name: is too long');
  });

  test('a batch too large for the server is halved', async () => {
    await using server = await startBatchServer(({ items }) => (items.length > 3 ? { status: 413 } : undefined));
    expect((await importing(server, 'clubs', clubs(10))).counts).toEqual([10, 10, 0, 0, 0]);
  });
});

describe('failures', () => {
  test('a lost response is retried with the same idempotency key, and nothing is written twice', async () => {
    await using server = await startBatchServer((_, count) => (count === 1 ? 'lose' : count === 2 ? 'drop' : undefined));
    expect((await importing(server, 'clubs', clubs(5))).counts).toEqual([5, 5, 0, 0, 0]);
    expect(new Set(server.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(server.stored.size).toBe(5);
  });

  test('the import waits for a killed server to restart', async () => {
    const restarts: Promise<void>[] = [];
    await using server: BatchServer = await startBatchServer((_, count) => {
      if (count === 3) restarts.push(server.kill().then(() => server.restart()));
      return count === 3 ? 'lose' : undefined;
    });
    const { counts, failure } = await importing(server, 'clubs', clubs(80));
    await Promise.all(restarts);
    expect(failure).toBeNull();
    expect(counts?.[0]).toBe(80);
    expect(server.stored.size).toBe(80);
  });

  test.each([
    [503, 'upstream_unavailable'],
    [504, 'upstream_timeout'],
    [409, 'idempotency_in_progress'],
  ])('%i %s is tried again', async (status, code) => {
    await using server = await startBatchServer((_, count) =>
      count === 1 ? { status, body: { code, detail: 'Busy' } } : undefined,
    );
    const { counts, report } = await importing(server, 'clubs', clubs(5));
    expect(counts).toEqual([5, 5, 0, 0, 0]);
    expect(server.calls).toHaveLength(2);
    expect(report.cost()).toMatch(new RegExp(`, 1 repeated: ${code}$`));
  });

  test('the import waits for a burst limit as long as Retry-After requires', async () => {
    const limited = { status: 429, headers: { 'retry-after': '1' }, body: { code: 'rate_limited', detail: 'Slow down' } };
    await using server = await startBatchServer((_, count) => (count === 1 ? limited : undefined));
    const start = performance.now();
    expect((await importing(server, 'clubs', clubs(5), { patienceMs: 10 })).counts).toEqual([5, 5, 0, 0, 0]);
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
  });

  test('an exhausted daily quota stops the import at once, and a later run finishes it', async () => {
    const used = {
      status: 429,
      headers: { 'retry-after': '40000' },
      body: { code: 'quota_exceeded', detail: 'The day is used up.' },
    };
    let isUsedUp = true;
    await using server = await startBatchServer((_, count) => (isUsedUp && count > 2 ? used : undefined));
    const first = await importing(server, 'clubs', clubs(60));
    expect(first.failure).toContain('429 quota_exceeded: The day is used up.');
    expect(first.counts).toEqual([20, 20, 0, 0, 0]);
    isUsedUp = false;
    expect((await importing(server, 'clubs', clubs(60))).counts).toEqual([60, 40, 0, 20, 0]);
  });

  test.each([
    [401, 'api_key_revoked', 'valid API key'],
    [403, 'insufficient_scope', 'organizations:write'],
    [404, 'not_found', '--url'],
  ])('%i %s stops the import and says what to do', async (status, code, advice) => {
    await using server = await startBatchServer(() => ({ status, body: { code, detail: 'No.' } }));
    const { failure } = await importing(server, 'clubs', clubs(95));
    expect(failure).toContain(`${status} ${code}: No.`);
    expect(failure).toContain(advice);
    expect(server.calls.length).toBeLessThanOrEqual(2);
  });

  test('the import fails when the server stays down too long', async () => {
    await using server = await startBatchServer();
    await server.kill();
    expect((await importing(server, 'clubs', clubs(1), { patienceMs: 600 })).failure).toMatch(/ECONNREFUSED/);
  });

  test('a response without a result for every row is an error', async () => {
    await using server = await startBatchServer(() => ({ status: 200, body: { data: [] } }));
    expect((await importing(server, 'clubs', clubs(1))).failure).toContain('says nothing about line 2');
  });
});
