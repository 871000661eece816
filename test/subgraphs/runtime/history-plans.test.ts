/** History queries use indexes for every filter of the audit log. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../../platform/database/database.ts';
import { readHistory, type HistoryFilter } from '../../../platform/writes/history.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { SYSTEM } from '../../../schema/viewer.ts';
import { cloneDatabase, type ClonedDatabase } from '../../database.ts';
import { scannedByRead } from '../../plans.ts';

const areas = ['accounts', 'athletes'] as const;
const administratorId = '00000000-0000-4000-8000-000000000001';
const subject = { members: ['athleteId', 'athleteIds'], through: { member: 'entryId', resourceType: 'shortlist_entry' } };
const resourceId = '00000000-0000-4000-8000-000000000002';

let clone: ClonedDatabase;
const databases = new Map<string, Database>();
beforeAll(async () => {
  clone = await cloneDatabase();
  for (const area of areas) {
    const database = openDatabase({ url: clone.urlAs(areaRole(area)), name: `test-${area}` });
    databases.set(area, database);
    await database.query(sql`/* test.history */ insert into history (resource_type, resource_id, version, action, actor, changes, at)
      select 'athlete', case when n = 7 then ${resourceId}::uuid else gen_random_uuid() end, 1, 'updated',
        case
          when n % 500 = 0 then jsonb_build_object('kind', 'ADMINISTRATOR', 'administratorId', ${administratorId}::text)
          when n % 600 = 0 then '{"kind": "SYSTEM"}'
          else jsonb_build_object('kind', 'KEY', 'keyId', 'sp_live_' || lpad((n % 400)::text, 12, '0')) end,
        '{}', now() - n * interval '1 second' from generate_series(1, 40000) n`);
  }
  const owner = openDatabase({ url: clone.ownerUrl, name: 'test-owner' });
  for (const area of areas) await owner.pool.query(`analyze ${area}.history`);
  await owner.close();
});
afterAll(async () => {
  await Promise.all([...databases.values()].map((database) => database.close()));
  await clone.drop();
});

const filters: readonly (readonly [string, HistoryFilter])[] = [
  ['nothing', {}],
  ['no filter, including the system', { bySystem: true }],
  ['an administrator', { administratorId }],
  ['an administrator, including the system', { administratorId, bySystem: true }],
  ['a key', { keyId: 'sp_live_000000000042' }],
  ['a resource', { resourceId }],
  ['a resource of a type', { resourceType: 'athlete', resourceId }],
  ['an action', { action: 'deleted' }],
  ['a time', { from: '2001-01-01T00:00:00Z', to: '2002-01-01T00:00:00Z' }],
];

test.each(filters)('by %s', async (_, filter) => {
  for (const [area, database] of databases) {
    if (filter.bySystem && area !== 'accounts') continue;
    const before = { at: '2099-01-01T00:00:00Z', id: administratorId };
    const scanned = await scannedByRead(database, (services) =>
      readHistory(services.database, SYSTEM, { first: 21, before, filter }, subject),
    );
    expect([area, scanned]).toEqual([area, []]);
  }
});
