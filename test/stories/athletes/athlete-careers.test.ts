/** Data that other areas add to a visible athlete: personal bests, replays and memberships. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createMember, idsOf } from '../organizations/clubs.ts';
import { holdMeet } from '../competitions/meets.ts';
import { bornFor, createAthlete } from './people.ts';
import { createResource, createTestAthlete } from '../competitions/season-fixtures.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

describe('personal bests and replays', () => {
  let owner: Client;
  let swimmers: Map<string, string>;
  let seasonId: string;
  const names = Array.from({ length: 20 }, (_, index) => `Swimmer ${index}`);
  const idOf = (name: string): string => swimmers.get(name) ?? '';
  beforeAll(async () => {
    owner = await platform.account({ account: 'Federation' });
    swimmers = new Map();
    const created = await Promise.all(names.map((name) => createTestAthlete(owner, name)));
    for (const [index, name] of names.entries()) swimmers.set(name, created[index]?.id);
    swimmers.set('Mia', (await createTestAthlete(owner, 'Mia', { birthYear: 2015 })).id);
  });

  const bests = 'personalBests { sport discipline eventCode category course mark { display } windMmPerS heldOn match { id } }';
  const replays = 'replays(first: 2) { nodes { title } pageInfo { hasNextPage } }';

  async function bestsOf(name: string, client: Client = platform.anonymous) {
    const { body } = await client.get(`/athletes/${idOf(name)}?include=personalBests,replays`);
    return (body.personalBests ?? []).map(({ eventCode, course, mark }: Record<string, unknown>) => [eventCode, course, mark]);
  }
  const mark = (value: number, display: string) => ({ value, unit: 'ms', display });

  test('personal bests are the best official marks per event and course, and follow corrections', async () => {
    const [one = '', two = ''] = names;
    const long = await holdMeet(owner, swimmers, {}, { eventCode: '100_FREE', course: 'LONG_COURSE' }, [...names, 'Mia']);
    seasonId = long.season.id;
    await long.swims(Object.fromEntries([...names, 'Mia'].map((name, index) => [name, 5500 + index])));
    const fast = await long.swims({ [one]: 5400, [two]: 5450 }, '2026-09-02');
    const short = await holdMeet(owner, swimmers, {}, { eventCode: '100_FREE', course: 'SHORT_COURSE' }, [one]);
    await short.swims({ [one]: 5300 });
    const draft = await holdMeet(owner, swimmers, { status: 'DRAFT' }, { eventCode: '50_FREE' }, [one]);
    await draft.swims({ [one]: 2500 });

    expect(await bestsOf(one)).toEqual([
      ['100_FREE', 'LONG_COURSE', mark(54_000, '54.00')],
      ['100_FREE', 'SHORT_COURSE', mark(53_000, '53.00')],
    ]);
    const { body } = await platform.anonymous.get(`/athletes/${idOf(one)}?include=personalBests`);
    expect(body.personalBests[0]).toMatchObject({
      sport: 'SWIMMING',
      discipline: 'POOL',
      category: 'WOMEN',
      windMmPerS: null,
      heldOn: '2026-09-02',
      match: { id: fast },
    });
    expect((await platform.anonymous.get(`/athletes/${idOf(one)}`)).body).not.toHaveProperty('personalBests');

    const slower = [one, two].map((name) => ({ participantId: long.entered.get(name), invalidResultMark: 'DSQ' }));
    await owner.post(`/competitions/matches/${fast}/result/correct`, { reason: 'False start', participants: slower });
    expect(await bestsOf(one)).toContainEqual(['100_FREE', 'LONG_COURSE', mark(55_000, '55.00')]);
  });

  test('replays are the published ones of or with the athlete, newest first', async () => {
    const [one, two] = names.map(idOf);
    const clip = (title: string, athleteId: string | undefined, more: object = {}) =>
      createResource(owner, '/competitions/replays', {
        athleteId,
        title,
        kind: 'CLIP',
        url: 'https://video.example/1',
        status: 'PUBLISHED',
        ...more,
      });
    await clip('Alone', one);
    const sharedClip = await clip('Together', two);
    await owner.post(`/competitions/replays/${sharedClip.id}/tags`, { athleteId: one, action: 'START', atMs: 100 });
    await clip('Unfinished', one, { status: 'DRAFT' });
    const titles = async (id: string | undefined) =>
      (await platform.anonymous.get(`/athletes/${id}?include=replays`)).body.replays.nodes.map(
        ({ title }: { title: string }) => title,
      );
    expect([await titles(one), await titles(two), await titles(idOf(names[2] ?? ''))]).toEqual([
      ['Together', 'Alone'],
      ['Together'],
      [],
    ]);
  });

  test('a page of twenty athletes needs as many statements as one athlete', async () => {
    const send = (first: number) =>
      platform.anonymous.graphql(
        `{ athletes(first: ${first}, sort: CREATED_AT_ASC) { nodes { displayName ${bests} ${replays} } } }`,
      );
    const ran = async (first: number): Promise<string[]> => {
      platform.statements();
      const { body } = await send(first);
      expect(body.errors).toBeUndefined();
      expect(body.data.athletes.nodes).toHaveLength(first);
      expect(body.data.athletes.nodes.every((node: { personalBests: unknown[] }) => node.personalBests.length > 0)).toBe(true);
      return platform.statements().toSorted();
    };
    const [twenty, single] = [await ran(20), await ran(1)];
    expect(twenty).toEqual(single);
    expect(twenty.filter((name) => /^(bestMarks|replays|matches)\./.test(name))).toEqual([
      'bestMarks.ofAthletes',
      'matches.byIds',
      'replays.ofAthletes',
    ]);
  });

  test('a hidden athlete has none for others on any path; the owner reads them', async () => {
    const nested = `{ participants(first: 50, filter: { seasonId: "${seasonId}" }) { nodes { athlete { ${bests} ${replays} } } } }`;
    const allAthletes = `{ results(first: 5) { nodes { participants { participant { athlete { displayName ${bests} } } } } } }`;
    expect((await platform.anonymous.get(`/athletes/${idOf('Mia')}?include=personalBests`)).status).toBe(404);
    expect((await owner.get(`/athletes/${idOf('Mia')}?include=personalBests`)).body.personalBests).toHaveLength(1);
    const bare = await platform.anonymous.graphql(nested);
    expect(bare.body.data.participants.nodes).toHaveLength(21);
    const found = JSON.stringify([bare.body, (await platform.anonymous.graphql(allAthletes)).body]);
    expect(found).toContain('55.00');
    // 55.20 is the time of the last athlete, a hidden one
    expect(found).not.toContain('55.20');
    await owner.patch(`/athletes/${idOf('Swimmer 3')}`, { visibility: 'PRIVATE' }, { 'if-match': '*' });
    expect(await bestsOf('Swimmer 3')).toEqual([]);
    expect(await bestsOf('Swimmer 3', owner)).toHaveLength(1);
  });
});

describe('memberships', () => {
  let owner: Client;
  let other: Client;
  let moderator: Client;
  beforeAll(async () => {
    [owner, other, moderator] = await Promise.all([
      platform.account({ account: 'Club' }),
      platform.account({ account: 'Other' }),
      platform.account({ account: 'Moderation', scopes: ['moderation:write'] }),
    ]);
  });

  const historyOf = (id: string, query = ''): string => `/athletes/${id}/memberships${query}`;

  test('a transfer ends a membership the day before the next one starts, in history, dates and events', async () => {
    const [{ id: athlete }, { id: old }, { id: next }] = [
      await createAdult(owner),
      await createClub(owner),
      await createClub(owner),
    ];
    const first = await createMember(owner, old, athlete, { startDate: '2020-07-01' });
    await platform.settled();
    const moved = await owner.post(`/organizations/memberships/${first.id}/transfer`, {
      organizationId: next,
      startDate: '2023-07-01',
    });
    expect(moved.body).toMatchObject({ status: 'ACTIVE', organization: { id: next }, startDate: '2023-07-01', endDate: null });
    await platform.settled();
    for (const reader of [owner, other, platform.anonymous]) {
      const { body } = await reader.get(historyOf(athlete));
      expect(body.data).toMatchObject([
        { id: moved.body.id, status: 'ACTIVE', startDate: '2023-07-01' },
        { id: first.id, status: 'ENDED', organization: { id: old }, endDate: '2023-06-30' },
      ]);
    }
    const page = await platform.anonymous.get(historyOf(athlete, '?limit=1'));
    expect(idsOf(page)).toEqual([moved.body.id]);
    expect(idsOf(await platform.anonymous.get(historyOf(athlete, `?limit=1&cursor=${page.body.page.nextCursor}`)))).toEqual([
      first.id,
    ]);
    expect(idsOf(await platform.anonymous.get(historyOf(athlete, '?asOf=2023-06-30')))).toEqual([first.id]);
    expect(idsOf(await platform.anonymous.get(historyOf(athlete, '?asOf=2023-07-01')))).toEqual([moved.body.id]);
    expect(idsOf(await platform.anonymous.get(historyOf(athlete, '?asOf=2019-01-01')))).toEqual([]);
    const graph = 'query ($id: ID!) { athlete(id: $id) { memberships(asOf: "2022-01-01") { nodes { organization { id } } } } }';
    const response = await platform.anonymous.graphql(graph, { id: athlete });
    expect(response.body).toEqual({ data: { athlete: { memberships: { nodes: [{ organization: { id: old } }] } } } });
    const database = new pg.Client({ connectionString: platform.database.ownerUrl });
    await database.connect();
    const { rows } = await database.query(
      'select type, resource_id as id from organizations.outbox where resource_id = any($1::uuid[]) order by position',
      [[first.id, moved.body.id]],
    );
    await database.end();
    expect(rows).toEqual([
      { type: 'membership.created', id: first.id },
      { type: 'membership.transferred', id: first.id },
      { type: 'membership.created', id: moved.body.id },
    ]);
  });

  test('the history excludes hidden athletes, hidden organizations and proposals', async () => {
    const [{ id: minor }, { id: adult }, { id: club }] = [
      await createAthlete(owner, { dateOfBirth: bornFor(15, 50) }),
      await createAdult(other),
      await createClub(owner),
    ];
    const { id: membership } = await createMember(owner, club, minor);
    const invited = await createMember(owner, club, adult);
    expect(invited.status).toBe('INVITED');
    await platform.settled();
    expect(idsOf(await owner.get(historyOf(minor)))).toEqual([membership]);
    for (const reader of [other, moderator, platform.anonymous]) {
      expect((await reader.get(historyOf(minor))).body).toMatchObject({ status: 404, code: 'not_found' });
      expect(idsOf(await reader.get(historyOf(adult)))).toEqual([]);
    }
    expect((await other.post(`/organizations/memberships/${invited.id}/confirm`)).status).toBe(200);
    expect(idsOf(await platform.anonymous.get(historyOf(adult)))).toEqual([invited.id]);
    expect((await moderator.post(`/organizations/${club}/suspend`, { reason: 'Reported' })).status).toBe(200);
    expect(idsOf(await platform.anonymous.get(historyOf(adult)))).toEqual([]);
    expect(idsOf(await other.get(historyOf(adult)))).toEqual([invited.id]);
  });

  test('a moderator finds athletes with a pending verification', async () => {
    const { id } = await createAdult(owner, { displayName: 'Vera Fied' });
    expect((await moderator.post(`/athletes/${id}/verify`, { method: 'PASSPORT' })).status).toBe(200);
    const queue = '/athletes?verification=PENDING&limit=100';
    expect(idsOf(await moderator.get(queue))).toEqual([]);
    expect((await owner.patch(`/athletes/${id}`, { displayName: 'Vera Other' }, { 'if-match': '*' })).status).toBe(200);
    expect(idsOf(await moderator.get(queue))).toEqual([id]);
    expect((await moderator.post(`/athletes/${id}/reject`, { reason: 'Another name' })).status).toBe(200);
    expect(idsOf(await moderator.get(queue))).toEqual([]);
    expect(idsOf(await moderator.get('/athletes?verification=REJECTED'))).toEqual([id]);
  });
});
