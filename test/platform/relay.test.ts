/** The relay: takeover, wake-up, order, dead letters, and areas restored to an earlier time, on a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase, sql, type Database } from '../../platform/database/database.ts';
import { areaRole, relayRole } from '../../platform/database/roles.ts';
import type { Consumer, RelayedEvent } from '../../platform/events/consumer.ts';
import { createRelayWakeUp } from '../../platform/events/outbox.ts';
import { leaseMs } from '../../platform/events/lease.ts';
import { createLeadership } from '../../platform/events/leadership.ts';
import { createRelay, type Relay } from '../../platform/events/relay.ts';
import { createLog } from '../../platform/log.ts';
import { createGraphCaller } from '../../schema/entry-point.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';

const log = createLog({ name: 'test', level: 'silent' });
let clone: ClonedDatabase;
let owner: pg.Client;
let athletes: Database;
let scouting: Database;
let statements = 0;
const opened: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  clone = await cloneDatabase();
  owner = new pg.Client({ connectionString: clone.ownerUrl });
  await owner.connect();
  athletes = openDatabase({ url: clone.urlAs(areaRole('athletes')), name: 'test-athletes', poolSize: 2 });
  scouting = openDatabase({ url: clone.urlAs(areaRole('scouting')), name: 'test-scouting', poolSize: 2 });
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  await owner.query('truncate athletes.outbox; truncate scouting.inbox, scouting.dead_letter');
});
afterAll(async () => {
  await Promise.all([athletes.close(), scouting.close(), owner.end()]);
  await clone.drop();
});

/** A relay with one consumer in scouting of the events of athletes. */
function openRelay(apply: Consumer['apply'], pollMs?: number): Relay {
  const url = clone.urlAs(relayRole);
  const onStatement = (): unknown => (statements += 1);
  const database = openDatabase({ url, name: 'test-relay', poolSize: 2, onStatement });
  const leadership = createLeadership({ url, areas: ['athletes'], log, onStatement });
  const relay = createRelay({
    leadership,
    database,
    areas: ['athletes'],
    consumers: [{ name: 'test', source: 'athletes', database: scouting, ...(apply && { apply }) }],
    graph: createGraphCaller(() => Promise.resolve({})),
    log,
    maintenanceMs: Infinity,
    ...(pollMs !== undefined && { pollMs }),
  });
  const close = async (): Promise<void> => {
    await relay.close();
    await leadership.close();
  };
  opened.push(async () => {
    await close();
    await database.close();
  });
  return { ...relay, close };
}

async function write(resourceId: string, version: number, notify = true): Promise<void> {
  await athletes.query(sql`/* test.write */
    insert into outbox (type, resource_type, resource_id, version) values ('athlete.updated', 'athlete', ${resourceId}, ${version})`);
  if (notify) createRelayWakeUp(athletes)();
}

const collect = (into: RelayedEvent[]) => (events: readonly RelayedEvent[]) => {
  into.push(...events);
  return Promise.resolve();
};

const deadLetters = async () =>
  (
    await owner.query<{ resourceId: string; error: string; attempts: number }>(
      'select resource_id as "resourceId", error, attempts from scouting.dead_letter order by position',
    )
  ).rows;

