/** The counts of the moderation queues in the admin schema. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createAdult, createClub } from '../organizations/clubs.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const document = '{ organizationReviewCount athleteReviewCounts { athletes statistics } replayReviewCount openReportCount }';

test('count what waits for a moderator, with one statement for each area', async () => {
  const owner = await platform.account({ account: 'Club' });
  const moderator = await platform.administrator('MODERATOR');
  const counts = async () => (await moderator.run(document)).data;
  expect(await counts()).toEqual({
    organizationReviewCount: 0,
    athleteReviewCounts: { athletes: 0, statistics: 0 },
    replayReviewCount: 0,
    openReportCount: 0,
  });

  const club = await createClub(owner);
  await createClub(owner, { name: 'Draft', status: 'DRAFT' });
  const adult = await createAdult(owner, { sports: [{ sport: 'SWIMMING' }] });
  const minor = await createAthlete(owner, { dateOfBirth: bornFor(14, 3) });
  const metrics = [{ key: 'reactionTimeMs', value: 640 }];
  const statistics = { athleteId: adult.id, scope: 'CAREER', sport: 'SWIMMING', source: 'SELF_REPORTED', metrics };
  expect((await owner.post('/athletes/statistics', statistics)).status).toBe(201);
  const video = { title: 'Swims', kind: 'CLIP', url: 'https://film.example/1', status: 'PUBLISHED', athleteId: minor.id };
  expect((await owner.post('/competitions/replays', video)).status).toBe(201);
  const report = { subjectType: 'ORGANIZATION', subjectId: club.id, category: 'IMPERSONATION', text: 'Not us.' };
  expect((await owner.post('/reports', report)).status).toBe(201);

  platform.statements();
  expect(await counts()).toEqual({
    organizationReviewCount: 1,
    athleteReviewCounts: { athletes: 1, statistics: 1 },
    replayReviewCount: 1,
    openReportCount: 1,
  });
  expect(platform.statements().filter((name) => /countForReview|countOpen/.test(name))).toHaveLength(4);

  await moderator.run('mutation ($id: ID!) { verifyOrganization(id: $id) { id } }', { id: club.id });
  expect((await counts()).organizationReviewCount).toBe(0);
});

test('count at most 100', async () => {
  const owner = await platform.account({ account: 'Many' });
  const items = Array.from({ length: 120 }, (_, index) => ({
    type: 'CLUB',
    name: `Club ${index}`,
    country: 'FR',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
    externalIds: [{ scheme: 'TEST', value: String(index) }],
  }));
  const created = await owner.graphql(
    'mutation ($items: [CreateOrganizationInput!]!) { upsertOrganizations(items: $items) { outcome: __typename } }',
    { items },
  );
  expect(created.body.errors).toBeUndefined();
  const viewer = await platform.administrator('VIEWER');
  expect((await viewer.run(document)).data.organizationReviewCount).toBe(100);
});

test('are no part of the public schema', async () => {
  const { body } = await platform.anonymous.graphql('{ organizationReviewCount }');
  expect(body.errors[0].message).toContain('organizationReviewCount');
});
