/** Faults of statements as callers are told them: without a word of SQL. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database, type Queryable } from '../../platform/database.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';

let clone: ClonedDatabase;
let database: Database;
let faults: [unknown, string][];
beforeAll(async () => {
  clone = await cloneDatabase();
  database = openDatabase({
    url: clone.ownerUrl,
    name: 'test-database',
    poolSize: 1,
    onDataFault: (error, statement) => faults.push([error, statement]),
  });
});
beforeEach(() => {
  faults = [];
});
afterAll(async () => {
  await database.close();
  await clone.drop();
});

test.each([
  ['a day of no calendar', sql`/* test.day */ select ${'0000-01-01'}::date`],
  ['an instant that ends the calendar', sql`/* test.instant */ select ${'294277-01-01T00:00:00Z'}::timestamptz`],
  ['a number that is too large', sql`/* test.number */ select ${'99999999999'}::numeric::int`],
  ['a text with NUL', sql`/* test.text */ select ${'a\0b'}::text`],
])('%s is validation_failed, on the pool and inside a transaction, and is told to the log', async (_, statement) => {
  const refused = (queryable: Queryable) =>
    expect(queryable.query(statement)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.not.stringMatching(/select|syntax|out of range|test\./i),
    });
  await refused(database);
  await database.transaction((transaction) => refused(transaction)).catch(() => undefined);
  expect(faults.map(([, text]) => text)).toEqual([statement.text, statement.text]);
  // the connection is whole: it serves the next
  expect(await database.query(sql`/* test.next */ select 1 as one`)).toEqual([{ one: 1 }]);
});

test('a fault of ours stays one', async () => {
  await expect(database.query(sql`/* test.fault */ select * from nowhere`)).rejects.toMatchObject({ code: '42P01' });
  expect(faults).toEqual([]);
});
