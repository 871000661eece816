/** Concurrent writes need one connection each, and do not block other requests. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createMember } from '../organizations/clubs.ts';

let platform: TestPlatform;
let owner: Client;
let player: Client;
let lock: pg.Client;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Owner' });
  player = await platform.account({ account: 'Player' });
  lock = new pg.Client({ connectionString: platform.database.ownerUrl });
  await lock.connect();
});
afterAll(async () => {
  await lock.end();
  await platform.close();
});

/** Waits until a number of connections are blocked in a statement by `lock`. */
const waiting = (statement: string, count = 1): Promise<void> =>
  eventually(async () => {
    // Within a transaction, PostgreSQL caches the activity at its first read.
    await lock.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await lock.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1",
      [`%/* ${statement} */%`],
    );
    expect(rowCount).toBe(count);
  });

test('more memberships than connections can be confirmed concurrently', async () => {
  const club = await createClub(owner);
  const memberships: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    const { id } = await createAdult(player);
    memberships.push((await createMember(player, club.id, id)).id);
  }
  await lock.query('begin');
  await lock.query('select from organizations.membership where id = any($1) for update', [memberships]);
  const confirmed = Promise.all(memberships.map((id) => owner.post(`/organizations/memberships/${id}/confirm`)));
  // All connections are in use. A request that needs another one would fail after 5 s.
  await waiting('membership.lock', 10);
  await lock.query('commit');
  expect((await confirmed).map(({ status }) => status)).toEqual(memberships.map(() => 200));
  expect((await platform.anonymous.get('/organizations')).status).toBe(200);
});

test('a membership cannot be confirmed during the suspension of its organization', async () => {
  const moderator = await platform.account({ account: 'Moderator', scopes: ['moderation:write'] });
  const club = await createClub(owner);
  const { id: athleteId } = await createAdult(player);
  const { id } = await createMember(player, club.id, athleteId);
  await lock.query('begin');
  await lock.query('lock organizations.history in share mode');
  const suspended = moderator.post(`/organizations/${club.id}/suspend`, { reason: 'Reported' });
  await waiting('write.flush');
  const confirmed = owner.post(`/organizations/memberships/${id}/confirm`);
  // Long enough for a confirmation without a lock to read the committed data.
  await Promise.race([waiting('memberships.lockOrganization'), setTimeout(1_000)]);
  await lock.query('commit');
  expect(await suspended).toMatchObject({ status: 200, body: { status: 'SUSPENDED' } });
  expect(await confirmed).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
});

test('a statement on the pool inside one of its transactions is rejected, even with free connections', async () => {
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test' });
  const one = sql`/* one */ select 1 as one`;
  try {
    await expect(database.transaction(() => database.query(one))).rejects.toThrow(/inside a transaction/);
    await expect(database.transaction(() => database.transaction((inner) => inner.query(one)))).rejects.toThrow(
      /inside a transaction/,
    );
    expect(await database.transaction((transaction) => transaction.query(one))).toEqual([{ one: 1 }]);
    expect(await database.query(one)).toEqual([{ one: 1 }]);
  } finally {
    await database.close();
  }
});
