/** Match participants, team sheets and match actions through the public APIs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult } from '../organizations/clubs.ts';
import { playLeague, type League } from './leagues.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
let league: League;
let players: readonly string[];
let hidden: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'League' }), platform.account({ account: 'Other' })]);
  league = await playLeague(owner, ['Rot', 'Blau', 'Grün']);
  const adults = [await createAdult(owner), await createAdult(owner), await createAdult(other), await createAdult(other)];
  players = adults.map(({ id }) => id);
  hidden = (await createAthlete(other, { dateOfBirth: bornFor(15, 50) })).id;
});
afterAll(() => platform.close());

const anyone = { 'if-match': '*' };
const violationsOf = ({ body }: { body: { errors: { pointer: string; code: string }[] } }): string[] =>
  body.errors.map(({ pointer, code }) => `${pointer} ${code}`);

async function create(facts: object = {}) {
  const { status, body } = await owner.post('/competitions/matches', { seasonId: league.seasonId, ...facts });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body;
}
const derby = () => create({ participants: league.participants.slice(0, 2).map((participantId) => ({ participantId })) });
const place = (match: { id: string; participants: { entryId: string }[] }, index: number): string =>
  `/competitions/matches/${match.id}/participants/${match.participants[index]?.entryId}`;
const put = (path: string, body: object, headers: Record<string, string> = anyone) =>
  owner.send(path, { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } });

describe('a match participant', () => {
  test('can be added later, updated and removed', async () => {
    const match = await create({ participants: [{ placeholder: { text: 'Sieger Nord' }, lane: 4 }] });
    const path = `/competitions/matches/${match.id}/participants`;
    const entered = await owner.post(path, { participantId: league.participants[1], lane: 5, bib: '17' });
    expect(entered.status).toBe(201);
    expect(entered.body).toMatchObject({ id: match.id, version: 2, participants: [{ lane: 4 }, { lane: 5, bib: '17' }] });
    expect(violationsOf(await owner.post(path, { participantId: league.participants[1] }))).toEqual([
      '/participantId duplicate',
      ' two_sides',
    ]);
    expect(violationsOf(await owner.post(path, {}))).toEqual([' one_of', ' two_sides']);

    const known = await owner.patch(
      place(entered.body, 0),
      { participantId: league.participants[0], lane: null },
      { 'if-match': '"2"' },
    );
    expect(known.body).toMatchObject({
      version: 3,
      participants: [{ participant: { name: 'Rot' }, lane: null, placeholder: { text: 'Sieger Nord' } }, { lane: 5 }],
    });
    expect(violationsOf(await owner.patch(place(match, 0), { participantId: league.participants[1] }, anyone))).toEqual([
      '/participantId duplicate',
    ]);
    expect(violationsOf(await owner.patch(place(match, 0), { participantId: null, placeholder: null }, anyone))).toEqual([
      ' one_of',
    ]);
    expect((await owner.patch(place(match, 0), { lane: 1 }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await other.patch(place(match, 0), { lane: 1 }, anyone)).body.code).toBe('not_owner');
    const secondUpdate = await owner.patch(place(match, 0), { participantId: league.participants[0] }, anyone);
    expect(secondUpdate.body.version).toBe(3);

    const left = await owner.delete(place(entered.body, 1), { 'if-match': '"3"' });
    expect(left.body).toMatchObject({ version: 4, participants: [{ participant: { name: 'Rot' } }] });
    expect((await owner.delete(place(entered.body, 1), anyone)).status).toBe(404);
  });

  test('can be a placeholder for the winner of another match; an import keeps the resolved participant', async () => {
    const semi = await create();
    const placeholder = { sourceMatchId: semi.id, outcome: 'WINNER' };
    const item = {
      seasonId: league.seasonId,
      externalIds: [{ scheme: 'FEED', value: 'final' }],
      participants: [{ placeholder }],
    };
    const send = async () => (await owner.post('/competitions/matches/batch', { items: [item] })).body.data[0];
    const { id } = await send();
    const read = async () => (await owner.get(`/competitions/matches/${id}`)).body;
    const found = await owner.patch(place(await read(), 0), { participantId: league.participants[0] }, anyone);
    expect(found.body.participants[0].participant.name).toBe('Rot');
    expect(await send()).toMatchObject({ outcome: 'UNCHANGED', id });
    const given = await owner.patch(place(found.body, 0), { participantId: null }, anyone);
    expect(given.body.participants).toEqual([
      expect.objectContaining({
        participant: null,
        placeholder: { text: null, sourceMatch: { id: semi.id }, outcome: 'WINNER' },
      }),
    ]);
  });

  test('cannot depend on a match that depends on its own match', async () => {
    const final = await create();
    const semi = await create({ participants: [{ placeholder: { sourceMatchId: final.id, outcome: 'WINNER' } }] });
    const path = `/competitions/matches/${final.id}/participants`;
    const source = { placeholder: { sourceMatchId: semi.id, outcome: 'LOSER' } };
    expect(violationsOf(await owner.post(path, source))).toEqual(['/placeholder/sourceMatchId circular']);
    const itself = { placeholder: { sourceMatchId: final.id, outcome: 'LOSER' } };
    expect(violationsOf(await owner.post(path, itself))).toEqual(['/placeholder/sourceMatchId circular']);
  });
});

describe('a team sheet', () => {
  test('can be created, replaced and removed', async () => {
    const match = await derby();
    const sheet = [
      { athleteId: players[0], position: 'GK', shirtNumber: 1, captain: true },
      { athleteId: players[2], starter: false },
    ];
    const replaced = await put(`${place(match, 0)}/lineup`, { players: sheet }, { 'if-match': '"1"' });
    expect(replaced.body).toMatchObject({ version: 2 });
    expect(replaced.body.participants[0].lineup).toEqual([
      {
        name: null,
        athlete: expect.objectContaining({ id: players[0] }),
        position: 'GK',
        shirtNumber: 1,
        starter: true,
        captain: true,
      },
      {
        name: null,
        athlete: expect.objectContaining({ id: players[2] }),
        position: null,
        shirtNumber: null,
        starter: false,
        captain: false,
      },
    ]);
    const found = await platform.anonymous.get(`/competitions/matches?athleteId=${players[2]}`);
    expect(found.body.data).toEqual([expect.objectContaining({ id: match.id })]);
    expect((await put(`${place(match, 0)}/lineup`, { players: sheet })).body.version).toBe(2);
    const emptied = await put(`${place(match, 0)}/lineup`, { players: [] });
    expect(emptied.body.participants[0].lineup).toEqual([]);
    expect((await platform.anonymous.get(`/competitions/matches?athleteId=${players[2]}`)).body.data).toEqual([]);
  });

  test('lists athletes visible to the caller, each once, at positions of the sport', async () => {
    const match = await derby();
    await put(`${place(match, 0)}/lineup`, { players: [{ athleteId: players[0] }] });
    const unknown = { athleteId: crypto.randomUUID() };
    const rejected = await put(`${place(match, 1)}/lineup`, {
      players: [
        { athleteId: hidden },
        unknown,
        { athleteId: players[0] },
        { athleteId: players[1], position: 'PROP' },
        { athleteId: players[1] },
      ],
    });
    expect(violationsOf(rejected)).toEqual([
      '/players/0/athleteId unknown_athlete',
      '/players/1/athleteId unknown_athlete',
      '/players/3/position unknown_position',
      '/players/2/athleteId duplicate',
      '/players/4/athleteId duplicate',
    ]);
    const [first, second] = rejected.body.errors;
    expect(first.detail).toBe(second.detail);
    expect(
      violationsOf(await put(`${place(await create({ participants: [{ bye: true }] }), 0)}/lineup`, { players: [] })),
    ).toEqual([' no_participant']);
  });

  test('does not reveal a hidden athlete to other callers, not even through the filter', async () => {
    const mine = await playLeague(other, ['Jugend']);
    const body = {
      seasonId: mine.seasonId,
      participants: [{ participantId: mine.participants[0], lineup: [{ athleteId: hidden }] }],
    };
    const match = (await other.post('/competitions/matches', body)).body;
    expect(match.participants[0].lineup).toEqual([expect.objectContaining({ athlete: expect.objectContaining({ id: hidden }) })]);
    const visible = await platform.anonymous.get(`/competitions/matches/${match.id}`);
    expect(visible.body.participants[0].lineup).toEqual([expect.objectContaining({ athlete: null, starter: true })]);
    expect((await platform.anonymous.get(`/competitions/matches?athleteId=${hidden}`)).body.data).toEqual([]);
    expect((await other.get(`/competitions/matches?athleteId=${hidden}`)).body.data).toHaveLength(1);
  });
});

describe('a match action', () => {
  test('can be added to a started match, updated and removed', async () => {
    const match = await derby();
    const path = `/competitions/matches/${match.id}/actions`;
    const goal = {
      type: 'GOAL',
      period: 1,
      minute: 23,
      participantId: league.participants[0],
      athleteId: players[0],
      scoreAfter: [1, 0],
    };
    const early = await owner.post(path, goal);
    expect(early.body).toMatchObject({ status: 409, code: 'invalid_transition' });
    expect(early.body.allowedTransitions).toContain('start');
    await owner.post(`/competitions/matches/${match.id}/start`);
    const { body: created } = await owner.post(path, goal);
    const first = { 'if-match': '"1"' };
    const { participantId, athleteId, ...facts } = goal;
    expect(created).toMatchObject({ ...facts, version: 1, participant: { id: participantId }, athlete: { id: athleteId } });
    const late = await owner.post(path, { type: 'FOUL', minute: 3 });
    const read = await platform.anonymous.get(`/competitions/matches/${match.id}`);
    expect(read.body.actions.map(({ id }: { id: string }) => id)).toEqual([late.body.id, created.id]);
    expect(read.body.version).toBe(4);

    const right = await owner.patch(`${path}/${created.id}`, { type: 'OWN_GOAL', athleteId: null, scoreAfter: [0, 1] }, first);
    expect(right.body).toMatchObject({ type: 'OWN_GOAL', athlete: null, version: 2 });
    expect((await platform.anonymous.get(`${path}/${created.id}`)).body).toMatchObject({ id: created.id, type: 'OWN_GOAL' });
    const otherMatch = await derby();
    expect((await owner.get(`/competitions/matches/${otherMatch.id}/actions/${created.id}`)).status).toBe(404);
    expect((await owner.delete(`/competitions/matches/${otherMatch.id}/actions/${created.id}`, anyone)).status).toBe(404);
    expect((await other.delete(`${path}/${created.id}`, anyone)).body.code).toBe('not_owner');
    expect((await owner.delete(place(match, 0), anyone)).body.code).toBe('in_use');
    expect((await owner.delete(`${path}/${created.id}`, { 'if-match': '"2"' })).status).toBe(200);
    expect((await owner.get(`${path}/${created.id}`)).status).toBe(404);
    await owner.post(`/competitions/matches/${match.id}/finish`);
    expect((await owner.post(path, { type: 'FOUL', minute: 90, addedMinute: 2 })).status).toBe(201);
  });

  test('belongs to a participant of the match and to an athlete on a team sheet', async () => {
    const match = await derby();
    await owner.post(`/competitions/matches/${match.id}/start`);
    await put(`${place(match, 0)}/lineup`, { players: [{ athleteId: players[0] }] });
    const act = async (facts: object) =>
      owner.post(`/competitions/matches/${match.id}/actions`, { type: 'GOAL', participantId: league.participants[0], ...facts });
    expect(violationsOf(await act({ participantId: league.participants[2], athleteId: hidden, addedMinute: 3 }))).toEqual([
      '/minute required',
      '/participantId unknown_participant',
      '/athleteId unknown_athlete',
    ]);
    expect(violationsOf(await act({ athleteId: players[1], assistId: players[0] }))).toEqual(['/athleteId not_in_match']);
    expect(violationsOf(await act({ athleteId: players[0], assistId: players[0] }))).toEqual(['/assistId duplicate']);
    expect((await act({ participantId: league.participants[1], athleteId: players[1] })).status).toBe(201);
    const sent = await act({ athleteId: players[0], minute: 7 });
    const repeated = { 'idempotency-key': crypto.randomUUID() };
    const path = `/competitions/matches/${match.id}/actions`;
    const first = await owner.post(path, { type: 'FOUL' }, repeated);
    expect((await owner.post(path, { type: 'FOUL' }, repeated)).body).toEqual(first.body);
    expect(sent.body).toMatchObject({ minute: 7 });
  });
});
