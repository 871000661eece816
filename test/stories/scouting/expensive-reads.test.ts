/** Recommendations cost what they take, and cannot exhaust the platform for others. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { usageOf } from '../accounts/rates.ts';
import { verifiedAccount } from '../athletes/minors-fixture.ts';
import { createOpportunity } from './recommendation-reads.ts';

let platform: TestPlatform;
let reader: Client;
let opportunity: string;
let lock: pg.Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  const club = await verifiedAccount(platform, moderator, 'Club', { officer: true });
  opportunity = await createOpportunity(club, 'FOOTBALL', {});
  await platform.settled();
  reader = await platform.account({ account: 'Reader' });
  lock = new pg.Client({ connectionString: platform.database.ownerUrl });
  await lock.connect();
});
afterAll(async () => {
  await lock.end();
  await platform.close();
});

const recommendations = (client: Client) => client.get(`/scouting/recommendations?opportunityId=${opportunity}`);
const aliases = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `a${index}: recommendations(opportunityId: "${opportunity}") { nodes { id } }`,
  ).join(' ');

async function unitsOf(send: () => Promise<{ status: number }>): Promise<number> {
  const before = await usageOf(reader);
  expect((await send()).status).toBe(200);
  return (await usageOf(reader)).day - before.day;
}

test('are charged for the search also without results, and once more for each alias', async () => {
  expect(await unitsOf(() => recommendations(reader))).toBe(5);
  expect(await unitsOf(() => reader.graphql(`{ ${aliases(1)} }`))).toBe(6);
  expect(await unitsOf(() => reader.graphql(`{ ${aliases(10)} }`))).toBe(60);
});

test('of more than ten recipients are rejected, also as root fields', async () => {
  const other = (index: number): string => `019a0000-0000-7000-8000-00000000000${index.toString(16)}`;
  const roots = Array.from(
    { length: 11 },
    (_, index) => `a${index}: recommendations(organizationId: "${other(index)}") { nodes { id } }`,
  );
  const { body } = await reader.graphql(`{ ${roots.join(' ')} }`);
  expect(body.errors[0]).toMatchObject({
    extensions: { code: 'query_too_complex' },
    message: expect.stringContaining('at most 10'),
  });
});

test('run twice at a time per account; other accounts, and other reads of the account, do not wait for them', async () => {
  const other = await platform.account({ account: 'Other' });
  await lock.query('begin; lock table scouting.recommendation_feedback in access exclusive mode');
  try {
    const [first, second] = [recommendations(reader), recommendations(reader)];
    const third = await recommendations(reader);
    expect(third).toMatchObject({
      status: 503,
      body: { code: 'overloaded', detail: expect.stringContaining('one after the other') },
    });
    expect(third.headers.get('retry-after')).toBe('1');
    const fromOthers = recommendations(other);
    for (const client of [reader, other, platform.anonymous]) expect((await client.get('/scouting/prospects')).status).toBe(200);
    await lock.query('rollback');
    for (const response of [first, second, fromOthers]) expect((await response).status).toBe(200);
  } finally {
    await lock.query('rollback');
  }
  await eventually(async () => expect((await recommendations(reader)).status).toBe(200));
});
