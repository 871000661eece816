/** Merging two profiles of one person: the data of the duplicate counts for the target, also after later corrections. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createMember, idsOf } from '../organizations/clubs.ts';
import { playLeague } from '../competitions/leagues.ts';
import { holdMeet } from '../competitions/meets.ts';
import { createMinor, verifiedAccount } from './minors-fixture.ts';
import { createAthlete, facts } from './people.ts';

let platform: TestPlatform;
let moderator: Client;
let club: Client & { readonly organizationId: string };
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  club = await verifiedAccount(platform, moderator, 'Club', { officer: true });
  other = await platform.account({ account: 'Other' });
});
afterAll(() => platform.close());

const merge = (id: string, intoId: string, by: Client = moderator) =>
  by.post(`/athletes/${id}/merge`, { intoId, reason: 'Twice' });

async function merged(id: string, intoId: string): Promise<void> {
  const { status, body } = await merge(id, intoId);
  expect({ status, body }).toMatchObject({ status: 200, body: { id: intoId } });
}

const swimmer = (owner: Client, value: string) =>
  createAdult(owner, {
    sports: [{ sport: 'SWIMMING' }],
    dateOfBirth: '2000-03-04',
    externalIds: [{ scheme: 'TEST', value }],
  });

/** The public statistics of an athlete. */
async function numbersOf(id: string) {
  const { body } = await platform.anonymous.get(`/athletes/${id}/statistics?limit=100`);
  return body.data
    .map(({ scope, source, metrics, matchesPlayed }: Record<string, unknown>) => ({ scope, source, metrics, matchesPlayed }))
    .filter(({ scope }: { scope: string }) => scope !== 'MATCH');
}

