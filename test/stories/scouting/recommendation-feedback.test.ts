/** What accounts think of what they were recommended: of what it keeps them from, who is told, and how it ends. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../../platform/database/database.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { athletesOf, offers, practises, recommended } from './recommended.ts';

let platform: TestPlatform;
let database: Database;
/** Owns the athletes. */
let academy: Client & { readonly organizationId: string };
/** Owns the opportunities. */
let club: Client & { readonly organizationId: string };
let scout: Client;
let stranger: Client;
let moderator: Client;
const unknown = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  platform = await openTestPlatform();
  database = openDatabase({ url: platform.database.ownerUrl, name: 'test-feedback', poolSize: 1 });
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  academy = await verifiedAccount(platform, moderator, 'Academy', { officer: false });
  club = await verifiedAccount(platform, moderator, 'Club', { officer: true });
  scout = await platform.account({ account: 'Scout' });
  stranger = await platform.account({ account: 'Somebody' });
}, 60_000);
afterAll(async () => {
  await database.close();
  await platform.close();
});

const say = (client: Client, id: string, feedback: string, headers?: Record<string, string>) =>
  client.post(`/scouting/recommendations/${id}/feedback`, { feedback }, headers);
let pair: [opportunities: [string, string], athletes: [string, string]];

/** The recommendation of an athlete for an opportunity. */
const idOf = async (client: Client, opportunity: string, athlete: string): Promise<string> => {
  const list = await recommended(client, `opportunityId=${opportunity}`);
  return list.find((each) => each.athlete?.id === athlete)?.id ?? '';
};

test('feedback is the account’s own: helpful is shown, not relevant is for one recipient, hidden for all of them', async () => {
  const opportunities: [string, string] = [await offers(club, 'VOLLEYBALL'), await offers(club, 'VOLLEYBALL')];
  const athletes: [string, string] = [await practises(academy, 'VOLLEYBALL'), await practises(academy, 'VOLLEYBALL')];
  pair = [opportunities, athletes];
  await platform.settled();
  const [[first, second], [one, other]] = pair;
  const seen = async (client: Client) => ({
    first: new Set(await athletesOf(client, `opportunityId=${first}`)),
    second: new Set(await athletesOf(client, `opportunityId=${second}`)),
  });
  const all = { first: new Set([one, other]), second: new Set([one, other]) };
  const id = await idOf(scout, first, one);
  const helpful = await say(scout, id, 'HELPFUL', { 'idempotency-key': 'said-1' });
  expect(helpful).toMatchObject({ status: 200, body: { id, feedback: 'HELPFUL', athlete: { id: one } } });
  const replayed = await say(scout, id, 'HELPFUL', { 'idempotency-key': 'said-1' });
  expect({ body: replayed.body, replayed: replayed.headers.get('idempotent-replayed') }).toEqual({
    body: helpful.body,
    replayed: 'true',
  });
  const shown = (await recommended(scout, `opportunityId=${first}`)).find((each) => each.id === id);
  expect(shown?.feedback).toBe('HELPFUL');
  expect((await recommended(stranger, `opportunityId=${first}`)).every(({ feedback }) => feedback === null)).toBe(true);
  expect(await seen(scout)).toEqual(all);
  expect((await say(scout, id, 'NOT_RELEVANT')).status).toBe(200);
  expect(await seen(scout)).toEqual({ ...all, first: new Set([other]) });
  expect((await say(scout, await idOf(scout, second, one), 'HIDDEN')).status).toBe(200);
  expect(await seen(scout)).toEqual({ first: new Set([other]), second: new Set([other]) });
  expect(await seen(stranger)).toEqual(all);
  expect((await say(scout, await idOf(stranger, second, one), 'HELPFUL')).status).toBe(200);
  expect(await seen(scout)).toEqual({ ...all, first: new Set([other]) });
});

test('feedback is refused without a key or the scope, and of what is not recommended', async () => {
  const [[first], [one]] = pair;
  const id = await idOf(stranger, first, one);
  expect((await say(platform.anonymous, id, 'HELPFUL')).status).toBe(401);
  const reader = await platform.account({ account: 'Reader', scopes: ['scouting:read'] });
  expect((await say(reader, id, 'HELPFUL')).status).toBe(403);
  const minor = await createMinor(academy, ['PROFILE', 'PROFILING'], { sports: [{ sport: 'VOLLEYBALL' }] });
  const bytes = (...ids: string[]): Buffer => Buffer.from(ids.join('').replaceAll('-', ''), 'hex');
  const forged = (kind: number, ...ids: string[]): string =>
    Buffer.concat([Buffer.of(kind), bytes(...ids)]).toString('base64url');
  expect(forged(1, first, one)).toBe(id);
  const none = [
    forged(1, first, minor),
    forged(1, first, unknown),
    forged(1, unknown, one),
    forged(0, one, unknown),
    forged(7, first, one),
  ];
  for (const each of [...none, id.slice(1), 'nothing'])
    expect(await say(stranger, each, 'HELPFUL')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await say(stranger, id, 'GREAT')).status).toBe(422);
});

test('feedback is told in the export by how often, follows a merge, and goes with the athlete', async () => {
  const [[first], [one, other]] = pair;
  const held = async () => {
    const rows = await database.query<{ id: string }>(
      sql`/* test.feedback */ select subject_id as id from scouting.recommendation_feedback order by subject_id`,
    );
    return rows.map(({ id }) => id);
  };
  const { body } = await academy.get(`/athletes/${one}/export`);
  expect(body.recommendationFeedback).toEqual([
    { feedback: 'HELPFUL', count: 1 },
    { feedback: 'NOT_RELEVANT', count: 1 },
  ]);
  expect((await say(scout, await idOf(scout, first, other), 'HELPFUL')).status).toBe(200);
  expect(await held()).toHaveLength(3);
  expect((await moderator.post(`/athletes/${one}/merge`, { intoId: other })).status).toBe(200);
  await platform.settled();
  // of the same opportunity what was said of the first one stays
  expect(await held()).toEqual([other, other]);
  expect((await academy.post(`/athletes/${other}/erase`)).status).toBe(200);
  await platform.settled();
  await platform.upkeep();
  expect(await held()).toEqual([]);
});
