/** What clients that poll lists and calendars of matches read after a change of a result. */
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { enterRepresentatives, playLeague, type League } from './leagues.ts';
import { createResource } from './season-fixtures.ts';
import { scored, scoring, type Fixture } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let league: League;
let at: ReturnType<typeof scoring>;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
  league = await playLeague(owner, ['Rot', 'Blau'], { name: 'Landesliga' });
  at = scoring(owner, league);
});
afterAll(() => platform.close());

const matches = '/competitions/matches';

/** The rows that changed since the last call. */
function changesOf(query: string) {
  let since = new Date().toISOString();
  return async () => {
    const { body } = await platform.anonymous.get(`${matches}?seasonId=${league.seasonId}&${query}&updatedSince=${since}`);
    since = body.page.updatedUntil;
    return body.data;
  };
}

async function eventOf(id: string) {
  const { body } = await platform.anonymous.get(`${matches}.ics?ids=${id}`);
  const calendar = new ICAL.Component(ICAL.parse(String(body)) as unknown[]);
  const [component] = calendar.getAllSubcomponents('vevent');
  if (!component) throw new Error(String(body));
  const property = (name: string): unknown => component.getFirstPropertyValue(name);
  const text = (name: string): string => String(property(name));
  return {
    summary: text('summary'),
    description: text('description'),
    status: text('status'),
    sequence: Number(property('sequence')),
    modified: text('last-modified'),
  };
}

describe('a match follows its result', () => {
  let match: Fixture;
  const certified = { status: 'OFFICIAL', participants: [{ score: 1 }, { score: 0 }] };
  beforeAll(async () => {
    match = await at.begun([0, 1], { startTime: new Date().toISOString() });
  });

  test('in the changes of the list, without a new version of the match', async () => {
    const changes = changesOf('status=IN_PLAY,FINISHED');
    await changes();
    const { version } = (await platform.anonymous.get(at.path(match.id))).body;
    const { headers } = await at.put(match.id, scored(match.sides, 0, 0));
    expect(await changes()).toMatchObject([{ id: match.id, version, result: { status: 'PROVISIONAL', version: 1 } }]);
    expect(await changes()).toEqual([]);
    await at.put(match.id, scored(match.sides, 1, 0), { 'if-match': headers.get('etag') ?? '' });
    expect(await changes()).toMatchObject([{ version, result: { version: 2, participants: [{ score: 1 }, { score: 0 }] } }]);
    await at.finish(match);
    await changes();
    await at.step(match.id, 'certify');
    expect(await changes()).toMatchObject([{ id: match.id, result: certified }]);
    await at.step(match.id, 'correct', { ...scored(match.sides, 1, 1), reason: 'Goal disallowed' });
    expect(await changes()).toMatchObject([{ result: { status: 'CORRECTED', participants: [{ score: 1 }, { score: 1 }] } }]);
    await at.step(match.id, 'annul', { reason: 'Ineligible player' });
    expect(await changes()).toMatchObject([{ id: match.id, result: { status: 'ANNULLED' } }]);
  });

  test('when clients poll the matches being played', async () => {
    const live = await at.begun([1, 0]);
    const changes = changesOf('live=true');
    await changes();
    const before = (await platform.anonymous.get(at.path(live.id))).body;
    const put = await at.put(live.id, scored(live.sides, 2, 0));
    const [row] = await changes();
    expect(row).toMatchObject({ id: live.id, result: { participants: [{ score: 2 }, { score: 0 }] } });
    expect(row.updatedAt >= put.body.updatedAt && row.updatedAt > before.updatedAt).toBe(true);
    // An equal result is no change.
    await at.put(live.id, scored(live.sides, 2, 0), { 'if-match': '*' });
    expect(await changes()).toEqual([]);
    // The version that a client read before the result is still that of the match.
    const patched = await owner.patch(at.path(live.id), { attendance: 900 }, { 'if-match': `"${before.version}"` });
    expect(patched.status).toBe(200);
    await at.finish(live);
  });

  test('in a batch of results', async () => {
    const { id, sides } = await at.begun([0, 1]);
    const changes = changesOf('live=true');
    await changes();
    const { body } = await owner.post('/competitions/results/batch', { items: [{ matchId: id, ...scored(sides, 3, 3) }] });
    expect(body.summary).toMatchObject({ created: 1 });
    expect(await changes()).toMatchObject([{ id, result: { participants: [{ score: 3 }, { score: 3 }] } }]);
    await owner.post(`${at.path(id)}/finish`);
  });

  test('and that of its parts', async () => {
    const parent = await at.begun([0, 1]);
    const sides = await enterRepresentatives(owner, league, ['Erster', 'Zweiter']);
    const participants = sides.map((participantId) => ({ participantId }));
    const part = { seasonId: league.seasonId, parentMatchId: parent.id, participants };
    const { id } = await createResource(owner, matches, part);
    await owner.post(`${at.path(id)}/start`);
    const changes = changesOf('partOfMatch=false');
    await changes();
    await at.put(id, scored(sides, 2, 1));
    expect(await changes()).toMatchObject([{ id: parent.id, subMatchScore: [1, 0] }]);
  });

  test('in its calendar event', async () => {
    const { id, sides } = await at.begun([0, 1], { startTime: '2026-09-12T13:30:00Z' });
    const before = await eventOf(id);
    await at.put(id, scored(sides, 1, 1));
    const after = await eventOf(id);
    expect([after.summary, after.sequence]).toEqual(['Rot – Blau 1-1', before.sequence + 1]);
    expect(after.modified >= before.modified).toBe(true);
    await owner.post(`${at.path(id)}/finish`);
    await at.step(id, 'certify');
    expect((await eventOf(id)).sequence).toBe(before.sequence + 3);
  });
});

