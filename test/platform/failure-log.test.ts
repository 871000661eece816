/** The log names the cause of failed statements, which callers do not receive. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { openDatabase, sql } from '../../platform/database/database.ts';
import { logFailures } from '../../platform/database/failure-log.ts';
import { areaRole } from '../../platform/database/roles.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';

let clone: ClonedDatabase;
beforeAll(async () => {
  clone = await cloneDatabase();
});
afterAll(() => clone.drop());

interface Line {
  readonly err: { readonly code: string; readonly message: string };
  readonly statement: string;
  readonly failures?: number;
}

function logged(nowMs?: () => number, level = 'info') {
  const lines: Line[] = [];
  const log = pino({ level }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  return { lines, onFailure: logFailures(log, nowMs) };
}

test('an invalid ID of a caller is not logged as an error; other rejected values are', async () => {
  const [normal, debug] = [logged(), logged(undefined, 'debug')];
  const onFailure = (error: unknown, statement: string): void => {
    normal.onFailure(error, statement);
    debug.onFailure(error, statement);
  };
  const database = openDatabase({ url: clone.urlAs(areaRole('scouting')), name: 'test-ids', onFailure });
  try {
    const ids = ['abc'];
    await expect(database.query(sql`/* test.ids */ select ${ids}::uuid[]`)).rejects.toMatchObject({ code: 'parameter_invalid' });
    expect(normal.lines).toEqual([]);
    expect(debug.lines).toMatchObject([{ level: 20, msg: 'invalid ID', err: { code: '22P02' } }]);
    await expect(database.query(sql`/* test.number */ select ${'abc'}::int`)).rejects.toBeDefined();
    await expect(database.query(sql`/* test.date */ select ${'0000-01-01'}::date`)).rejects.toBeDefined();
    expect(normal.lines.map(({ err }) => err.code)).toEqual(['22P02', '22008']);
  } finally {
    await database.close();
  }
});

test('a database without free connections is named as the cause', async () => {
  const owner = new pg.Client({ connectionString: clone.ownerUrl });
  await owner.connect();
  await owner.query(`alter database ${new URL(clone.ownerUrl).pathname.slice(1)} connection limit 0`);
  const { lines, onFailure } = logged();
  const full = openDatabase({ url: clone.urlAs(areaRole('organizations')), name: 'test-full', onFailure });
  try {
    await expect(full.query(sql`/* test.full */ select 1`)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'database unavailable',
        statement: 'connect',
        failures: 1,
        err: expect.objectContaining({ code: '53300' }),
      }),
    ]);
  } finally {
    await full.close();
    await owner.end();
  }
});

test('an outage is logged once a second with the number of failures; a rejected value always', () => {
  let nowMs = 0;
  const { lines, onFailure } = logged(() => nowMs);
  const outage = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const rejected = Object.assign(new Error('date out of range'), { code: '22008' });
  for (nowMs of [0, 10, 20, 999, 1_000]) onFailure(outage, 'select 1');
  onFailure(rejected, 'select 2');
  onFailure(rejected, 'select 2');
  expect(lines.map(({ statement, failures }) => [statement, failures])).toEqual([
    ['select 1', 1],
    ['select 1', 4],
    ['select 2', undefined],
    ['select 2', undefined],
  ]);
});
