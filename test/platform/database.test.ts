/** Statement errors as callers receive them: without SQL. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database, type Queryable } from '../../platform/database/database.ts';
import { isUnavailable } from '../../platform/database/database-error.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';

let clone: ClonedDatabase;
let database: Database;
let failures: [unknown, string][];
beforeAll(async () => {
  clone = await cloneDatabase();
  database = openDatabase({
    url: clone.ownerUrl,
    name: 'test-database',
    poolSize: 1,
    onFailure: (error, statement) => failures.push([error, statement]),
  });
});
beforeEach(() => {
  failures = [];
});
afterAll(async () => {
  await database.close();
  await clone.drop();
});

test.each([
  ['an invalid date', sql`/* test.day */ select ${'0000-01-01'}::date`],
  ['an instant out of range', sql`/* test.instant */ select ${'294277-01-01T00:00:00Z'}::timestamptz`],
  ['a number out of range', sql`/* test.number */ select ${'99999999999'}::numeric::int`],
  ['a text with a NUL character', sql`/* test.text */ select ${'a\0b'}::text`],
])('%s is validation_failed, on the pool and inside a transaction, and is logged', async (_, statement) => {
  const expectRejection = (queryable: Queryable) =>
    expect(queryable.query(statement)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.not.stringMatching(/select|syntax|out of range|test\./i),
    });
  await expectRejection(database);
  await database.transaction((transaction) => expectRejection(transaction)).catch(() => undefined);
  expect(failures.map(([, text]) => text)).toEqual([statement.text, statement.text]);
  // the connection is still usable
  expect(await database.query(sql`/* test.next */ select 1 as one`)).toEqual([{ one: 1 }]);
});

test('a programming error is not translated', async () => {
  await expect(database.query(sql`/* test.fault */ select * from nowhere`)).rejects.toMatchObject({ code: '42P01' });
  expect(failures).toEqual([]);
});

test('a transaction that ignores the error of a statement is not reported as committed', async () => {
  const transaction = database.transaction(async (own) => {
    await own.query(sql`/* test.division */ select 1 / 0`).catch(() => undefined);
    return 'stored';
  });
  await expect(transaction).rejects.toThrow('was rolled back');
});

test('a connection that closes while it is handed out fails its transaction, not the process', async () => {
  // AuthenticationOk, ReadyForQuery and the end of the session in one packet: PostgreSQL stops while a connection opens
  const fatal = Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const length = Buffer.alloc(4);
  length.writeInt32BE(fatal.length + 4);
  const ready = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  const packet = Buffer.concat([ready, Buffer.from('E'), length, fatal]);
  const server = createServer((socket) => socket.once('data', () => socket.end(packet))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stopped = openDatabase({ url: `postgres://unknown@127.0.0.1:${port}/none`, name: 'test-stopped' });
  const unavailable = { code: 'upstream_unavailable' };
  await expect(stopped.transaction((transaction) => transaction.query(sql`select 1`))).rejects.toMatchObject(unavailable);
  await expect(stopped.query(sql`select 1`)).rejects.toMatchObject(unavailable);
  await stopped.close();
  server.close();
});

test('a connection without responses is closed, and the next statement uses another one', async () => {
  let connections = 0;
  const ready = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  const server = createServer((socket) => {
    connections += 1;
    socket.once('data', () => socket.write(ready));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const silent = openDatabase({
    url: `postgres://unknown@127.0.0.1:${port}/none`,
    name: 'test-silent',
    poolSize: 1,
    statementTimeoutMs: 50,
  });
  for (const count of [1, 2]) {
    await expect(silent.query(sql`select 1`)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(connections).toBe(count);
  }
  server.close();
});

test('socket errors of every realm mean that the database is unavailable', () => {
  const errors = runInNewContext(`[
    Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    new Error('Connection terminated unexpectedly'), new Error('relation does not exist'),
  ]`) as unknown[];
  expect(errors.map(isUnavailable)).toEqual([true, true, true, false]);
  expect([null, undefined, 'EPIPE'].map(isUnavailable)).toEqual([false, false, false]);
});
