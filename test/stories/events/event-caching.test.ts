/** Cache headers of the list of events: they follow the representations in it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createResource, createSeason } from '../competitions/season-fixtures.ts';
import { createTeam } from '../organizations/clubs.ts';

let platform: TestPlatform;
let owner: Client & { readonly organizationId: string };
let other: Client;
let minorId: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  const moderator = await platform.account({ account: 'Moderator', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Owner', { officer: true });
  other = await platform.account({ account: 'Other' });
  minorId = await createMinor(owner, ['PROFILE']);
});
afterAll(() => platform.close());

/** Expects the header of the events of a resource, and of their revalidation; returns the list. */
async function expectCacheControl(reader: Client, resourceId: string, expected: string, query = '') {
  await platform.settled();
  const path = `/events?resourceId=${resourceId}${query}`;
  const { status, headers, body } = await reader.get(path);
  expect({ status, cacheControl: headers.get('cache-control') }).toEqual({ status: 200, cacheControl: expected });
  const repeated = await reader.get(path, { 'if-none-match': headers.get('etag') ?? '' });
  expect([repeated.status, repeated.headers.get('cache-control')]).toEqual([304, expected]);
  return body.data;
}

/** A match with an athlete on the team sheet of one side. */
async function createMatchOf(athleteId: string): Promise<string> {
  const season = await createSeason(owner, { category: 'WOMEN' });
  const team = await createTeam(owner, owner.organizationId);
  const side = await createResource(owner, `${season.path}/participants`, { type: 'TEAM', teamId: team.id });
  const participants = [{ participantId: side.id, side: 'HOME', lineup: [{ athleteId, shirtNumber: 7 }] }];
  const match = await createResource(owner, '/competitions/matches', {
    seasonId: season.season.id,
    date: '2026-09-01',
    participants,
  });
  return match.id;
}

test('events of a minor are not stored, also by the owner', async () => {
  for (const reader of [owner, other]) {
    const events = await expectCacheControl(reader, minorId, 'private, no-store');
    expect(events.at(-1)).toMatchObject({ data: { type: 'Athlete', id: minorId, representation: { ageGroup: 'U16' } } });
  }
});

test('events of a match with a minor are not stored', async () => {
  const matchId = await createMatchOf(minorId);
  const events = await expectCacheControl(other, matchId, 'private, no-store');
  expect(JSON.stringify(events[0].data.representation)).toContain('J. D.');
});

test('events of an adult, and of a match with an adult, are revalidated', async () => {
  const { id } = await createAthlete(owner, { dateOfBirth: bornFor(25, 3), displayName: 'Ada Adult', status: 'ACTIVE' });
  expect((await expectCacheControl(other, id, 'private, no-cache'))[0]).toMatchObject({
    data: { representation: { displayName: 'Ada Adult' } },
  });
  await expectCacheControl(other, await createMatchOf(id), 'private, no-cache');
});

test('one minor in a list is enough, and events without a person are private', async () => {
  const { id } = await createAthlete(owner, { dateOfBirth: bornFor(30, 3), displayName: 'Zoe Adult', status: 'ACTIVE' });
  await expectCacheControl(other, `${id},${minorId}`, 'private, no-store', '&limit=100');
  await expectCacheControl(other, owner.organizationId, 'private');
});

test('events whose subject is no longer readable contain no person', async () => {
  const { id } = await createAthlete(owner, { dateOfBirth: bornFor(25, 9), displayName: 'Hidden Adult', status: 'ACTIVE' });
  await platform.settled();
  await owner.patch(`/athletes/${id}`, { visibility: 'PRIVATE' }, { 'if-match': '*' });
  const events = await expectCacheControl(other, id, 'private');
  expect(events[0]).toMatchObject({ data: { deleted: true, representation: null } });
});
