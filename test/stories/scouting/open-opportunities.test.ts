/** The read model of open opportunities follows their organizations. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../../platform/database/database.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { verifiedAccount } from '../athletes/minors-fixture.ts';
import { createOpportunity } from './recommendation-reads.ts';

let platform: TestPlatform;
let database: Database;
beforeAll(async () => {
  platform = await openTestPlatform();
  database = openDatabase({ url: platform.database.ownerUrl, name: 'test-open-opportunities', poolSize: 1 });
});
afterAll(async () => {
  await database.close();
  await platform.close();
});

test('the read model of opportunities follows their organizations and is the same after a rebuild', async () => {
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  const holder = await verifiedAccount(platform, moderator, 'Keeper', { officer: true });
  const opportunity = await createOpportunity(holder, 'COMBAT', { ageRange: { min: 18 }, positions: [] });
  const suspended = await verifiedAccount(platform, moderator, 'Suspended', { officer: true });
  const hiddenOpportunity = await createOpportunity(suspended, 'COMBAT', {});
  const rows = () =>
    database.query<{ id: string; level: string | null }>(
      sql`/* test.open */ select * from scouting.open_opportunity order by id`,
    );
  await platform.settled();
  expect((await rows()).map(({ id }) => id)).toEqual(expect.arrayContaining([opportunity, hiddenOpportunity]));
  expect((await moderator.post(`/organizations/${suspended.organizationId}/suspend`, { reason: 'Fraud' })).status).toBe(200);
  const level = { level: 'INTERNATIONAL' };
  expect((await holder.patch(`/organizations/${holder.organizationId}`, level, { 'if-match': '*' })).status).toBe(200);
  await platform.settled();
  await platform.settled();
  const followed = await rows();
  expect(followed.find(({ id }) => id === opportunity)).toMatchObject(level);
  expect(followed.map(({ id }) => id)).not.toContain(hiddenOpportunity);
  await database.query(sql`/* test.empty */ truncate scouting.open_opportunity`);
  await database.query(sql`/* test.sweep */ insert into scouting.projection_sweep (name) values ('opportunities')`);
  await platform.maintain();
  expect(await rows()).toEqual(followed);
});
