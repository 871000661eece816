/** A client that disconnects: PostgreSQL cancels its statements, and its writes are rolled back. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, wirings, type TestPlatform } from '../../test-platform.ts';

const club = JSON.stringify({ type: 'CLUB', name: 'Left', country: 'DE', sports: ['FOOTBALL'] });
const json = { 'content-type': 'application/json' };

describe.each(wirings)('in %s', (wiring) => {
  let platform: TestPlatform;
  let owner: Client & { readonly key: string };
  let observer: pg.Client;
  let holder: pg.Client;
  beforeAll(async () => {
    platform = await openTestPlatform({ isolated: true, wiring });
    owner = await platform.account({ account: 'Leaving' });
    expect((await owner.get('/organizations')).status).toBe(200);
    observer = new pg.Client({ connectionString: platform.database.ownerUrl });
    await observer.connect();
  });
  afterAll(async () => {
    await observer.end();
    await platform.close();
  });
  // while the table is locked, requests wait for it
  beforeEach(async () => {
    holder = new pg.Client({ connectionString: platform.database.ownerUrl });
    await holder.connect();
    await holder.query('begin; lock table organizations.organization in access exclusive mode');
  });
  afterEach(() => holder.end());

  /** The running statements of the area, which wait for the lock. */
  async function waiting(): Promise<number> {
    const { rows } = await observer.query<{ count: number }>(
      "select count(*)::int as count from pg_stat_activity where application_name = 'organizations' and datname = current_database() and state <> 'idle'",
    );
    return rows[0]?.count ?? 0;
  }

  /** Sends a request, disconnects once PostgreSQL runs its statement, and waits until no statement or transaction is left. */
  async function leaveOnce(send: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const controller = new AbortController();
    const sent = send(controller.signal).catch((error: unknown) => error);
    await eventually(async () => expect(await waiting()).toBe(1));
    controller.abort();
    await sent;
    // the lock is still held: without a cancellation, the statement would wait for it until its own limit of 4 s
    await eventually(async () => expect(await waiting()).toBe(0), 3_500);
  }

  /** Leaves up to three times, because a statement can reach its limit before it is canceled on a busy machine. */
  async function leave(send: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    for (let attempt = 1; attempt < 3; attempt += 1) {
      const failure = await leaveOnce(send).catch((error: unknown) => error);
      if (failure === undefined) return;
      await eventually(async () => expect(await waiting()).toBe(0), 60_000);
    }
    await leaveOnce(send);
  }

  test('a read over REST', () => leave((signal) => owner.send('/organizations', { signal })));

  test('a query over GraphQL', () =>
    leave((signal) => {
      const headers = { ...json, 'x-api-key': owner.key };
      const body = JSON.stringify({ query: '{ organizations { nodes { id } } }' });
      return fetch(`${platform.graphqlUrl}/graphql`, { method: 'POST', headers, body, signal });
    }));

  test('a write is rolled back, and can be repeated', async () => {
    const init = { method: 'POST', headers: { ...json, 'idempotency-key': 'left' }, body: club };
    await leave((signal) => owner.send('/organizations', { ...init, signal }));
    await holder.query('rollback');
    expect((await owner.get('/organizations?mine=true')).body.data).toEqual([]);
    const repeated = await owner.send('/organizations', init);
    expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });
});
