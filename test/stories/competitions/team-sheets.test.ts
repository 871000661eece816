/** Team sheets: formation, staff, and players who have a name instead of a profile. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague } from './leagues.ts';
import { scoring } from './scores.ts';
import { createResource } from './season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
});
afterAll(() => platform.close());

const player = async (displayName: string): Promise<string> => {
  const facts = { displayName, sex: 'MALE', birthYear: 1998, nationalities: ['DE'], status: 'ACTIVE' };
  return (await createResource(owner, '/athletes', { ...facts, sports: [{ sport: 'FOOTBALL', primary: true }] })).id;
};
const sheetOf = (path: string, entryId: string, body: object, version = '*') =>
  owner.send(`${path}/participants/${entryId}/lineup`, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'if-match': version },
  });

test('a team sheet has a formation, a staff, and players with and without a profile', async () => {
  const league = await playLeague(owner, ['Heim', 'Gast']);
  const at = scoring(owner, league);
  const { id } = await at.begun([0, 1]);
  const path = at.path(id);
  const [athleteId, other] = [await player('Mit Profil'), await player('Bank')];
  const [home] = (await owner.get(path)).body.participants;
  const players = [
    { athleteId, position: 'GK', shirtNumber: 1, captain: true },
    { name: 'Ohne Profil', position: 'CB', shirtNumber: 4 },
    { athleteId: other, starter: false },
  ];
  const staff = [{ name: 'Trainerin' }, { name: 'Co', role: 'ASSISTANT_COACH' }];
  const written = await sheetOf(path, home.entryId, { players, formation: '4-3-3', staff });
  expect([written.status, written.body.errors]).toEqual([200, undefined]);
  const read = async () => (await platform.anonymous.get(path)).body.participants[0];
  expect(await read()).toMatchObject({
    formation: '4-3-3',
    staff: [
      { name: 'Trainerin', role: 'HEAD_COACH' },
      { name: 'Co', role: 'ASSISTANT_COACH' },
    ],
    lineup: [
      { athlete: { displayName: 'Mit Profil' }, name: null, starter: true },
      { athlete: null, name: 'Ohne Profil', shirtNumber: 4, starter: true },
      { athlete: { displayName: 'Bank' }, starter: false },
    ],
  });

  await sheetOf(path, home.entryId, { players });
  expect(await read()).toMatchObject({ formation: '4-3-3', staff: [{}, {}] });
  await owner.patch(`${path}/participants/${home.entryId}`, { formation: '3-5-2', staff: null }, { 'if-match': '*' });
  expect(await read()).toMatchObject({ formation: '3-5-2', staff: [], lineup: [{}, { name: 'Ohne Profil' }, {}] });

  // An import that leaves out the team sheet keeps it.
  await owner.patch(path, { externalIds: [{ scheme: 'TEST', value: 'sheet-1' }] }, { 'if-match': '*' });
  const participants = league.participants.map((participantId, side) => ({ participantId, side: side === 0 ? 'HOME' : 'AWAY' }));
  const item = { seasonId: league.seasonId, participants, externalIds: [{ scheme: 'TEST', value: 'sheet-1' }] };
  expect((await owner.post('/competitions/matches/batch', { items: [item] })).body.summary).toMatchObject({ unchanged: 1 });
  expect(await read()).toMatchObject({ formation: '3-5-2', lineup: [{}, { name: 'Ohne Profil' }, {}] });

  const errors = async (body: object) => (await sheetOf(path, home.entryId, body)).body.errors;
  expect(await errors({ players: [{ position: 'GK' }] })).toMatchObject([{ pointer: '/players/0/athleteId', code: 'one_of' }]);
  expect(await errors({ players: [{ athleteId, name: 'Beides' }] })).toMatchObject([{ code: 'one_of' }]);
  expect((await sheetOf(path, home.entryId, { players: [], formation: 'four' })).status).toBe(422);
});

test('a merged profile leaves the players without a profile in the line-up', async () => {
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  const league = await playLeague(owner, ['Eins', 'Zwei']);
  const at = scoring(owner, league);
  const { id } = await at.begun([0, 1]);
  const [twin, kept] = [await player('Doppelt'), await player('Doppelt')];
  const [home] = (await owner.get(at.path(id))).body.participants;
  await sheetOf(at.path(id), home.entryId, { players: [{ name: 'Ohne Profil' }, { athleteId: twin }] });
  const merged = await moderator.post(`/athletes/${twin}/merge`, { intoId: kept, reason: 'Twice' });
  expect(merged.status).toBe(200);
  await platform.settled();
  const { lineup } = (await owner.get(at.path(id))).body.participants[0];
  expect(lineup).toMatchObject([{ name: 'Ohne Profil' }, { athlete: { id: kept } }]);
});

test('in an age group of minors every player needs a profile', async () => {
  const league = await playLeague(owner, ['Jugend A', 'Jugend B'], { ageGroup: 'U17' });
  const at = scoring(owner, league);
  const { id } = await at.begun([0, 1]);
  const [home] = (await owner.get(at.path(id))).body.participants;
  const { body } = await sheetOf(at.path(id), home.entryId, { players: [{ name: 'Kind' }] });
  expect(body.errors).toMatchObject([{ pointer: '/players/0/name', code: 'profile_required' }]);
  const participants = league.participants.map((participantId) => ({ participantId, lineup: [{ name: 'Kind' }] }));
  const created = await owner.post('/competitions/matches', { seasonId: league.seasonId, participants });
  expect(created.body.errors).toMatchObject([
    { pointer: '/participants/0/lineup/0/name', code: 'profile_required' },
    { pointer: '/participants/1/lineup/0/name', code: 'profile_required' },
  ]);
});
