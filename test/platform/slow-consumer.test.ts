/** A consumer that needs long for its events: the other consumers receive theirs meanwhile, on a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../platform/database/database.ts';
import { areaRole, relayRole } from '../../platform/database/roles.ts';
import type { Consumer } from '../../platform/events/consumer.ts';
import { createLeadership } from '../../platform/events/leadership.ts';
import { createRelayWakeUp } from '../../platform/events/outbox.ts';
import { createRelay, type Relay } from '../../platform/events/relay.ts';
import { createLog } from '../../platform/log.ts';
import { createGraphCaller } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';

const log = createLog({ name: 'test', level: 'silent' });
let clone: ClonedDatabase;
let athletes: Database;
let scouting: Database;
let relayed: Database;

beforeAll(async () => {
  clone = await cloneDatabase();
  athletes = openDatabase({ url: clone.urlAs(areaRole('athletes')), name: 'test-athletes', poolSize: 2 });
  scouting = openDatabase({ url: clone.urlAs(areaRole('scouting')), name: 'test-scouting', poolSize: 4 });
  relayed = openDatabase({ url: clone.urlAs(relayRole), name: 'test-relay', poolSize: 2 });
});
afterAll(async () => {
  await Promise.all([athletes.close(), scouting.close(), relayed.close()]);
  await clone.drop();
});

async function write(): Promise<string> {
  const id = randomUUID();
  await athletes.query(sql`/* test.write */
    insert into outbox (type, resource_type, resource_id, version) values ('athlete.updated', 'athlete', ${id}, 1)`);
  createRelayWakeUp(athletes)();
  return id;
}

/** Runs a relay of these consumers. */
async function withRelay(consumers: readonly Consumer[], work: (relay: Relay) => Promise<void>): Promise<void> {
  const leadership = createLeadership({ url: clone.urlAs(relayRole), areas: ['athletes'], log });
  const graph = createGraphCaller(() => Promise.resolve({}));
  const relay = createRelay({
    ...{ leadership, database: relayed, areas: ['athletes'], consumers, graph, log },
    maintenanceMs: Infinity,
    pollMs: 60_000,
  });
  try {
    await work(relay);
  } finally {
    await relay.close();
    await leadership.close();
  }
}

test('a slow consumer delays no other one, and receives each event once and in order', async () => {
  const applied: Record<'slow' | 'fast', string[]> = { slow: [], fast: [] };
  const release = Promise.withResolvers<undefined>();
  const consumer = (name: 'slow' | 'fast', until: Promise<unknown>): Consumer => ({
    name,
    source: 'athletes',
    database: scouting,
    async apply(events) {
      await until;
      applied[name].push(...events.map(({ resourceId }) => resourceId));
    },
  });
  const consumers = [consumer('slow', release.promise), consumer('fast', Promise.resolve())];
  await withRelay(consumers, async (relay) => {
    const written: string[] = [];
    for (let count = 1; count <= 3; count += 1) {
      written.push(await write());
      await eventually(() => Promise.resolve(expect(applied.fast).toEqual(written)));
    }
    expect(applied.slow).toEqual([]);
    release.resolve(undefined);
    // without a further event
    await eventually(() => Promise.resolve(expect(applied.slow).toEqual(written)));
    written.push(await write());
    await relay.drain();
    expect(applied).toEqual({ slow: written, fast: written });
  }).finally(() => release.resolve(undefined));
});

test('a batch that times out is applied in smaller ones, in order and without dead letters', async () => {
  const applied: string[] = [];
  const written: string[] = [];
  for (let count = 0; count < 9; count += 1) written.push(await write());
  const large: Consumer = {
    name: 'large',
    source: 'athletes',
    database: scouting,
    apply(events) {
      if (events.length > 2) return Promise.reject(new Problem('upstream_timeout', 'The projection timed out.'));
      applied.push(...events.map(({ resourceId }) => resourceId));
      return Promise.resolve();
    },
  };
  await withRelay([large], () => eventually(() => Promise.resolve(expect(applied.slice(-9)).toEqual(written))));
  expect(await scouting.query(sql`/* test.deadLetters */ select consumer from dead_letter`)).toEqual([]);
});

test('a relay closes after the batches in progress, although more events wait', async () => {
  const started = Promise.withResolvers<undefined>();
  const release = Promise.withResolvers<undefined>();
  const busy: Consumer = {
    name: 'busy',
    source: 'athletes',
    database: scouting,
    async apply() {
      started.resolve(undefined);
      await release.promise;
    },
  };
  await write();
  await withRelay([busy], async (relay) => {
    await started.promise;
    await write();
    const closed = relay.close();
    release.resolve(undefined);
    await closed;
  });
}, 60_000);
