/** Feedback on recommendations: its effect, visibility and deletion. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../../platform/database/database.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { recommendedAthleteIds, createOpportunity, createProspect, readRecommendations } from './recommendation-reads.ts';

let platform: TestPlatform;
let database: Database;
/** Owns the athletes. */
let academy: Client & { readonly organizationId: string };
/** Owns the opportunities. */
let club: Client & { readonly organizationId: string };
let scout: Client;
let otherReader: Client;
let moderator: Client;
const unknown = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  platform = await openTestPlatform();
  database = openDatabase({ url: platform.database.ownerUrl, name: 'test-feedback', poolSize: 1 });
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  academy = await verifiedAccount(platform, moderator, 'Academy', { officer: false });
  club = await verifiedAccount(platform, moderator, 'Club', { officer: true });
  scout = await platform.account({ account: 'Scout' });
  otherReader = await platform.account({ account: 'Other' });
});
afterAll(async () => {
  await database.close();
  await platform.close();
});

const giveFeedback = (client: Client, id: string, feedback: string, headers?: Record<string, string>) =>
  client.post(`/scouting/recommendations/${id}/feedback`, { feedback }, headers);
let pair: [opportunities: [string, string], athletes: [string, string]];

/** The recommendation of an athlete for an opportunity. */
const idOf = async (client: Client, opportunity: string, athlete: string): Promise<string> => {
  const list = await readRecommendations(client, `opportunityId=${opportunity}`);
  return list.find((each) => each.athlete?.id === athlete)?.id ?? '';
};

test('feedback is private: HELPFUL is returned, NOT_RELEVANT affects one recipient, HIDDEN affects all', async () => {
  const opportunities: [string, string] = [
    await createOpportunity(club, 'VOLLEYBALL'),
    await createOpportunity(club, 'VOLLEYBALL'),
  ];
  const athletes: [string, string] = [await createProspect(academy, 'VOLLEYBALL'), await createProspect(academy, 'VOLLEYBALL')];
  pair = [opportunities, athletes];
  await platform.settled();
  const [[first, second], [one, other]] = pair;
  const readIds = async (client: Client) => ({
    first: new Set(await recommendedAthleteIds(client, `opportunityId=${first}`)),
    second: new Set(await recommendedAthleteIds(client, `opportunityId=${second}`)),
  });
  const all = { first: new Set([one, other]), second: new Set([one, other]) };
  const id = await idOf(scout, first, one);
  const helpful = await giveFeedback(scout, id, 'HELPFUL', { 'idempotency-key': 'said-1' });
  expect(helpful).toMatchObject({ status: 200, body: { id, feedback: 'HELPFUL', athlete: { id: one } } });
  const replayed = await giveFeedback(scout, id, 'HELPFUL', { 'idempotency-key': 'said-1' });
  expect({ body: replayed.body, replayed: replayed.headers.get('idempotent-replayed') }).toEqual({
    body: helpful.body,
    replayed: 'true',
  });
  const visible = (await readRecommendations(scout, `opportunityId=${first}`)).find((each) => each.id === id);
  expect(visible?.feedback).toBe('HELPFUL');
  expect((await readRecommendations(otherReader, `opportunityId=${first}`)).every(({ feedback }) => feedback === null)).toBe(
    true,
  );
  expect(await readIds(scout)).toEqual(all);
  expect((await giveFeedback(scout, id, 'NOT_RELEVANT')).status).toBe(200);
  expect(await readIds(scout)).toEqual({ ...all, first: new Set([other]) });
  expect((await giveFeedback(scout, await idOf(scout, second, one), 'HIDDEN')).status).toBe(200);
  expect(await readIds(scout)).toEqual({ first: new Set([other]), second: new Set([other]) });
  expect(await readIds(otherReader)).toEqual(all);
  expect((await giveFeedback(scout, await idOf(otherReader, second, one), 'HELPFUL')).status).toBe(200);
  expect(await readIds(scout)).toEqual({ ...all, first: new Set([other]) });
});

test('feedback requires a key with the scope and an existing recommendation', async () => {
  const [[first], [one]] = pair;
  const id = await idOf(otherReader, first, one);
  expect((await giveFeedback(platform.anonymous, id, 'HELPFUL')).status).toBe(401);
  const readOnly = await platform.account({ account: 'Reader', scopes: ['scouting:read'] });
  expect((await giveFeedback(readOnly, id, 'HELPFUL')).status).toBe(403);
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
    expect(await giveFeedback(otherReader, each, 'HELPFUL')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await giveFeedback(otherReader, id, 'GREAT')).status).toBe(422);
});

test('the export counts feedback, a merge moves it, and an erasure deletes it', async () => {
  const [[first], [one, other]] = pair;
  const feedbackSubjects = async () => {
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
  expect((await giveFeedback(scout, await idOf(scout, first, other), 'HELPFUL')).status).toBe(200);
  expect(await feedbackSubjects()).toHaveLength(3);
  expect((await moderator.post(`/athletes/${one}/merge`, { intoId: other })).status).toBe(200);
  await platform.settled();
  // For the same opportunity, the feedback on the remaining athlete stays.
  expect(await feedbackSubjects()).toEqual([other, other]);
  expect((await academy.post(`/athletes/${other}/erase`)).status).toBe(200);
  await platform.settled();
  await platform.maintain();
  expect(await feedbackSubjects()).toEqual([]);
});
