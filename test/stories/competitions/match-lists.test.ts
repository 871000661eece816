/** Match lists and match imports through the public APIs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { scoring } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let league: League;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
  league = await playLeague(owner, ['Rot', 'Blau', 'Grün', 'Gelb']);
});
afterAll(() => platform.close());

const create = async (facts: object = {}, of: League = league) => {
  const { status, body } = await owner.post('/competitions/matches', { seasonId: of.seasonId, ...facts });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body;
};

const send = async (items: readonly object[]) => (await owner.post('/competitions/matches/batch', { items })).body;

describe('matches', () => {
  test('can be filtered by each argument, in the order of their start', async () => {
    const cup = await playLeague(owner, ['Nord', 'Süd', 'West'], { name: 'Pokal', sport: 'HANDBALL' });
    const [nord, sued, west] = cup.participants;
    const late = await create({ startTime: '2026-12-01T18:00:00Z', matchday: 2, participants: [{ participantId: west }] }, cup);
    const dated = await create(
      { date: '2026-11-01', matchday: 1, participants: [{ participantId: nord }, { participantId: sued }] },
      cup,
    );
    const undated = await create({ externalIds: [{ scheme: 'FEED', value: 'u' }] }, cup);
    await owner.post(`/competitions/matches/${late.id}/postpone`);
    const found = async (query: string): Promise<string[]> => {
      const { body } = await platform.anonymous.get(`/competitions/matches?seasonId=${cup.seasonId}${query}`);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await found('')).toEqual([undated.id, dated.id, late.id]);
    expect(await found('&sort=-startTime')).toEqual([late.id, dated.id, undated.id]);
    expect(await found('&status=POSTPONED,FINISHED')).toEqual([late.id]);
    expect(await found('&matchday=1')).toEqual([dated.id]);
    expect(await found('&dateFrom=2026-11-01&dateTo=2026-11-01')).toEqual([dated.id]);
    expect(await found('&dateFrom=2026-11-02')).toEqual([late.id]);
    expect(await found(`&participantId=${sued}`)).toEqual([dated.id]);
    expect(await found('&externalId=FEED:u')).toEqual([undated.id]);
    expect(await found(`&competitionId=${cup.competitionId}&stageId=${late.stage.id}&contestId=${late.contest.id}`)).toHaveLength(
      3,
    );
    expect(await found('&sport=FOOTBALL')).toEqual([]);
    expect(await found('&group=A')).toEqual([]);
    expect(await found(`&athleteId=${crypto.randomUUID()}`)).toEqual([]);
    expect(await found(`&teamId=${cup.teams[1]}`)).toEqual([dated.id]);
    expect(await found(`&teamId=${crypto.randomUUID()}`)).toEqual([]);
    const { body: team } = await platform.anonymous.graphql(
      `{ nord: team(id: "${cup.teams[0]}") { matches(first: 1) { nodes { id } pageInfo { hasMore } } }
        west: team(id: "${cup.teams[2]}") { matches(first: 1) { nodes { id } } } }`,
    );
    expect(team.data).toEqual({
      nord: { matches: { nodes: [{ id: dated.id }], pageInfo: { hasMore: false } } },
      west: { matches: { nodes: [{ id: late.id }] } },
    });
    const changed = await platform.anonymous.get(
      `/competitions/matches?seasonId=${cup.seasonId}&updatedSince=2026-01-01T00:00:00Z`,
    );
    expect(changed.body.data.at(-1)).toMatchObject({ id: late.id });
  });

  test('on a page need one statement each for their participants, actions and venues', async () => {
    for (const participantId of league.participants) await create({ participants: [{ participantId }] });
    platform.statements();
    const { body } = await platform.anonymous.get(`/competitions/matches?competitionId=${league.competitionId}&limit=50`);
    expect(body.data).toHaveLength(4);
    const ran = platform.statements().filter((name) => /^(matches|seasons|stages|contests|participants)\./.test(name));
    expect(ran).toContain('matches.entries');
    expect(new Set(ran).size).toBe(ran.length);
  });
});

describe('an import of matches', () => {
  test('matches by external ids: repeating it changes nothing, later imports change only what differs', async () => {
    const season = await playLeague(owner, ['A', 'B', 'C']);
    const items = [0, 1, 2].map((index) => ({
      seasonId: season.seasonId,
      externalIds: [{ scheme: 'FEED', value: `m${index}` }],
      matchday: index + 1,
      startTime: '2026-09-01T18:00:00Z',
      participants: [{ participantId: season.participants[index] }, { participantId: season.participants[(index + 1) % 3] }],
    }));
    const bad = { seasonId: season.seasonId, participants: [{ participantId: crypto.randomUUID() }] };
    const first = await send([...items, { ...bad, externalIds: [{ scheme: 'FEED', value: 'bad' }] }, bad]);
    expect(first.summary).toEqual({ created: 3, updated: 0, unchanged: 0, failed: 2 });
    expect(
      first.data.slice(3).map((item: { error: { errors: { pointer: string }[] } }) => item.error.errors[0]?.pointer),
    ).toEqual(['/participants/0/participantId', '/externalIds']);
    expect((await send(items)).summary).toEqual({ created: 0, updated: 0, unchanged: 3, failed: 0 });
    const moved = await send([
      { ...items[0], attendance: 7 },
      { ...items[1], seasonId: league.seasonId },
    ]);
    expect(moved.summary).toEqual({ created: 0, updated: 1, unchanged: 0, failed: 1 });
    expect(moved.data[1].error.errors).toEqual([expect.objectContaining({ pointer: '/seasonId', code: 'immutable' })]);
  });

  const feed = (value: string) => ({ externalIds: [{ scheme: 'FEED', value }] });
  const scored = (of: League, goals: readonly [number, number]) => ({
    status: 'OFFICIAL',
    participants: goals.map((score, index) => ({ participantId: of.participants[index], score })),
  });
  const sides = (of: League) => of.participants.slice(0, 2).map((participantId) => ({ participantId }));

  test('sets the status of each match and its result', async () => {
    const season = await playLeague(owner, ['A', 'B']);
    const fixture = { ...feed('f1'), seasonId: season.seasonId, date: '2026-09-01', participants: sides(season) };
    const [created] = (await send([fixture])).data;
    const kickOff = { ...fixture, date: null, startTime: '2026-09-02T18:00:00Z' };
    expect((await send([kickOff])).data).toEqual([expect.objectContaining({ outcome: 'UPDATED', id: created.id })]);
    const path = `/competitions/matches/${created.id}`;
    expect((await owner.get(path)).body).toMatchObject({ status: 'TIMED', date: '2026-09-02', result: null });
    const played = { ...kickOff, status: 'FINISHED', result: scored(season, [2, 1]) };
    expect((await send([played])).data).toEqual([expect.objectContaining({ outcome: 'UPDATED', id: created.id })]);
    const { body } = await owner.get(path);
    expect(body).toMatchObject({ status: 'FINISHED', result: { status: 'OFFICIAL' } });
    expect(body.result.participants.map(({ score, outcome }: { score: number; outcome: string }) => [score, outcome])).toEqual([
      [2, 'WIN'],
      [1, 'LOSS'],
    ]);
    expect((await send([played])).summary).toEqual({ created: 0, updated: 0, unchanged: 1, failed: 0 });
    expect((await send([kickOff])).summary).toEqual({ created: 0, updated: 0, unchanged: 1, failed: 0 });
    const other = await send([{ ...played, result: scored(season, [2, 2]) }]);
    expect(other.data).toEqual([expect.objectContaining({ outcome: 'FAILED' })]);
    expect(other.data[0].error).toMatchObject({ code: 'invalid_transition' });
    expect(other.data[0].error.detail).toContain('Correct');
    expect((await owner.get(path)).body.result.participants[1].score).toBe(1);
  });

  test('creates finished matches directly; an invalid entry does not affect the others', async () => {
    const season = await playLeague(owner, ['A', 'B']);
    const base = { seasonId: season.seasonId, status: 'FINISHED', participants: sides(season), date: '2026-09-01' };
    const outsiders = { status: 'OFFICIAL', participants: [{ participantId: crypto.randomUUID(), score: 1 }] };
    const { data } = await send([
      { ...base, ...feed('g0'), result: outsiders },
      { ...base, ...feed('g1'), result: scored(season, [3, 0]) },
      { ...base, ...feed('g2') },
      { ...base, ...feed('g3'), status: 'AWARDED', result: { ...scored(season, [0, 3]), status: null } },
    ]);
    expect(data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['FAILED', 'CREATED', 'FAILED', 'CREATED']);
    expect(data[0].error.errors[0].pointer).toMatch(/^\/result\/participants\/0/);
    expect(data[2].error.errors).toEqual([expect.objectContaining({ pointer: '/result', code: 'required' })]);
    expect((await owner.get(`/competitions/matches/${data[3].id}`)).body).toMatchObject({
      status: 'AWARDED',
      result: { status: 'PROVISIONAL' },
    });
    const single = await owner.post('/competitions/matches', { ...base, result: scored(season, [1, 1]) });
    expect(single.body).toMatchObject({ status: 'FINISHED', result: { status: 'OFFICIAL' } });
    const early = await owner.post('/competitions/matches', { ...base, status: null, result: scored(season, [1, 1]) });
    expect(early.body.errors).toEqual([expect.objectContaining({ pointer: '/status', code: 'no_result_yet' })]);
  });

  test('replaces the participants, but keeps resolved placeholders and team sheets', async () => {
    const season = await playLeague(owner, ['A', 'B', 'C'], { sport: 'CYCLING' });
    const [a, b, c] = season.participants;
    const base = { ...feed('h1'), seasonId: season.seasonId };
    const [created] = (await send([{ ...base, participants: [{ participantId: a }, { placeholder: { text: 'Sieger' } }] }])).data;
    const read = async () => (await owner.get(`/competitions/matches/${created.id}`)).body.participants;
    const [first, second] = await read();
    await send([{ ...base, participants: [{ participantId: b }, { participantId: a }, { participantId: c }] }]);
    const after = await read();
    expect(after.map(({ participant }: { participant: { id: string } }) => participant.id)).toEqual([b, a, c]);
    expect([after[0].entryId, after[1].entryId]).toEqual([second.entryId, first.entryId]);
    await send([{ ...base, participants: [{ participantId: c }] }]);
    expect((await read()).map(({ entryId }: { entryId: string }) => entryId)).toEqual([after[2].entryId]);
  });
});

describe('a season', () => {
  test('with a new start date moves its matches that have no start', async () => {
    const season = await playLeague(owner, ['A']);
    const dated = await create({ date: '2026-08-15' }, season);
    const undated = await create({ timeZone: 'Europe/Berlin' }, season);
    const order = async (): Promise<string[]> => {
      const { body } = await platform.anonymous.get(`/competitions/matches?seasonId=${season.seasonId}`);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await order()).toEqual([undated.id, dated.id]);
    await owner.patch(`/competitions/seasons/${season.seasonId}`, { startDate: '2026-09-01' }, { 'if-match': '*' });
    expect(await order()).toEqual([dated.id, undated.id]);
  });

  test('with a new start date updates the order of the matches in its table', async () => {
    const season = await playLeague(owner, ['A', 'B']);
    const at = scoring(owner, season);
    await at.played([0, 1], [1, 0], { date: '2026-08-15' });
    await at.played([0, 1], [0, 1]);
    const form = async (): Promise<string[]> => {
      const { body } = await platform.anonymous.get(`/competitions/rankings?seasonId=${season.seasonId}`);
      const rows: { participant: { id: string }; form: string[] }[] = body.data;
      return rows.find(({ participant }) => participant.id === season.participants[0])?.form ?? [];
    };
    const before = await form();
    await owner.patch(`/competitions/seasons/${season.seasonId}`, { startDate: '2026-08-20' }, { 'if-match': '*' });
    expect(new Set(before).size).toBe(2);
    expect(await form()).toEqual(before.toReversed());
  });

  test('completed while a match is being created either contains that match or rejects it', async () => {
    for (const _ of [1, 2, 3]) {
      const season = await playLeague(owner, ['A']);
      const [created, finished] = await Promise.all([
        owner.post('/competitions/matches', { seasonId: season.seasonId }),
        owner.post(`/competitions/seasons/${season.seasonId}/finish`),
      ]);
      expect([
        [201, 409],
        [422, 200],
      ]).toContainEqual([created.status, finished.status]);
    }
  });

  test('cannot be completed while one of its matches is open', async () => {
    const season = await playLeague(owner, ['A']);
    const matches = [await create({}, season), await create({}, season)];
    const finish = () => owner.post(`/competitions/seasons/${season.seasonId}/finish`);
    const rejected = await finish();
    expect(rejected.body).toMatchObject({
      status: 409,
      code: 'invalid_transition',
      allowedTransitions: ['cancel'],
      openMatches: 2,
    });
    for (const { id } of matches) expect(rejected.body.detail).toContain(id);
    for (const { id } of matches) await owner.post(`/competitions/matches/${id}/cancel`);
    expect((await finish()).body.status).toBe('FINISHED');
    const late = await owner.post('/competitions/matches', { seasonId: season.seasonId });
    expect(late.body.errors).toEqual([expect.objectContaining({ pointer: '/seasonId', code: 'season_over' })]);
  });
});