test('an annulled result is no score in calendars, no last match and no form', async () => {
  const own = await playLeague(owner, ['Gelb', 'Lila'], { name: 'Kreisliga' });
  const { played, step } = scoring(owner, own);
  const kept = await played([0, 1], [1, 0], { startTime: '2026-09-05T13:30:00Z' });
  const { id } = await played([1, 0], [5, 0], { startTime: '2026-09-19T13:30:00Z' });
  const [teamId, opponentId] = own.teams;
  await step(id, 'annul', { reason: 'Ineligible player' });
  expect(await eventOf(id)).toMatchObject({
    summary: 'Lila – Gelb',
    status: 'CONFIRMED',
    description: expect.stringContaining('Result annulled'),
  });
  const { body } = await platform.anonymous.get(`${matches}?teamId=${teamId}&last=5`);
  expect(body.data.map((row: { id: string }) => row.id)).toEqual([kept.id]);
  const rows = await platform.anonymous.get(`${matches}?teamId=${teamId}`);
  expect(rows.body.data).toMatchObject([{ result: { status: 'OFFICIAL' } }, { result: { status: 'ANNULLED' } }]);
  const compared = await platform.anonymous.get(`/competitions/head-to-head?teamId=${teamId}&opponentId=${opponentId}`);
  expect(compared.body).toMatchObject({ matchesPlayed: 1, won: 1, form: ['WIN'], opponentForm: ['LOSS'] });
  expect(compared.body.lastMatches).toHaveLength(1);
});

test('two teams compare their ties, not the parts of them', async () => {
  const own = await playLeague(owner, ['Belgien', 'Chile'], { name: 'Davis Cup', sport: 'TENNIS' });
  const { played, path } = scoring(owner, own);
  const tie = await played([0, 1], [2, 1], { startTime: '2026-09-05T13:30:00Z' });
  const players = await enterRepresentatives(owner, own, ['Goffin', 'Jarry']);
  const participants = players.map((participantId) => ({ participantId }));
  const result = { status: 'OFFICIAL', scoreText: '6-1 6-1', participants };
  const part = { seasonId: own.seasonId, parentMatchId: tie.id, participants, status: 'FINISHED', result };
  const { id } = await createResource(owner, matches, part);
  expect((await platform.anonymous.get(path(id))).body.result).toMatchObject({ status: 'OFFICIAL' });
  const [teamId, opponentId] = own.teams;
  const { body } = await platform.anonymous.get(`/competitions/head-to-head?teamId=${teamId}&opponentId=${opponentId}`);
  expect(body).toMatchObject({ matchesPlayed: 1, won: 1, scoreFor: 2, scoreAgainst: 1, form: ['WIN'], opponentForm: ['LOSS'] });
});
