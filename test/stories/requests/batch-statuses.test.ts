/** The status of a batch item: an existing resource moves to it as by its transition, or the item fails. It is never ignored. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, facts } from '../athletes/people.ts';
import { playLeague } from '../competitions/leagues.ts';
import { scored, scoring } from '../competitions/scores.ts';

let platform: TestPlatform;
let owner: Client;
let moderator: Client;
let club: string;
let competition: string;
let season: string;
let adult: string;
let minor: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Batches' });
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  club = await created('/organizations', { type: 'CLUB', name: 'Host', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' });
  competition = await created('/competitions', { name: 'Cup', sport: 'FOOTBALL', type: 'CUP', status: 'PUBLISHED' });
  season = await created('/competitions/seasons', {
    competitionId: competition,
    name: unique(),
    ...dates,
    status: 'IN_PROGRESS',
  });
  adult = await created('/athletes', facts({ dateOfBirth: bornFor(25, 3), status: 'ACTIVE' }));
  minor = await created('/athletes', facts({ dateOfBirth: bornFor(15, 3) }));
});
afterAll(() => platform.close());

const dates = { startDate: '2026-01-01', endDate: '2026-12-31' };

async function created(path: string, body: object): Promise<string> {
  const response = await owner.post(path, body);
  expect({ status: response.status, body: response.body }).toMatchObject({ status: 201 });
  return response.body.id;
}

let count = 0;
const unique = (): string => `2026 ${(count += 1)}`;
const externalIds = () => [{ scheme: 'BATCH', value: `status-${(count += 1)}` }];

async function upsert(path: string, item: object) {
  const { status, body } = await owner.post(`${path}/batch`, { items: [item] });
  expect(status).toBe(200);
  return body.data[0];
}

interface Resource {
  readonly path: string;
  readonly body: () => object;
  readonly first: string;
  readonly next: string;
  readonly verb: string;
}

const clip = () => ({ athleteId: adult, title: 'Free kick', kind: 'CLIP', url: 'https://video.example/1' });
const deadline = () => new Date(Date.now() + 30 * 86_400_000).toISOString();
const resources: readonly Resource[] = [
  { path: '/athletes', body: () => facts({ dateOfBirth: bornFor(25, 3) }), first: 'DRAFT', next: 'ACTIVE', verb: 'activate' },
  {
    path: '/organizations',
    body: () => ({ type: 'CLUB', name: 'Club', country: 'DE', sports: ['FOOTBALL'] }),
    first: 'DRAFT',
    next: 'ACTIVE',
    verb: 'activate',
  },
  {
    path: '/opportunities',
    body: () => ({
      type: 'TRIAL',
      organizationId: club,
      sport: 'FOOTBALL',
      title: 'Trial',
      description: 'A trial.',
      totalOpenings: 5,
      applicationDeadline: deadline(),
    }),
    first: 'DRAFT',
    next: 'PUBLISHED',
    verb: 'publish',
  },
  {
    path: '/competitions',
    body: () => ({ name: 'Cup', sport: 'FOOTBALL', type: 'CUP' }),
    first: 'DRAFT',
    next: 'PUBLISHED',
    verb: 'publish',
  },
  {
    path: '/competitions/seasons',
    body: () => ({ competitionId: competition, name: unique(), ...dates }),
    first: 'PLANNED',
    next: 'IN_PROGRESS',
    verb: 'start',
  },
  { path: '/competitions/replays', body: clip, first: 'DRAFT', next: 'PUBLISHED', verb: 'publish' },
];

describe.each(resources)('$path', ({ path, body, first, next, verb }) => {
  test('the status of an item is the status of the resource, as after the transition', async () => {
    const item = { ...body(), externalIds: externalIds() };
    const { id } = await upsert(path, item);
    expect((await owner.get(`${path}/${id}`)).body.status).toBe(first);
    expect(await upsert(path, { ...item, status: first })).toMatchObject({ outcome: 'UNCHANGED', version: 1 });
    expect(await upsert(path, { ...item, status: next })).toMatchObject({ outcome: 'UPDATED', version: 2 });
    const { body: moved } = await owner.get(`${path}/${id}`);
    expect(moved).toMatchObject({ status: next, version: 2 });
    if (path !== '/competitions/seasons') expect((await platform.anonymous.get(`${path}/${id}`)).status).toBe(200);
    expect(await upsert(path, { ...item, status: next })).toMatchObject({ outcome: 'UNCHANGED', version: 2 });
    expect(await upsert(path, item)).toMatchObject({ outcome: 'UNCHANGED', version: 2 });

    const other = { ...body(), externalIds: externalIds() };
    const { id: routed } = await upsert(path, other);
    const { body: byRoute } = await owner.post(`${path}/${routed}/${verb}`);
    expect(byRoute).toMatchObject({ status: moved.status, version: moved.version });
  });

  test('an item with an earlier status changes nothing: the same batch can be sent again', async () => {
    const item = { ...body(), externalIds: externalIds() };
    const { id } = await upsert(path, { ...item, status: next });
    expect(await upsert(path, { ...item, status: first })).toMatchObject({ outcome: 'UNCHANGED', version: 1 });
    expect((await owner.get(`${path}/${id}`)).body).toMatchObject({ status: next, version: 1 });
  });
});

test('an item never brings back what its owner or a moderator has taken back, and says what to call', async () => {
  const athlete = { ...facts({ dateOfBirth: bornFor(25, 3) }), externalIds: externalIds(), status: 'ACTIVE' };
  const { id } = await upsert('/athletes', athlete);
  await owner.post(`/athletes/${id}/deactivate`);
  const failed = await upsert('/athletes', { ...athlete, heightCm: 180 });
  expect(failed).toMatchObject({ outcome: 'FAILED', error: { code: 'invalid_transition', existingId: id } });
  expect(failed.error.detail).toContain('`activate`');
  const { status: _, ...rest } = athlete;
  expect(await upsert('/athletes', { ...rest, heightCm: 180 })).toMatchObject({ outcome: 'UPDATED' });
  await owner.post(`/athletes/${id}/activate`);
  await moderator.post(`/athletes/${id}/suspend`, { reason: 'Report' });
  expect(await upsert('/athletes', athlete)).toMatchObject({ outcome: 'FAILED', error: { code: 'invalid_transition' } });
});

test('a minor waits for consent: a repeated item changes nothing, and a draft is not activated', async () => {
  const minor = { ...facts({ dateOfBirth: bornFor(15, 3) }), externalIds: externalIds() };
  const { id } = await upsert('/athletes', { ...minor, status: 'ACTIVE' });
  expect((await owner.get(`/athletes/${id}`)).body.status).toBe('PENDING_CONSENT');
  expect(await upsert('/athletes', { ...minor, status: 'ACTIVE' })).toMatchObject({ outcome: 'UNCHANGED' });
  const draft = { ...minor, externalIds: externalIds() };
  await upsert('/athletes', draft);
  expect(await upsert('/athletes', { ...draft, status: 'ACTIVE' })).toMatchObject({
    outcome: 'FAILED',
    error: { code: 'consent_required' },
  });
});

test('a season finishes from each earlier status, unless matches are open', async () => {
  const path = '/competitions/seasons';
  const item = { competitionId: competition, name: unique(), ...dates, externalIds: externalIds() };
  const { id } = await upsert(path, item);
  await created('/competitions/matches', { seasonId: id, date: '2026-05-01' });
  expect(await upsert(path, { ...item, status: 'FINISHED' })).toMatchObject({
    outcome: 'FAILED',
    error: { code: 'invalid_transition' },
  });
  const empty = { ...item, name: unique(), externalIds: externalIds() };
  await upsert(path, empty);
  expect(await upsert(path, { ...empty, status: 'FINISHED' })).toMatchObject({ outcome: 'UPDATED', version: 3 });
});

test('a publication has the requirements of its route', async () => {
  const draft = {
    type: 'TRIAL',
    organizationId: club,
    sport: 'FOOTBALL',
    title: 'Trial',
    description: 'A trial.',
    totalOpenings: 5,
    applicationDeadline: new Date(Date.now() - 60_000).toISOString(),
    externalIds: externalIds(),
  };
  expect(await upsert('/opportunities', draft)).toMatchObject({ outcome: 'CREATED' });
  expect(await upsert('/opportunities', { ...draft, status: 'PUBLISHED' })).toMatchObject({
    outcome: 'FAILED',
    error: { code: 'validation_failed', errors: [{ pointer: '/applicationDeadline', code: 'in_past' }] },
  });
});

test('the status of a match item moves the match or fails the item', async () => {
  const path = '/competitions/matches';
  const item = { seasonId: season, date: '2026-05-01', externalIds: externalIds() };
  const { id } = await upsert(path, { ...item, status: 'SCHEDULED' });
  const timed = { ...item, startTime: '2026-05-01T18:00:00Z', timeZone: 'Europe/Berlin', status: 'TIMED' };
  expect(await upsert(path, timed)).toMatchObject({ outcome: 'UPDATED' });
  expect((await owner.get(`${path}/${id}`)).body.status).toBe('TIMED');
  for (const verb of ['start', 'suspend']) await owner.post(`${path}/${id}/${verb}`);
  expect(await upsert(path, timed)).toMatchObject({ outcome: 'UNCHANGED' });
  await owner.post(`${path}/${id}/cancel`);
  const failed = await upsert(path, timed);
  expect(failed).toMatchObject({ outcome: 'FAILED', error: { code: 'invalid_transition', existingId: id } });
  expect(failed.error.detail).toContain('Omit `status`');
  const { status: _, ...rest } = timed;
  expect(await upsert(path, rest)).toMatchObject({ outcome: 'UNCHANGED' });
});

test('a replay of a minor waits for its review, and a repeated item changes nothing', async () => {
  const path = '/competitions/replays';
  const item = { ...clip(), athleteId: minor, externalIds: externalIds() };
  const { id } = await upsert(path, item);
  expect(await upsert(path, { ...item, status: 'PUBLISHED' })).toMatchObject({ outcome: 'UPDATED' });
  expect((await owner.get(`${path}/${id}`)).body.status).toBe('REVIEW');
  expect(await upsert(path, { ...item, status: 'PUBLISHED' })).toMatchObject({ outcome: 'UNCHANGED' });
});

test('a result without a status is provisional in every request, and keeps its status when it is sent again', async () => {
  const league = await playLeague(owner, ['One', 'Two']);
  const play = scoring(owner, league);
  const { id: match, sides } = await play.begun([0, 1]);
  await owner.post(`/competitions/matches/${match}/finish`);
  const result = scored(sides, 2, 1);
  const item = { seasonId: league.seasonId, startTime: '2026-09-01T18:00:00Z', status: 'FINISHED', result };
  const participants = sides.map((participantId) => ({ participantId }));
  const statusOf = async (id: string): Promise<string> => (await owner.get(`/competitions/matches/${id}/result`)).body.status;
  const imported = { ...item, participants, externalIds: externalIds() };
  const { id } = await upsert('/competitions/matches', imported);
  const single = await created('/competitions/matches', { ...item, startTime: '2026-09-08T18:00:00Z', participants });
  expect(await upsert('/competitions/results', { matchId: match, ...result })).toMatchObject({ outcome: 'CREATED' });
  expect(await Promise.all([id, single, match].map(statusOf))).toEqual(['PROVISIONAL', 'PROVISIONAL', 'PROVISIONAL']);
  for (const each of [id, match]) await owner.post(`/competitions/matches/${each}/result/certify`);
  expect(await upsert('/competitions/matches', imported)).toMatchObject({ outcome: 'UNCHANGED' });
  expect(await upsert('/competitions/results', { matchId: match, ...result })).toMatchObject({ outcome: 'UNCHANGED' });
  expect(await Promise.all([id, match].map(statusOf))).toEqual(['OFFICIAL', 'OFFICIAL']);
});
