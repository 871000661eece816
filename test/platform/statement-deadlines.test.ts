/** Statements whose response does not arrive, and statements of a request that ends. */
import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../platform/database/database.ts';
import { bindStatements } from '../../platform/database/statement-scope.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';

let clone: ClonedDatabase;
let direct: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  direct = openDatabase({ url: clone.ownerUrl, name: 'test-direct', poolSize: 2 });
  await direct.query(sql`/* test.table */ create table written (name text)`);
});
afterAll(async () => {
  await direct.close();
  await clone.drop();
});

/** A proxy in front of PostgreSQL that loses every response after a commit was sent. */
async function openLossyProxy(): Promise<{ url: string; server: Server }> {
  const { hostname, port } = new URL(clone.ownerUrl);
  const server = createServer((client) => {
    const upstream = createConnection({ host: hostname, port: Number(port) });
    let isLost = false;
    client.on('data', (bytes) => {
      isLost ||= bytes.includes('commit\0');
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => (isLost ? undefined : client.write(bytes)));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(clone.ownerUrl);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, server };
}

const insert = (name: string) => sql`/* test.insert */ insert into written values (${name})`;
const written = () => direct.query<{ name: string }>(sql`/* test.written */ select name from written order by name`);

test('a commit without a response is upstream_timeout, because the transaction may have been committed', async () => {
  const { url, server } = await openLossyProxy();
  const lossy = openDatabase({ url, name: 'test-lossy', statementTimeoutMs: 100 });
  await expect(lossy.transaction((transaction) => transaction.query(insert('lost response')))).rejects.toMatchObject({
    code: 'upstream_timeout',
    message: expect.stringContaining('may have been stored'),
  });
  expect(await written()).toEqual([{ name: 'lost response' }]);
  expect(await lossy.query(sql`/* test.next */ select 1 as one`)).toEqual([{ one: 1 }]);
  await lossy.close();
  server.close();
});

test('a transaction can have its own statement timeout', async () => {
  const short = openDatabase({
    url: clone.ownerUrl,
    name: 'test-short',
    statementTimeoutMs: 50,
    transactionStatementTimeoutMs: 60_000,
  });
  const sleep = sql`/* test.sleep */ select pg_sleep(0.2)`;
  await expect(short.query(sleep)).rejects.toMatchObject({ code: 'upstream_timeout' });
  await short.transaction((transaction) => transaction.query(sleep));
  const own = short.transaction((transaction) => transaction.query(sleep), { statementTimeoutMs: 60 });
  await expect(own).rejects.toMatchObject({ code: 'upstream_timeout' });
  // the timeout of a transaction ends with it
  await expect(short.query(sleep)).rejects.toMatchObject({ code: 'upstream_timeout' });
  await short.close();
});

test('a response that arrived while the process was blocked is not a timeout', async () => {
  const short = openDatabase({ url: clone.ownerUrl, name: 'test-blocked', poolSize: 1, statementTimeoutMs: 50 });
  const select = sql`/* test.blocked */ select 1 as one`;
  await short.query(select);
  const response = short.query(select);
  await setImmediate();
  // longer than the limit of 550 ms
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);
  expect(await response).toEqual([{ one: 1 }]);
  await short.close();
});

test('the end of a request cancels its statements, rolls back its transaction and rejects further statements', async () => {
  const database = openDatabase({ url: clone.ownerUrl, name: 'test-ending', poolSize: 2 });
  const controller = new AbortController();
  const work = bindStatements(controller.signal, async () => {
    const writing = database.transaction(async (transaction) => {
      await transaction.query(insert('rolled back'));
      await transaction.query(sql`/* test.sleep */ select pg_sleep(600)`);
    });
    const reading = database.query(sql`/* test.sleep */ select pg_sleep(600)`);
    const outcomes = await Promise.allSettled([writing, reading]);
    return [...outcomes, ...(await Promise.allSettled([database.query(sql`/* test.later */ select 1`)]))];
  });
  const running = () =>
    direct.query(sql`/* test.running */ select from pg_stat_activity where application_name = 'test-ending' and state <> 'idle'`);
  await eventually(async () => expect(await running()).toHaveLength(2));
  controller.abort();
  const outcomes = await work;
  expect(outcomes).toHaveLength(3);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'upstream_timeout' } });
  expect(await running()).toEqual([]);
  expect(await written()).not.toContainEqual({ name: 'rolled back' });
  // the pool opens new connections for other requests
  expect(await Promise.all([1, 2, 3].map((one) => database.query(sql`/* test.next */ select ${one}::int as one`)))).toHaveLength(
    3,
  );
  await database.close();
});
