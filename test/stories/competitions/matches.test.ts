/** Matches through the public APIs: creation, reads, transitions and deletion. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
let league: League;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'League' }), platform.account({ account: 'Other' })]);
  league = await playLeague(owner, ['Rot', 'Blau', 'Grün', 'Gelb']);
});
afterAll(() => platform.close());

const between = (home: number, away: number) => [
  { participantId: league.participants[home], side: 'HOME' },
  { participantId: league.participants[away], side: 'AWAY' },
];

const create = async (facts: object = {}, of: League = league) => {
  const { status, body } = await owner.post('/competitions/matches', { seasonId: of.seasonId, ...facts });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body;
};

describe('a match', () => {
  test('is created in the implied stage of its season, and read through both APIs', async () => {
    const facts = { matchday: 1, startTime: '2026-08-08T13:30:00Z', timeZone: 'Europe/Berlin', venue: { city: 'Jena' } };
    const match = await create({ ...facts, participants: between(0, 1), officials: [{ name: 'A. Referee', role: 'REFEREE' }] });
    expect(match).toMatchObject({
      status: 'TIMED',
      version: 1,
      sport: 'FOOTBALL',
      season: { id: league.seasonId },
      matchday: 1,
      date: '2026-08-08',
      startTime: '2026-08-08T13:30:00.000Z',
      venue: { name: null, city: 'Jena', country: null, neutral: false },
      officials: [{ name: 'A. Referee', role: 'REFEREE', country: null }],
      result: null,
      actions: [],
    });
    expect(match.participants).toEqual([
      expect.objectContaining({ side: 'HOME', bye: false, participant: expect.objectContaining({ name: 'Rot' }), lineup: [] }),
      expect.objectContaining({ side: 'AWAY', placeholder: null, participant: expect.objectContaining({ name: 'Blau' }) }),
    ]);
    expect((await platform.anonymous.get(`/competitions/matches/${match.id}`)).body).toEqual(match);
    const second = await create({ participants: between(2, 3) });
    expect(second.stage).toEqual(match.stage);
    expect(second).toMatchObject({ status: 'SCHEDULED', date: null, startTime: null, contest: match.contest });
    const { body } = await platform.anonymous.graphql(
      'query ($id: ID!) { match(id: $id) { matchday season { matches(first: 5) { nodes { id } } } participants { participant { name } } } }',
      { id: match.id },
    );
    expect(body.data.match.season.matches.nodes).toContainEqual({ id: match.id });
    expect(body.data.match.participants).toEqual([{ participant: { name: 'Rot' } }, { participant: { name: 'Blau' } }]);
  });

  test('reports all violations together', async () => {
    const foreign = await playLeague(owner, ['Weiß']);
    const [outsider] = foreign.participants;
    const { status, body } = await owner.post('/competitions/matches', {
      seasonId: league.seasonId,
      group: 'A',
      date: '2026-08-09',
      startTime: '2026-08-08T13:30:00Z',
      timeZone: 'Europe/Berlin',
      status: 'FINISHED',
      participants: [
        { participantId: league.participants[0], side: 'HOME' },
        { participantId: league.participants[0], side: 'HOME' },
        { participantId: outsider, side: 'RED' },
        {},
        { bye: true, placeholder: { text: 'Sieger' } },
        { placeholder: {} },
        { placeholder: { sourceMatchId: crypto.randomUUID() } },
      ],
    });
    expect(status).toBe(422);
    const violations = body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
    expect(violations.toSorted()).toEqual([
      '/date not_that_day',
      '/group unknown_group',
      '/participants/1/participantId duplicate',
      '/participants/1/side duplicate',
      '/participants/2 two_sides',
      '/participants/2/participantId unknown_participant',
      '/participants/2/side other_sides',
      '/participants/3 one_of',
      '/participants/4 one_of',
      '/participants/5/placeholder one_of',
      '/participants/6/placeholder/outcome required',
      '/participants/6/placeholder/sourceMatchId unknown_match',
      '/result required',
    ]);
    const zone = await owner.post('/competitions/matches', { seasonId: league.seasonId, timeZone: '+02:00', status: 'TIMED' });
    expect(zone.body.errors).toEqual([
      expect.objectContaining({ pointer: '/startTime', code: 'required' }),
      expect.objectContaining({ pointer: '/timeZone', code: 'unknown_time_zone' }),
    ]);
  });

  test('belongs to the account of its season', async () => {
    const denied = await other.post('/competitions/matches', { seasonId: league.seasonId });
    expect(denied.body).toMatchObject({ status: 403, code: 'not_owner' });
    const unknown = await other.post('/competitions/matches', { seasonId: crypto.randomUUID() });
    expect(unknown.body).toMatchObject({ errors: [{ pointer: '/seasonId', code: 'unknown_season' }] });
    const match = await create();
    expect((await other.patch(`/competitions/matches/${match.id}`, { round: 'x' }, { 'if-match': '*' })).body.code).toBe(
      'not_owner',
    );
    expect((await other.post(`/competitions/matches/${match.id}/start`)).body.code).toBe('not_owner');
    expect((await other.delete(`/competitions/matches/${match.id}`, { 'if-match': '*' })).body.code).toBe('not_owner');
    expect((await platform.anonymous.post('/competitions/matches', { seasonId: league.seasonId })).status).toBe(401);
  });

  test('of an unpublished competition is visible to its owner only', async () => {
    const draft = await playLeague(owner, ['Eins', 'Zwei'], { status: 'DRAFT' });
    const match = await create({ participants: [{ participantId: draft.participants[0] }] }, draft);
    expect((await platform.anonymous.get(`/competitions/matches/${match.id}`)).status).toBe(404);
    expect((await other.get(`/competitions/matches?seasonId=${draft.seasonId}`)).body.data).toEqual([]);
    expect((await other.post(`/competitions/matches/${match.id}/start`)).status).toBe(404);
    expect((await other.post('/competitions/matches', { seasonId: draft.seasonId })).body.errors).toEqual([
      expect.objectContaining({ code: 'unknown_season' }),
    ]);
    expect((await owner.get(`/competitions/matches?mine=true&seasonId=${draft.seasonId}`)).body.data).toHaveLength(1);
    expect((await owner.get(`/competitions/matches/${match.id}`)).status).toBe(200);
  });

  test('can be patched, except for its status and start time', async () => {
    const match = await create({ startTime: '2026-09-05T22:30:00Z', timeZone: 'UTC', venue: { name: 'Stadion', city: 'Jena' } });
    const path = `/competitions/matches/${match.id}`;
    const patched = await owner.patch(
      path,
      { timeZone: 'Europe/Berlin', attendance: 1200, venue: { city: null } },
      { 'if-match': '"1"' },
    );
    expect(patched.body).toMatchObject({
      version: 2,
      date: '2026-09-06',
      attendance: 1200,
      venue: { name: 'Stadion', city: null },
    });
    expect((await owner.patch(path, { round: 'x' }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await owner.patch(path, { round: 'x' })).status).toBe(428);
    expect((await owner.patch(path, { date: '2026-10-01' }, { 'if-match': '*' })).body.errors).toEqual([
      expect.objectContaining({ pointer: '/date', code: 'not_that_day' }),
    ]);
    expect((await owner.patch(path, { date: null }, { 'if-match': '*' })).body.errors).toEqual([
      expect.objectContaining({ pointer: '/date', code: 'follows_from_start' }),
    ]);
    expect((await owner.patch(path, { attendance: 1200 }, { 'if-match': '*' })).body.version).toBe(2);
  });

  test('can be deleted while it has not started and has no result', async () => {
    const [first, waiting] = [await create(), await create()];
    const placeholder = { sourceMatchId: first.id, outcome: 'WINNER' };
    const last = await create({ participants: [{ placeholder }, { placeholder: { ...placeholder, outcome: 'LOSER' } }] });
    expect(last.participants[0].placeholder).toEqual({ text: null, sourceMatch: { id: first.id }, outcome: 'WINNER' });
    const rejected = await owner.delete(`/competitions/matches/${first.id}`, { 'if-match': '*' });
    expect(rejected.body).toMatchObject({ status: 409, code: 'in_use' });
    expect(rejected.body.detail).toContain(last.id);
    expect((await owner.delete(`/competitions/matches/${last.id}`, { 'if-match': '"1"' })).status).toBe(200);
    expect((await owner.delete(`/competitions/matches/${first.id}`, { 'if-match': '"1"' })).status).toBe(200);
    expect((await owner.get(`/competitions/matches/${first.id}`)).status).toBe(404);
    await owner.post(`/competitions/matches/${waiting.id}/start`);
    expect((await owner.delete(`/competitions/matches/${waiting.id}`, { 'if-match': '*' })).body.code).toBe('in_use');
  });
});

describe('the transitions of a match', () => {
  const step = (id: string, verb: string, body?: object) => owner.post(`/competitions/matches/${id}/${verb}`, body);

  test('lead from the fixture to the end of the match, with reasons', async () => {
    const { id } = await create({ date: '2026-10-10', participants: between(0, 2) });
    expect((await step(id, 'postpone', { reason: 'Fog' })).body).toMatchObject({ status: 'POSTPONED', statusReason: 'Fog' });
    const scheduled = await step(id, 'schedule', { startTime: '2026-10-24T18:00:00+02:00', timeZone: 'Europe/Berlin' });
    expect(scheduled.body).toMatchObject({
      status: 'TIMED',
      statusReason: null,
      date: '2026-10-24',
      startTime: '2026-10-24T16:00:00.000Z',
      timeZone: 'Europe/Berlin',
    });
    const states: string[] = [];
    for (const verb of ['start', 'pause', 'resume', 'extra-time', 'shootout', 'finish'])
      states.push((await step(id, verb)).body.status);
    expect(states).toEqual(['IN_PLAY', 'PAUSED', 'IN_PLAY', 'EXTRA_TIME', 'PENALTY_SHOOTOUT', 'FINISHED']);
    const rejected = await step(id, 'start');
    expect(rejected.body).toMatchObject({ status: 409, code: 'invalid_transition', allowedTransitions: ['award'] });
    expect((await step(id, 'award', { reason: 'Ineligible player' })).body).toMatchObject({
      status: 'AWARDED',
      statusReason: 'Ineligible player',
    });
  });

  test('include abandoned and cancelled matches', async () => {
    const { id } = await create();
    await step(id, 'start');
    expect((await step(id, 'suspend', { reason: 'Storm' })).body).toMatchObject({ status: 'SUSPENDED', statusReason: 'Storm' });
    expect((await step(id, 'abandon')).body).toMatchObject({ status: 'ABANDONED', statusReason: null });
    const called = await create();
    expect((await step(called.id, 'cancel', { reason: 'Withdrawn' })).body).toMatchObject({ status: 'CANCELLED' });
    expect((await step(called.id, 'schedule', { startTime: '2026-10-24T18:00:00Z' })).body.allowedTransitions).toEqual([]);
  });
});
