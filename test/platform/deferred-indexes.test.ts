/** Bulk loads without indexes: afterwards the tables have all indexes again, or nothing has changed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { deferIndexes } from '../../platform/database/deferred-indexes.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';

let database: ClonedDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await cloneDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl, options: '-c search_path=athletes,platform' });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const tables = ['athlete', 'athlete_sport', 'external_id', 'statistics', 'statistic_metric', 'membership'];

async function definitions(): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(`
    select indexdef as text from pg_indexes where schemaname = 'athletes'
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) from pg_constraint
      where connamespace = 'athletes'::regnamespace order by 1`);
  return rows.map(({ text }) => text);
}

const membership = 'insert into membership (id, version, athlete_id, status, type) values ($1, 1, $1, $2, $2)';
const id = '00000000-0000-4000-8000-000000000001';

test('all indexes and constraints are recreated and apply to the loaded rows', async () => {
  const before = await definitions();
  await client.query('begin');
  const recreate = await deferIndexes(client, tables);
  const during = await definitions();
  await client.query(membership, [id, 'ACTIVE']);
  await recreate();
  await client.query('commit');
  expect(await definitions()).toEqual(before);
  // includes the foreign keys of consents and the access log, which refer to athletes
  expect(during.filter((text) => /foreign key/i.test(text) && !/migration|idempotency/.test(text))).toEqual([]);
  expect(before.length - during.length).toBeGreaterThan(50);
  await expect(client.query(membership, [id, 'ACTIVE'])).rejects.toMatchObject({ code: '23505' });
});

test('rows that violate a constraint fail when it is recreated and are rolled back', async () => {
  const before = await definitions();
  await client.query('begin');
  const recreate = await deferIndexes(client, tables);
  await client.query(membership, [id, 'ENDED']);
  await expect(recreate()).rejects.toMatchObject({ code: '23505' });
  await client.query('rollback');
  expect(await definitions()).toEqual(before);
  expect((await client.query('select status from membership')).rows).toEqual([{ status: 'ACTIVE' }]);
});
