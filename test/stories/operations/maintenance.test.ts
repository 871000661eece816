/** Maintenance: old rows are deleted, projections are refreshed, and nothing needed is lost. */
import { createGraphCaller } from '../../../schema/entry-point.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { openDatabase, type Database } from '../../../platform/database/database.ts';
import { createLog } from '../../../platform/log.ts';
import { areaRole, relayRole } from '../../../platform/database/roles.ts';
import { createLeadership } from '../../../platform/events/leadership.ts';
import { createRelay } from '../../../platform/events/relay.ts';
import { runAll, maintenanceSteps } from '../../../platform/events/maintenance.ts';
import { cloneDatabase } from '../../database.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
let database: pg.Client;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account();
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

const count = async (query: string): Promise<number> => {
  const { rows } = await database.query<{ count: string }>(`select count(*) from ${query}`);
  return Number(rows[0]?.count);
};

const club = (name: string) => ({ type: 'CLUB', name, country: 'NO', sports: ['FOOTBALL'], status: 'ACTIVE' });

test('an Idempotency-Key is deleted after a day and an event after a month; positions continue', async () => {
  const { body: old } = await owner.post('/organizations', club('Old'), { 'idempotency-key': 'old' });
  await owner.post('/organizations', club('Young'), { 'idempotency-key': 'young' });
  await platform.settled();
  const before = await count('organizations.outbox');
  await database.query("update organizations.idempotency set created_at = now() - interval '25 hours' where key = 'old'");
  await database.query("update organizations.outbox set at = now() - interval '31 days'");
  await platform.maintain();
  expect(await count("organizations.idempotency where key = 'old'")).toBe(0);
  expect(await count("organizations.idempotency where key = 'young'")).toBe(1);
  expect(before).toBeGreaterThan(1);
  expect(await count('organizations.outbox')).toBe(1);

  const { body: next } = await owner.post('/organizations', club('Next'));
  await platform.settled();
  const { rows } = await database.query<{ position: string }>(
    'select position from organizations.outbox where resource_id = $1',
    [next.id],
  );
  expect(rows.map(({ position }) => Number(position))).toEqual([before + 1]);
  const repeated = await owner.post('/organizations', club('Old'), { 'idempotency-key': 'old' });
  expect(repeated.status).toBe(201);
  expect(repeated.body.id).not.toBe(old.id);
});

test('the oldest of more than 100,000 idempotency keys of an account are deleted, and those of other accounts stay', async () => {
  await owner.post('/organizations', club('Newest'), { 'idempotency-key': 'newest' });
  const remember = (account: string, keys: number) =>
    database.query(
      `insert into organizations.idempotency (account_id, operation, key, fingerprint, created_at)
      select ${account}, 'createOrganization', 'many ' || n, '', now() - n * interval '1 millisecond' from generate_series(1, $1) n`,
      [keys],
    );
  await remember("(select account_id from organizations.idempotency where key = 'newest')", 106_000);
  await remember("'01900000-0000-7000-8000-000000000000'", 5);
  const before = await count('organizations.idempotency');
  const others =
    before -
    (await count(
      "organizations.idempotency where account_id = (select account_id from organizations.idempotency where key = 'newest')",
    ));
  await platform.maintain();
  expect(await count('organizations.idempotency')).toBe(100_000 + others);
  expect(await count("organizations.idempotency where key in ('newest', 'many 90000')")).toBe(2);
  expect(await count("organizations.idempotency where key = 'many 106000'")).toBe(0);
});

test('an event that a projection has not processed is never deleted', async () => {
  await platform.settled();
  await owner.post('/athletes', {
    displayName: 'Retained',
    sex: 'MALE',
    nationalities: ['NO'],
    sports: [{ sport: 'FOOTBALL' }],
    dateOfBirth: '1990-01-01',
    status: 'ACTIVE',
  });
  await platform.settled();
  await database.query("update athletes.outbox set at = now() - interval '31 days'");
  await database.query('update scouting.inbox set position = 0');
  const before = await count('athletes.outbox');
  await platform.maintain();
  expect(await count('athletes.outbox')).toBe(before);
});

test('a dead letter is deleted 90 days after its last failure, unless its retry is requested', async () => {
  const insert = (age: string, requested: boolean) =>
    database.query(
      `insert into scouting.dead_letter
        (consumer, area, event_id, position, type, resource_type, resource_id, version, data, at, error, failed_at, retry)
      values ('former', 'athletes', uuidv7(), 1, 'athlete.updated', 'athlete', uuidv7(), 1, '{}', now(), $1::text, now() - $1::text::interval, $2)`,
      [age, requested],
    );
  await insert('91 days', false);
  await insert('91 days', true);
  await insert('89 days', false);
  await platform.maintain();
  const { rows } = await database.query(
    "select error as age, retry from scouting.dead_letter where consumer = 'former' order by failed_at",
  );
  expect(rows).toEqual([
    { age: '91 days', retry: true },
    { age: '89 days', retry: false },
  ]);
});