test('an idle relay sends one statement per second at most', async () => {
  const applied: RelayedEvent[] = [];
  openRelay(collect(applied));
  await write(randomUUID(), 1);
  await eventually(() => Promise.resolve(expect(applied).toHaveLength(1)));
  const [before, fromMs] = [statements, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(statements - before).toBeLessThanOrEqual(Math.ceil((performance.now() - fromMs) / 1_000));
});

test('a commit wakes up the relay', async () => {
  const applied: RelayedEvent[] = [];
  openRelay(collect(applied), 60_000); // the next poll is after the end of the test
  for (const count of [1, 2]) {
    await write(randomUUID(), 1);
    await eventually(() => Promise.resolve(expect(applied).toHaveLength(count)));
  }
});

test('an event whose notification was lost is delivered by the poll', async () => {
  const applied: RelayedEvent[] = [];
  openRelay(collect(applied), 100);
  await write(randomUUID(), 1, false);
  await eventually(() => Promise.resolve(expect(applied).toHaveLength(1)));
});

test('a relay that stops renewing its lease is replaced; a standby does nothing before', async () => {
  // as by a process that stopped right after a renewal
  const insert = `insert into athletes.relay_lease (holder, expires_at) values ($1, now() + $2 * interval '1 millisecond')`;
  await owner.query(insert, [randomUUID(), leaseMs]);
  const startedMs = performance.now();
  const applied: RelayedEvent[] = [];
  openRelay(collect(applied));
  await write(randomUUID(), 1);
  await eventually(() => Promise.resolve(expect(applied).toHaveLength(1)));
  expect(performance.now() - startedMs).toBeGreaterThan(2_000);
});

test('a relay that closes hands over at once', async () => {
  const first: RelayedEvent[] = [];
  const relay = openRelay(collect(first));
  await write(randomUUID(), 1);
  await eventually(() => Promise.resolve(expect(first).toHaveLength(1)));
  await relay.close();
  expect((await owner.query('select from athletes.relay_lease where expires_at > now()')).rowCount).toBe(0);
  const second: RelayedEvent[] = [];
  openRelay(collect(second));
  await write(randomUUID(), 1);
  await eventually(() => Promise.resolve(expect(second).toHaveLength(1)));
  expect(first).toHaveLength(1);
});

test('an event that fails becomes a dead letter, the events of other resources are applied, and a later event resolves it', async () => {
  const [poisoned, healthy] = [randomUUID(), randomUUID()];
  let isBroken = true;
  const applied: string[] = [];
  const relay = openRelay(async (events, transaction) => {
    for (const { resourceId, version } of events) {
      // a failed statement aborts the transaction
      if (isBroken && resourceId === poisoned) await transaction.query(sql`/* test.broken */ select 1 / 0`);
      applied.push(`${resourceId} ${version}`);
    }
  });
  await write(poisoned, 1);
  await write(healthy, 1);
  for (let attempt = 0; attempt < 4; attempt += 1) await relay.drain();
  expect(await deadLetters()).toEqual([{ resourceId: poisoned, error: 'validation_failed', attempts: 1 }]);
  expect(applied.at(-1)).toBe(`${healthy} 1`);
  isBroken = false;
  await write(poisoned, 2);
  await relay.drain();
  expect(applied.at(-1)).toBe(`${poisoned} 2`);
  expect(await deadLetters()).toEqual([]);
});

test('an operator can retry a dead letter', async () => {
  const resourceId = randomUUID();
  let isBroken = true;
  const applied: number[] = [];
  const relay = openRelay((events) => {
    if (isBroken) throw new TypeError('broken');
    applied.push(...events.map(({ version }) => version));
    return Promise.resolve();
  });
  await write(resourceId, 1);
  for (let attempt = 0; attempt < 4; attempt += 1) await relay.drain();
  expect(await deadLetters()).toEqual([{ resourceId, error: 'TypeError', attempts: 1 }]);
  const request = 'update scouting.dead_letter set retry = true';
  await owner.query(request);
  await relay.maintain();
  expect(await deadLetters()).toEqual([{ resourceId, error: 'TypeError', attempts: 2 }]);
  isBroken = false;
  await owner.query(request);
  await relay.maintain();
  expect(await deadLetters()).toEqual([]);
  expect(applied).toEqual([1]);
});

test('an unavailable dependency is no dead letter: the batch waits and is applied later', async () => {
  let isDown = true;
  const applied: RelayedEvent[] = [];
  const relay = openRelay((events) => {
    if (isDown) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    applied.push(...events);
    return Promise.resolve();
  });
  await write(randomUUID(), 1);
  for (let attempt = 0; attempt < 5; attempt += 1) await relay.drain();
  isDown = false;
  await relay.drain();
  expect(applied).toHaveLength(1);
  expect(await deadLetters()).toEqual([]);
});

test('an area that was restored to an earlier time loses no event, also with its consumers: they start again with the oldest', async () => {
  const applied: RelayedEvent[] = [];
  const first = openRelay(collect(applied));
  const [kept, lost, later] = [randomUUID(), randomUUID(), randomUUID()];
  await write(kept, 1);
  await first.drain();
  await write(lost, 1);
  await first.drain();
  await first.close();
  // the publishing area returns to the time between the events, and gives the same position to another event
  await owner.query('delete from athletes.outbox where resource_id = $1', [lost]);
  await write(later, 1);
  applied.length = 0;
  const second = openRelay(collect(applied));
  await second.drain();
  expect(applied.splice(0).map(({ resourceId }) => resourceId)).toEqual([kept, later]);
  // while the relay runs, both areas return to a time before the first event
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  const rows = ids.map((id) => `('athlete.updated', 'athlete', '${id}', 1)`).join(', ');
  await owner.query(`with emptied as (delete from athletes.outbox), restored as (delete from scouting.inbox)
    insert into athletes.outbox (type, resource_type, resource_id, version) values ${rows}`);
  await second.drain();
  expect(applied.map(({ resourceId }) => resourceId)).toEqual(ids);
});

test('events are applied in the order of versions per resource, and one that commits after later events is not skipped', async () => {
  const applied: string[] = [];
  const relay = openRelay((events) => {
    applied.push(...events.map(({ resourceId, version }) => `${resourceId} ${version}`));
    return Promise.resolve();
  });
  const [first, slow, fast] = [randomUUID(), randomUUID(), randomUUID()];
  await write(first, 1);
  await eventually(() => Promise.resolve(expect(applied).toEqual([`${first} 1`])));
  // its id is older than those of the events that are committed and applied before it
  const transaction = new pg.Client({ connectionString: clone.ownerUrl });
  await transaction.connect();
  await transaction.query('begin');
  await transaction.query(
    `insert into athletes.outbox (type, resource_type, resource_id, version) values ('athlete.updated', 'athlete', $1, 1)`,
    [slow],
  );
  await write(fast, 3, false);
  await write(fast, 2, false);
  await relay.drain();
  await transaction.query('commit');
  await transaction.end();
  await relay.drain();
  expect(applied).toEqual([`${first} 1`, `${fast} 2`, `${fast} 3`, `${slow} 1`]);
});