test('ids, memberships, results, replays and statistics move to the target and follow later corrections', async () => {
  const [{ id: second }, { id: first }] = [await swimmer(other, 'dup-1'), await swimmer(club, 'first-1')];
  const meet = await holdMeet(club, new Map([['a', second]]), {}, { eventCode: '100_FREE', course: 'LONG' }, ['a']);
  const own = await holdMeet(club, new Map([['a', first]]), { name: 'Second meet' }, { eventCode: '100_FREE', course: 'LONG' }, [
    'a',
  ]);
  const matchId = await meet.swims({ a: 5000 });
  await own.swims({ a: 5100 });
  const { id: organizationId } = await createClub(other);
  const { id: membershipId } = await createMember(other, organizationId, second);
  const film = { athleteId: second, title: 'Free', kind: 'CLIP', url: 'https://example.org/1', status: 'PUBLISHED' };
  const { body: replay } = await other.post('/competitions/replays', film);
  const reported = { scope: 'CAREER', sport: 'SWIMMING', source: 'PROVIDER', metrics: [{ key: 'reactionTimeMs', value: 611 }] };
  expect((await other.post('/athletes/statistics', { athleteId: second, ...reported })).status).toBe(201);
  await platform.settled();
  await merged(second, first);

  // the redirect works immediately
  const response = await fetch(`${platform.restUrl}/api/v1/athletes/${second}?fields=displayName`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([308, `/api/v1/athletes/${first}?fields=displayName`]);
  const parts = ['statistics', 'memberships', 'results?limit=3', 'consents', `consents/${replay.id}`, 'access-log', 'export'];
  for (const part of parts) {
    const { status, headers } = await fetch(`${platform.restUrl}/api/v1/athletes/${second}/${part}`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([308, `/api/v1/athletes/${first}/${part}`]);
  }
  expect((await platform.anonymous.get(`/athletes/${second}`)).body.id).toBe(first);
  expect(
    (await platform.anonymous.graphql('query ($id: ID!) { athlete(id: $id) { id } }', { id: second })).body.data.athlete.id,
  ).toBe(first);
  expect(idsOf(await platform.anonymous.get('/athletes?externalId=TEST:dup-1'))).toEqual([first]);
  expect((await platform.anonymous.get(`/athletes/${first}`)).body.externalIds).toHaveLength(2);
  const race = `query ($id: ID!) { matchResult(matchId: $id) { participants { participant { athlete { id } } } } }`;
  const before = await platform.anonymous.graphql(race, { id: matchId });
  expect(before.body.data.matchResult.participants).toEqual([{ participant: { athlete: { id: first } } }]);
  const counted = await numbersOf(first);
  expect(counted).toContainEqual(expect.objectContaining({ scope: 'CAREER', source: 'COMPUTED', matchesPlayed: 2 }));
  expect(counted).toContainEqual(expect.objectContaining({ scope: 'CAREER', source: 'PROVIDER' }));
  const best = { key: 'personalBestMs', value: 50_000 };

  await platform.settled();
  expect(await numbersOf(first)).toEqual(counted);
  expect((await platform.anonymous.get(`/athletes/${first}/results`)).body.data).toHaveLength(2);
  expect(idsOf(await platform.anonymous.get(`/organizations/memberships?athleteId=${first}`))).toEqual([membershipId]);
  expect((await platform.anonymous.get(`/competitions/replays/${replay.id}`)).body.athlete).toMatchObject({ id: first });
  const ranked = '/competitions/rankings?sport=SWIMMING&eventCode=100_FREE';
  const rows = (await platform.anonymous.get(ranked)).body.data;
  expect(JSON.stringify(rows)).not.toContain(second);
  expect(JSON.stringify(counted)).toContain(String(best.value));

  const participants = [{ participantId: meet.entered.get('a'), mark: { value: 52_000 } }];
  const corrected = await club.post(`/competitions/matches/${matchId}/result/correct`, { reason: 'Timing', participants });
  expect(corrected.status).toBe(200);
  await platform.settled();
  const after = await numbersOf(first);
  expect(after).toHaveLength(counted.length);
  expect(JSON.stringify(after)).toContain('51000');
  expect(JSON.stringify(after)).not.toContain('50000');
  // an import by the external id is rejected, as another account owns the profile
  const repeated = await other.post('/athletes/batch', {
    items: [
      {
        displayName: 'X',
        sex: 'FEMALE',
        nationalities: [],
        sports: [{ sport: 'SWIMMING' }],
        externalIds: [{ scheme: 'TEST', value: 'dup-1' }],
      },
    ],
  });
  expect(repeated.body.data[0]).toMatchObject({ outcome: 'FAILED', error: { code: 'not_owner' } });
});

test('a registry id identifies one public profile before and after the merge', async () => {
  const ids = { externalIds: [{ scheme: 'WIKIDATA', value: 'Q7001' }], dateOfBirth: '2000-03-04' };
  const [{ id: second }, { id: first }] = [await createAdult(other, ids), await swimmer(club, 'wikidata')];
  await merged(second, first);
  const namesake = facts({ ...ids, status: 'ACTIVE' });
  expect((await club.post('/athletes', namesake)).body).toMatchObject({ status: 409, code: 'conflict' });
  expect(idsOf(await platform.anonymous.get('/athletes?externalId=WIKIDATA:Q7001'))).toEqual([first]);
});

test('tombstones of removed statistics reach exactly the viewers who could read them', async () => {
  const adults = [(await swimmer(other, 'gone')).id, (await swimmer(club, 'stays')).id] as const;
  const minors = [await createMinor(club, ['PROFILE']), await createMinor(club, ['PROFILE'])] as const;
  const since = new Date(Date.now() - 60_000).toISOString();
  const removeStatistics = async ([second, first]: readonly [string, string], owner: Client) => {
    const numbers = { scope: 'CAREER', sport: 'SWIMMING', source: 'PROVIDER', metrics: [{ key: 'reactionTimeMs', value: 611 }] };
    expect((await club.post('/athletes/statistics', { athleteId: first, ...numbers })).status).toBe(201);
    const { body } = await owner.post('/athletes/statistics', { athleteId: second, ...numbers });
    const moving = await owner.post('/athletes/statistics', { athleteId: second, ...numbers, source: 'SELF_REPORTED' });
    await merged(second, first);
    return [body.id, moving.body.id] as const;
  };
  const [[visible, moved], [hidden]] = [await removeStatistics(adults, other), await removeStatistics(minors, club)];
  await platform.settled();
  const changes = (await platform.anonymous.get(`/athletes/statistics?updatedSince=${since}&limit=100`)).body;
  expect(changes.tombstones).toContainEqual({ id: visible, deleted: true });
  expect(changes.data).toContainEqual(
    expect.objectContaining({ id: moved, athlete: expect.objectContaining({ id: adults[1] }) }),
  );
  for (const id of [hidden, moved]) expect(JSON.stringify(changes.tombstones)).not.toContain(id);
  const before = await other.get(`/athletes/statistics?mine=true&updatedSince=${since}&limit=100`);
  expect(before.body.tombstones).toEqual(expect.arrayContaining([visible, moved].map((id) => ({ id, deleted: true }))));
  const own = await club.get(`/athletes/statistics?mine=true&updatedSince=${since}&limit=100`);
  expect(own.body.tombstones).toContainEqual({ id: hidden, deleted: true });
});

test('an athlete listed twice on a team sheet is listed once, and goals without a sheet move too', async () => {
  const [{ id: second }, { id: first }] = [await swimmer(other, 'sheet-2'), await swimmer(club, 'sheet-1')];
  const { seasonId, participants } = await playLeague(club, ['Rot', 'Blau'], { category: 'WOMEN' });
  const play = async (home: object, more: object): Promise<ApiResponse['body']> => {
    const sides = participants.map((participantId, index) => ({
      participantId,
      ...(index === 0 ? { side: 'HOME', ...home } : { side: 'AWAY' }),
    }));
    const { status, body } = await club.post('/competitions/matches', {
      seasonId,
      date: '2026-09-05',
      participants: sides,
      ...more,
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body;
  };
  const lineup = [second, first].map((athleteId, index) => ({ athleteId, shirtNumber: 8 + index, starter: true }));
  const planned = await play({ lineup }, {});
  const score = participants.map((participantId, index) => ({ participantId, score: 1 - index }));
  const goal = { type: 'GOAL', minute: 7, participantId: participants[0], athleteId: second };
  const played = await play({}, { status: 'FINISHED', actions: [goal], result: { status: 'OFFICIAL', participants: score } });
  await merged(second, first);
  await platform.settled();

  const sheet = (await platform.anonymous.get(`/competitions/matches/${planned.id}`)).body.participants[0].lineup;
  expect(sheet).toMatchObject([{ athlete: { id: first }, shirtNumber: 9 }]);
  const path = `/competitions/matches/${played.id}/participants/${played.participants[0].entryId}/lineup`;
  const players = JSON.stringify({ players: [{ athleteId: first, starter: true }] });
  const put = { method: 'PUT', headers: { 'content-type': 'application/json', 'if-match': '*' }, body: players };
  expect((await club.send(path, put)).status).toBe(200);
  await platform.settled();
  expect(await numbersOf(first)).toContainEqual(
    expect.objectContaining({ scope: 'SEASON', metrics: [expect.objectContaining({ key: 'goals', value: 1 })] }),
  );
});

test('a chain of merges redirects to the last profile, whose erasure erases all', async () => {
  const [a, b, c] = [await swimmer(other, 'a'), await swimmer(other, 'b'), await swimmer(club, 'c')].map(({ id }) => id);
  if (!a || !b || !c) throw new Error('there are three profiles');
  await merged(a, b);
  await merged(b, c);
  for (const id of [a, b]) expect((await platform.anonymous.get(`/athletes/${id}`)).body.id).toBe(c);
  expect((await merge(b, c)).body).toMatchObject({ status: 409, code: 'invalid_transition' });
  expect((await merge(c, b)).body).toMatchObject({ status: 409, code: 'invalid_transition' });
  expect((await other.patch(`/athletes/${a}`, { knownAs: 'A' }, { 'if-match': '*' })).body).toMatchObject({ code: 'conflict' });
  expect((await club.post(`/athletes/${c}/erase`)).status).toBe(200);
  await platform.settled();
  await platform.maintain();
  for (const id of [a, b, c]) expect((await platform.anonymous.get(`/athletes/${id}`)).status).toBe(410);
});

test('is rejected for different persons, for own athletes, and without the scope', async () => {
  const [{ id: second }, { id: first }] = [await swimmer(other, 'r1'), await swimmer(club, 'r2')];
  const own = await platform.account({ account: 'Other', scopes: ['moderation:write'] });
  expect((await merge(second, first, own)).body).toMatchObject({ status: 403, code: 'not_owner' });
  expect((await merge(second, first, club)).body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect((await merge(second, second)).body.errors).toMatchObject([{ code: 'same' }]);
  const { id: male } = await createAdult(other, { sex: 'MALE', dateOfBirth: '2000-03-04' });
  const { id: older } = await createAdult(other, { dateOfBirth: '1999-03-04' });
  expect((await merge(male, first)).body.errors).toMatchObject([{ pointer: '/intoId', code: 'other_sex' }]);
  expect((await merge(older, first)).body.errors).toMatchObject([{ pointer: '/intoId', code: 'other_birth' }]);
  const meet = await holdMeet(
    club,
    new Map([
      ['a', second],
      ['b', first],
    ]),
    { name: 'Both' },
    { eventCode: '200_FREE' },
    ['a', 'b'],
  );
  await meet.swims({ a: 11_000, b: 11_100 });
  await platform.settled();
  expect((await merge(second, first)).body.errors).toMatchObject([{ code: 'met_in_match' }]);
});

test('publishes nothing new: neither a minor in an adult’s profile, nor hidden data', async () => {
  const minor = await createMinor(club, ['PROFILE']);
  const unknown = (await createAthlete(other)).id;
  const hidden = (await createAdult(other, { visibility: 'PRIVATE', dateOfBirth: '2000-03-04' })).id;
  const { id: adult } = await createAdult(club, { dateOfBirth: '2000-03-04' });
  for (const id of [unknown, hidden]) expect((await merge(id, adult)).body.errors).toMatchObject([{ code: 'shown_to_more' }]);
  expect((await merge(minor, adult)).body.status).toBe(422);
  // in the other direction, public data becomes hidden
  await merged(adult, hidden);
  for (const id of [adult, hidden]) expect((await platform.anonymous.get(`/athletes/${id}`)).status).toBe(404);
  expect((await other.get(`/athletes/${adult}`)).body.id).toBe(hidden);
  // a viewer who could not read the duplicate gets no redirect
  const { id: stays } = await createAdult(other, { visibility: 'PRIVATE', dateOfBirth: '2000-03-04' });
  await merged(hidden, stays);
  await other.patch(`/athletes/${stays}`, { visibility: 'PUBLIC' }, { 'if-match': '*' });
  expect((await platform.anonymous.get(`/athletes/${stays}`)).status).toBe(200);
  for (const part of ['', '/results', '/consents'])
    expect((await platform.anonymous.get(`/athletes/${hidden}${part}`)).status).toBe(404);
  expect((await platform.anonymous.get(`/athletes/${adult}`)).body.id).toBe(stays);
});
