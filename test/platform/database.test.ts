/** Faults of statements as callers are told them: without a word of SQL. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { isUnavailable, openDatabase, sql, type Database, type Queryable } from '../../platform/database/database.ts';
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
    onDataError: (error, statement) => faults.push([error, statement]),
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

test('a connection that is ended in the moment it is handed out is a fault of its transaction, and ends no process', async () => {
  // AuthenticationOk, ReadyForQuery and the end of the session, as one piece: PostgreSQL is stopped while a connection opens
  const fatal = Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const length = Buffer.alloc(4);
  length.writeInt32BE(fatal.length + 4);
  const ready = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  const piece = Buffer.concat([ready, Buffer.from('E'), length, fatal]);
  const server = createServer((socket) => socket.once('data', () => socket.end(piece))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stopped = openDatabase({ url: `postgres://nobody@127.0.0.1:${port}/none`, name: 'test-stopped' });
  const unavailable = { code: 'upstream_unavailable' };
  await expect(stopped.transaction((transaction) => transaction.query(sql`select 1`))).rejects.toMatchObject(unavailable);
  await expect(stopped.query(sql`select 1`)).rejects.toMatchObject(unavailable);
  await stopped.close();
  server.close();
});

test('a connection that says nothing any more is given up, and the next statement has another', async () => {
  let connections = 0;
  const ready = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  const server = createServer((socket) => {
    connections += 1;
    socket.once('data', () => socket.write(ready));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const silent = openDatabase({
    url: `postgres://nobody@127.0.0.1:${port}/none`,
    name: 'test-silent',
    poolSize: 1,
    queryTimeoutMs: 50,
  });
  for (const count of [1, 2]) {
    await expect(silent.query(sql`select 1`)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(connections).toBe(count);
  }
  server.close();
});

test('a fault of a socket is the absence of the database, whatever realm it was made in', () => {
  const faults = runInNewContext(`[
    Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    new Error('Connection terminated unexpectedly'), new Error('relation does not exist'),
  ]`) as unknown[];
  expect(faults.map(isUnavailable)).toEqual([true, true, true, false]);
  expect([null, undefined, 'EPIPE'].map(isUnavailable)).toEqual([false, false, false]);
});