test('a counter that was unused for two months is deleted; one of this month stays', async () => {
  await platform.anonymous.get('/organizations');
  const before = await count('accounts.quota_counter');
  await database.query(`insert into accounts.quota_counter
    select sha256(n::text::bytea), current_date - 70, 5, 0, date_trunc('month', current_date - 70), 5, now(), current_date - 70 from generate_series(1, 12000) n`);
  await platform.maintain();
  expect(await count('accounts.quota_counter')).toBe(before);
});

test('a score is recomputed after a birthday', async () => {
  const { body: athlete } = await owner.post('/athletes', {
    displayName: 'Birthday Child',
    sex: 'FEMALE',
    nationalities: ['NO'],
    sports: [{ sport: 'FOOTBALL', level: 'NATIONAL' }],
    dateOfBirth: `${new Date().getUTCFullYear() - 22}-01-01`,
    status: 'ACTIVE',
  });
  await platform.settled();
  // each read selects other members, so that no kept response is sent
  const read = async (fields: string) =>
    (await platform.anonymous.get(`/scouting/prospects/${athlete.id}?fields=${fields}`)).body;
  const today = await read('talentScore,cohort');
  // the state before the birthday
  await database.query('update scouting.prospect set refresh_on = current_date - 1, age_band = $2 where athlete_id = $1', [
    athlete.id,
    '18-20',
  ]);
  expect(await read('cohort')).toMatchObject({ cohort: { ageBand: '18-20' } });
  await platform.maintain();
  expect(await read('cohort,talentScore')).toMatchObject({ talentScore: today.talentScore, cohort: today.cohort });
});

test('a failed step waits for the next hour; the others run until they have nothing left', async () => {
  await database.query(
    `create function accounts.prune_broken(bigint, int) returns int language plpgsql as $$ begin raise 'broken'; end $$`,
  );
  await owner.post('/organizations', club('Forgotten'), { 'idempotency-key': 'forgotten' });
  await database.query("update organizations.idempotency set created_at = now() - interval '25 hours' where key = 'forgotten'");
  await platform.maintain();
  expect(await count("organizations.idempotency where key = 'forgotten'")).toBe(0);
  await database.query('drop function accounts.prune_broken');

  const executed: string[] = [];
  const pool: Database = openDatabase({ url: platform.database.ownerUrl, name: 'test-maintenance', poolSize: 1 });
  const consumer = (name: string, results: (boolean | Error)[]) => ({
    name,
    source: 'athletes' as const,
    database: pool,
    apply: () => Promise.resolve(),
    refresh() {
      executed.push(name);
      const result = results.shift() ?? false;
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    },
  });
  const log = createLog({ name: 'test', level: 'error' });
  const steps = maintenanceSteps({
    database: pool,
    areas: [],
    consumers: [
      consumer('fails', [new Error('broken'), true]),
      consumer('has more', [true, true]),
      consumer('is done', [false, true]),
    ],
    graph: createGraphCaller(() => Promise.resolve({})),
    log,
  });
  await runAll(steps, log);
  expect(executed).toEqual(['fails', 'has more', 'is done', 'has more', 'has more']);
  await pool.close();
});

test('due work is processed every few seconds, also after a failure; maintenance waits for its hour', async () => {
  const clone = await cloneDatabase();
  const url = clone.urlAs(relayRole);
  const relays = openDatabase({ url, name: 'test-relay', poolSize: 1 });
  const areas = openDatabase({ url: clone.urlAs(areaRole('scouting')), name: 'test-due', poolSize: 1 });
  const executed: string[] = [];
  const log = createLog({ name: 'test', level: 'silent' });
  const leadership = createLeadership({ url, areas: ['athletes'], log });
  const relay = createRelay({
    leadership,
    database: relays,
    areas: ['athletes'],
    consumers: [
      {
        name: 'due',
        source: 'athletes',
        database: areas,
        apply: () => Promise.resolve(),
        refresh: () => Promise.resolve(executed.push('refresh') === 0),
        catchUp: () => (executed.push('catch up') === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(false)),
      },
      // other consumers do not wait for one that always has more
      {
        name: 'much',
        source: 'athletes',
        database: areas,
        apply: () => Promise.resolve(),
        catchUp: () => Promise.resolve(true),
      },
    ],
    graph: createGraphCaller(() => Promise.resolve({})),
    log,
    pollMs: 1,
    catchUpMs: 1,
  });
  await eventually(() => {
    expect(executed.filter((each) => each === 'catch up').length).toBeGreaterThan(3);
    return Promise.resolve();
  });
  await relay.close();
  await leadership.close();
  expect(executed.filter((each) => each === 'refresh')).toEqual(['refresh']);
  await Promise.all([relays.close(), areas.close()]);
  await clone.drop();
});
