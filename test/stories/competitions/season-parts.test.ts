/** Contests and stages through the public APIs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { always, createResource, createSeason } from './season-fixtures.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'League' }), platform.account({ account: 'Other' })]);
});
afterAll(() => platform.close());

describe('a contest', () => {
  test('is created, read, updated, imported and deleted in its season', async () => {
    const { path, season } = await createSeason(owner, { sport: 'SWIMMING', type: 'MEET' });
    const medley = { name: "Women's 200 m Medley", eventCode: '200_MEDLEY', category: 'WOMEN', course: 'LONG_COURSE', order: 2 };
    const contest = await createResource(owner, `${path}/contests`, medley);
    expect(contest).toMatchObject({ ...medley, season: { id: season.id }, relay: false, implied: false, ageGroup: null });
    const unknown = await owner.post(`${path}/contests`, { ...medley, name: 'x', eventCode: '200_MEDLY' });
    expect(unknown.body).toMatchObject({ errors: [{ pointer: '/eventCode', code: 'unknown_event' }] });
    expect((await owner.post(`${path}/contests`, medley)).body).toMatchObject({ code: 'conflict' });

    const one = `${path}/contests/${contest.id}`;
    const read = await platform.anonymous.get(one);
    expect(read.body).toEqual(contest);
    expect((await owner.patch(one, { order: null, distanceMeters: 200 }, { 'if-match': '"1"' })).body).toMatchObject({
      version: 2,
      order: 0,
      distanceMeters: 200,
      eventCode: '200_MEDLEY',
    });
    expect((await owner.patch(one, { name: null }, always)).body).toMatchObject({ errors: [{ pointer: '/name' }] });
    expect((await owner.patch(one, { order: 1 }, { 'if-match': '"1"' })).status).toBe(412);

    const items = [
      { ...medley, name: 'First', order: 1, externalIds: [{ scheme: 'FEED', value: 'c1' }] },
      { ...medley, name: 'Last', order: 9, externalIds: [{ scheme: 'FEED', value: 'c2' }] },
    ];
    const batch = async () => (await owner.post(`${path}/contests/batch`, { items })).body.summary;
    expect(await batch()).toMatchObject({ created: 2, failed: 0 });
    expect(await batch()).toMatchObject({ unchanged: 2 });
    const list = await platform.anonymous.get(`${path}/contests`);
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual([medley.name, 'First', 'Last']);
    expect((await platform.anonymous.get('/competitions/contests?externalId=FEED:c2')).body.data).toHaveLength(1);
    expect((await owner.delete(one, { 'if-match': '"2"' })).body).toEqual({ id: contest.id, deleted: true });
    expect((await platform.anonymous.get(one)).status).toBe(404);
  });

  test('belongs to its season and to the account of the season', async () => {
    const [{ path }, otherSeason] = [await createSeason(owner), await createSeason(owner)];
    const contest = await createResource(owner, `${path}/contests`, { name: 'Open' });
    expect((await owner.get(`${otherSeason.path}/contests/${contest.id}`)).status).toBe(404);
    expect((await owner.patch(`${otherSeason.path}/contests/${contest.id}`, { order: 1 }, always)).status).toBe(404);
    expect((await other.post(`${path}/contests`, { name: 'Mine' })).body).toMatchObject({ code: 'not_owner' });
    expect((await other.delete(`${path}/contests/${contest.id}`, always)).body).toMatchObject({ code: 'not_owner' });
    expect((await owner.post(`/competitions/seasons/${crypto.randomUUID()}/contests`, { name: 'x' })).status).toBe(404);
    const given = { name: 'Open', externalIds: [{ scheme: 'FEED', value: 'twice' }] };
    await owner.post(`${path}/contests/batch`, { items: [{ ...given, name: 'Imported' }] });
    const second = await owner.post(`${otherSeason.path}/contests/batch`, { items: [given] });
    expect(second.body.data[0].error).toMatchObject({ code: 'conflict', existingId: expect.any(String) });
  });

  test('of an unpublished competition is visible to its owner only, until everything is published together', async () => {
    const { competition, path, season } = await createSeason(owner, { status: 'DRAFT' });
    const contest = await createResource(owner, `${path}/contests`, { name: 'Cup' });
    const stage = await createResource(owner, `${path}/stages`, { name: 'Final', type: 'KNOCKOUT' });
    const lists = ['contests', 'stages', 'participants', 'adjustments', 'tie-break-decisions'].map((each) => `${path}/${each}`);
    const statuses = async (client: Client) => Promise.all(lists.map(async (list) => (await client.get(list)).status));
    expect(new Set(await statuses(platform.anonymous))).toEqual(new Set([404]));
    expect(new Set(await statuses(other))).toEqual(new Set([404]));
    expect((await owner.get(`${path}/contests`)).body.data).toEqual([contest]);
    expect((await other.post(`${path}/contests`, { name: 'x' })).status).toBe(404);
    expect((await owner.get('/competitions/stages?mine=true')).body.data).toContainEqual(stage);
    const before = (await platform.anonymous.get('/competitions/stages?updatedSince=2020-01-01T00:00:00Z')).body.page
      .updatedUntil;
    expect((await platform.anonymous.get(`/competitions/stages?seasonId=${season.id}`)).status).toBe(404);

    await owner.post(`/competitions/${competition.id}/publish`);
    expect(new Set(await statuses(platform.anonymous))).toEqual(new Set([200]));
    expect((await platform.anonymous.get(`${path}/stages/${stage.id}`)).body).toMatchObject({
      id: stage.id,
      contest: { id: contest.id },
    });
    const since = await platform.anonymous.get(`/competitions/stages?updatedSince=${before}`);
    expect(since.body.data.map(({ id }: { id: string }) => id)).toContain(stage.id);
  });
});

describe('a stage', () => {
  test('creates the implied contest, and requires `contestId` where there are several', async () => {
    const { path, season } = await createSeason(owner);
    const league = await createResource(owner, `${path}/stages`, { name: 'Regular season', type: 'LEAGUE' });
    expect(league).toMatchObject({ contest: { name: season.name }, groups: [], legs: 1, awayGoals: false, rankingRules: null });
    const finals = await createResource(owner, `${path}/stages`, { name: 'Play-offs', type: 'KNOCKOUT', order: 1, bestOf: 3 });
    expect(finals.contest.id).toBe(league.contest.id);
    expect((await owner.get(`${path}/contests`)).body.data).toEqual([expect.objectContaining({ implied: true })]);
    await createResource(owner, `${path}/contests`, { name: 'Reserves' });
    const unclear = await owner.post(`${path}/stages`, { name: 'x', type: 'GROUP' });
    expect(unclear.body).toMatchObject({ errors: [{ pointer: '/contestId', code: 'required' }] });
    const foreign = await owner.post(`${path}/stages`, { name: 'x', type: 'GROUP', contestId: season.id });
    expect(foreign.body).toMatchObject({ errors: [{ pointer: '/contestId', code: 'unknown_contest' }] });
  });

  test('created concurrently has one implied contest; a meet requires explicit contests and stages', async () => {
    const { path, season } = await createSeason(owner);
    const names = ['One', 'Two', 'Three', 'Four'];
    const created = await Promise.all(names.map((name) => createResource(owner, `${path}/stages`, { name, type: 'LEAGUE' })));
    expect(new Set(created.map(({ contest }) => contest.id)).size).toBe(1);
    const match = { seasonId: season.id, participants: [] };
    const unclear = await owner.post('/competitions/matches', match);
    expect(unclear.body).toMatchObject({ errors: [{ pointer: '/stageId', code: 'required' }] });
    const meet = await createSeason(owner, { sport: 'SWIMMING', type: 'MEET' });
    const nowhere = await owner.post('/competitions/matches', { ...match, seasonId: meet.season.id });
    expect(nowhere.body).toMatchObject({ errors: [{ pointer: '/stageId', detail: expect.stringContaining('contest') }] });
    const cup = await createSeason(owner, { type: 'CUP' });
    const matches = await Promise.all(
      names.map(() => createResource(owner, '/competitions/matches', { ...match, seasonId: cup.season.id })),
    );
    expect(new Set(matches.map(({ stage }) => stage.id)).size).toBe(1);
    expect((await owner.get(`${cup.path}/stages`)).body.data).toMatchObject([{ name: 'Knock-out', type: 'KNOCKOUT' }]);
  });

  test('has advancement and ranking rules, and reports all violations together', async () => {
    const { path } = await createSeason(owner);
    const final = await createResource(owner, `${path}/stages`, { name: 'Final', type: 'FINAL', order: 1 });
    const groups = {
      name: 'Groups',
      type: 'GROUP',
      groups: ['A', 'B'],
      advancement: [{ by: 'PLACE', count: 2, toStageId: final.id }],
      rankingRules: { ruleSet: 'FOOTBALL_HEAD_TO_HEAD' },
    };
    const stage = await createResource(owner, `${path}/stages`, groups);
    expect(stage).toMatchObject({
      advancement: [{ by: 'PLACE', count: 2, toStage: { id: final.id } }],
      rankingRules: { headToHeadWhen: 'ALL_PLAYED' },
    });
    expect((await owner.delete(`${path}/stages/${final.id}`, always)).body).toMatchObject({ code: 'in_use' });
    const wrong = await owner.patch(
      `${path}/stages/${stage.id}`,
      {
        groups: ['A', 'A'],
        bestOf: 4,
        legs: 2,
        advancement: [{ by: 'PLACE', count: 1, toStageId: stage.id }],
        rankingRules: { best: 3 },
      },
      always,
    );
    expect(wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/groups/1',
      '/bestOf',
      '/bestOf',
      '/advancement/0/toStageId',
      '/rankingRules/best',
    ]);
    const freed = await owner.patch(
      `${path}/stages/${stage.id}`,
      { advancement: null, rankingRules: null, groups: null },
      always,
    );
    expect(freed.body).toMatchObject({ advancement: [], rankingRules: null, groups: [] });
    expect((await owner.delete(`${path}/stages/${final.id}`, always)).status).toBe(200);
  });
});

test('one query for season → contests → stages and participants needs one statement for each step', async () => {
  platform.statements();
  const response = await platform.anonymous.graphql(
    `{ seasons(first: 5) { nodes { contests { nodes { name stages { nodes { name advancement { toStage { name } } } } } }
      participants { nodes { name contest { name } season { name } } } } } }`,
  );
  expect(response.body.errors).toBeUndefined();
  const ran = platform.statements().filter((name) => /^(seasons|contests|stages|participants)\./.test(name));
  expect(ran.toSorted()).toEqual([...new Set(ran)].toSorted());
  expect(ran).toEqual(expect.arrayContaining(['seasons.list', 'contests.ofSeasons', 'stages.ofContests']));
});
