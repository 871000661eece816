/** A resource that begins in a later state has the step it skipped in its history, where it took one. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../platform/database.ts';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { bornFor, facts } from './people.ts';

let world: World;
let owner: Client;
let database: Database;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'Archive' });
  database = openDatabase({ url: world.database.ownerUrl, name: 'test-history', poolSize: 1 });
});
afterAll(async () => {
  await database.close();
  await world.close();
});

/** What was done to a resource, with the states it went from and to; and the types of its events. */
async function told(id: string): Promise<{ steps: unknown[]; events: string[] }> {
  const areas = ['athletes', 'organizations', 'competitions'] as const;
  const steps: unknown[] = [];
  const events: string[] = [];
  for (const area of areas) {
    await database.transaction(async (transaction) => {
      await transaction.query(sql`/* test.area */ select set_config('search_path', ${area}, true)`);
      const rows = await transaction.query<{ step: unknown }>(
        sql`/* test.history */ select jsonb_build_array(action, version, changes -> 'status') as step from history where resource_id = ${id} order by id`,
      );
      steps.push(...rows.map(({ step }) => step));
      const sent = await transaction.query<{ type: string }>(
        sql`/* test.outbox */ select type from outbox where resource_id = ${id} order by id`,
      );
      events.push(...sent.map(({ type }) => type));
    });
  }
  return { steps, events };
}

const adult = { dateOfBirth: bornFor(25, 3) };

test.each([
  ['/athletes', facts(adult), 'athlete', 'DRAFT', 'activate', 'ACTIVE'],
  [
    '/organizations',
    { type: 'CLUB', name: 'Archive', country: 'DE', sports: ['FOOTBALL'] },
    'organization',
    'DRAFT',
    'activate',
    'ACTIVE',
  ],
  ['/competitions', { name: 'Archive', sport: 'FOOTBALL', type: 'CUP' }, 'competition', 'DRAFT', 'publish', 'PUBLISHED'],
])('%s: created in a later state is created and moved, and one event says so', async (path, body, type, first, action, state) => {
  const { externalIds: _, ...rest } = { externalIds: [], ...body };
  const plain = (await owner.post(path, rest)).body;
  expect(await told(plain.id)).toEqual({ steps: [['created', 1, [null, first]]], events: [`${type}.created`] });
  const later = (await owner.post(path, { ...rest, status: state })).body;
  expect(await told(later.id)).toEqual({
    steps: [
      ['created', 1, [null, first]],
      [action, 1, [first, state]],
    ],
    events: [`${type}.created`],
  });
});

test('a minor who was to begin as ACTIVE took no step', async () => {
  const { id } = (await owner.post('/athletes', facts({ dateOfBirth: bornFor(15, 3), status: 'ACTIVE' }))).body;
  expect((await told(id)).steps).toEqual([['created', 1, [null, 'PENDING_CONSENT']]]);
});

test('an item of a batch that fails leaves nothing of its steps', async () => {
  const item = facts({ ...adult, status: 'ACTIVE' });
  const items = [item, { ...item, externalIds: [{ scheme: 'TEST', value: 'other' }, ...item.externalIds] }];
  const { body } = await owner.post('/athletes/batch', { items });
  expect(body.summary).toMatchObject({ created: 1, failed: 1 });
  const made = body.data.find((each: { id: string | null }) => each.id !== null);
  expect((await told(made.id)).steps).toHaveLength(2);
});
