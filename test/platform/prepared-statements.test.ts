/** Prepared statements, as PostgreSQL lists them for a connection. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, raw, sql, type Database } from '../../platform/database/database.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';

let clone: ClonedDatabase;
let database: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  database = openDatabase({ url: clone.ownerUrl, name: 'test-prepared', poolSize: 1 });
});
afterAll(async () => {
  await database.close();
  await clone.drop();
});

/** The prepared texts of the connection; its own text is unlike any other, so that it is not prepared. */
async function prepared(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ statement: string }>('select statement from pg_prepared_statements');
  return rows.map(({ statement }) => statement);
}

const processId = async (): Promise<unknown> => (await database.pool.query('select pg_backend_pid()')).rows[0];

test('a text is prepared when it runs the second time, with its name in the text', async () => {
  const add = (a: number, b: number) => sql`/* test.add */ select ${a}::int + ${b}::int as sum`;
  expect(await database.query(add(1, 2))).toEqual([{ sum: 3 }]);
  expect(await prepared()).toEqual([]);
  expect(await database.query(add(3, 4))).toEqual([{ sum: 7 }]);
  expect(await database.transaction((transaction) => transaction.query(add(5, 6)))).toEqual([{ sum: 11 }]);
  expect(await prepared()).toEqual(['select /* test.add */ $1::int + $2::int as sum']);
});

test('several commands in a text are not prepared', async () => {
  for (let count = 0; count < 3; count++) await database.query(sql`/* test.commands */ select 1; select 2`);
});

test('the text of a page and one with a list of values are not prepared', async () => {
  const before = await prepared();
  for (let count = 1; count < 5; count++) {
    await database.query(sql`/* test.page */ select 1 as one from pg_class limit ${count}`);
    await database.query(sql`/* test.values */ select value from unnest(${[count]}::int[]) as value`);
  }
  expect(await prepared()).toEqual(before);
});

test('a failed statement stays usable, on the pool and inside a transaction', async () => {
  const divide = (by: number) => sql`/* test.divide */ select 6 / ${by}::int as result`;
  for (const by of [2, 0, 3, 0]) {
    const result = database.query(divide(by));
    await (by === 0
      ? expect(result).rejects.toMatchObject({ code: 'validation_failed' })
      : expect(result).resolves.toEqual([{ result: 6 / by }]));
  }
  await expect(database.transaction((transaction) => transaction.query(divide(0)))).rejects.toMatchObject({
    code: 'validation_failed',
  });
  expect(await database.query(divide(6))).toEqual([{ result: 1 }]);
});

test('after a migration changed the columns of a prepared statement, one request is told to retry and the next one succeeds', async () => {
  await database.pool.query('create table changing (a int)');
  const read = sql`/* test.changing */ select * from changing where a > ${0}`;
  for (let count = 0; count < 3; count++) await database.query(read);
  await database.pool.query('alter table changing add column b int; insert into changing values (1, 2)');
  await expect(database.query(read)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  expect(await database.query(read)).toEqual([{ a: 1, b: 2 }]);
});

test('a connection with many prepared statements is replaced', async () => {
  const before = await processId();
  for (let index = 0; index < 600; index++) {
    const statement = sql`/* test.many */ select ${index}::int as ${raw(`n${index}`)}`;
    await database.query(statement);
    await database.query(statement);
  }
  expect(await processId()).not.toEqual(before);
  expect((await prepared()).length).toBeLessThan(500);
});
