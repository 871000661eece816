/** Statements over the time limit are canceled and reported as upstream_timeout. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import type { ApiResponse, Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform({ isolated: true });
  owner = await platform.account({ account: 'Patient' });
});
afterAll(() => platform.close());

/** Locks the organizations, starts the request, and cancels the waiting statement like statement_timeout. */
async function canceledDuring(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const [holder, ender] = [0, 1].map(() => new pg.Client({ connectionString: platform.database.ownerUrl })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([holder.connect(), ender.connect()]);
  try {
    await holder.query('begin');
    await holder.query('lock table organizations.organization in access exclusive mode');
    const response = send();
    await eventually(async () => {
      const { rowCount } = await ender.query(
        "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rowCount).toBeGreaterThan(0);
    });
    return await response;
  } finally {
    await Promise.all([holder.end(), ender.end()]);
  }
}

test('a read is 504 upstream_timeout over REST, and an error with its path over GraphQL', async () => {
  const { status, body } = await canceledDuring(() => owner.get('/organizations'));
  expect({ status, code: body.code }).toEqual({ status: 504, code: 'upstream_timeout' });
  expect(JSON.stringify(body)).not.toMatch(/select |statement timeout|57014/);
  const graph = await canceledDuring(() => owner.graphql('{ organizations { nodes { id } } }'));
  expect(graph.body.errors[0]).toMatchObject({ extensions: { code: 'upstream_timeout' }, path: ['organizations'] });
});

test('a write is 504 and writes nothing; a retry succeeds', async () => {
  const club = { type: 'CLUB', name: 'Patience', country: 'DE', sports: ['FOOTBALL'] };
  const write = () => owner.post('/organizations', club, { 'idempotency-key': 'patience' });
  expect((await canceledDuring(write)).body.code).toBe('upstream_timeout');
  expect((await owner.get('/organizations?mine=true')).body.data).toEqual([]);
  expect((await write()).status).toBe(201);
});

test('a pool cancels its statements after the timeout', async () => {
  const database = openDatabase({ url: platform.database.urlAs('talent_router'), name: 'short-timeout', statementTimeoutMs: 50 });
  await expect(database.query(sql`/* sleep */ select pg_sleep(5)`)).rejects.toMatchObject({ code: 'upstream_timeout' });
  await database.close();
});
