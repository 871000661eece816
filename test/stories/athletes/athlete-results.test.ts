/** Results of an athlete in races, matches and pairs, in one list, latest first, visible where the athlete is. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { createResource, createTestAthlete, createSeason, createTeam } from '../competitions/season-fixtures.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'Meet' }), platform.account({ account: 'Other' })]);
});
afterAll(() => platform.close());

/** A meet with one contest, its heats, and a participant for each athlete, in order. */
async function meet(athletes: readonly string[], facts: object = { eventCode: '50_FREE' }, competition: object = {}) {
  const { season, path } = await createSeason(owner, { sport: 'SWIMMING', type: 'MEET', ...competition });
  const contest = await createResource(owner, `${path}/contests`, { name: 'Final day', ...facts });
  const stage = await createResource(owner, `${path}/stages`, { name: 'Heats', type: 'HEATS', contestId: contest.id });
  const participants: string[] = [];
  for (const athleteId of athletes)
    participants.push((await createResource(owner, `${path}/participants`, { type: 'ATHLETE', athleteId })).id);
  const heat = async (date: string, ids: readonly string[] = participants): Promise<string> =>
    (
      await createResource(owner, '/competitions/matches', {
        seasonId: season.id,
        stageId: stage.id,
        date,
        participants: ids.map((participantId, lane) => ({ participantId, lane })),
      })
    ).id;
  return { season, path, contest, stage, participants, heat };
}

const record = async (items: readonly object[]) => {
  const official = items.map((item) => ({ status: 'OFFICIAL', ...item }));
  const { body } = await owner.post('/competitions/results/batch', { items: official });
  expect(body.summary).toMatchObject({ created: items.length });
};

describe('results of races', () => {
  test('are readable over REST and GraphQL, paginated, with formatted marks', async () => {
    const [ada, bea] = await Promise.all([createTestAthlete(other, 'Ada Fast'), createTestAthlete(owner, 'Bea Quick')]);
    const { participants, heat, contest } = await meet([ada.id, bea.id]);
    const [first, second] = [await heat('2026-08-10'), await heat('2026-08-11')];
    const marks = (one: object, two: object) =>
      [one, two].map((part, index) => ({ participantId: participants[index], ...part }));
    await record([
      {
        matchId: first,
        participants: marks({ mark: { text: '24.05' }, reactionTimeMs: 640, splits: [11_500] }, { invalidResultMark: 'DSQ' }),
      },
      { matchId: second, participants: marks({ mark: { value: 23_990 } }, { mark: { text: '23.99' } }) },
    ]);
    const { status, body } = await platform.anonymous.get(`/athletes/${ada.id}/results?limit=1`);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      expect.objectContaining({
        status: 'OFFICIAL',
        rank: 1,
        mark: { value: 23_990, unit: 'ms', display: '23.99' },
        participant: expect.objectContaining({ id: participants[0] }),
      }),
    ]);
    expect(body.data[0].match).toMatchObject({
      id: second,
      date: '2026-08-11',
      contest: { id: contest.id, eventCode: '50_FREE' },
    });
    const rest = await platform.anonymous.get(`/athletes/${ada.id}/results?limit=1&cursor=${body.page.nextCursor}`);
    expect(rest.body.data).toEqual([
      expect.objectContaining({
        rank: 1,
        reactionTimeMs: 640,
        splits: [11_500],
        mark: expect.objectContaining({ display: '24.05' }),
      }),
    ]);
    expect(rest.body.page.hasMore).toBe(false);
    platform.statements();
    const requested = `{ results(first: 2, filter: { contestId: "${contest.id}" }) { nodes { participants { rank invalidResultMark participant { athlete {
      displayName results(first: 1) { nodes { rank match { id } } } } } } } } }`;
    const response = await platform.anonymous.graphql(requested);
    expect(response.body.errors).toBeUndefined();
    const ran = platform.statements().filter((name) => /^(results|matches|participants)\./.test(name));
    expect(new Set(ran).size).toBe(ran.length);
    const [latest, earliest] = response.body.data.results.nodes;
    expect(latest.participants).toEqual(
      ['Ada Fast', 'Bea Quick'].map((displayName) => ({
        rank: 1,
        invalidResultMark: null,
        participant: { athlete: { displayName, results: { nodes: [{ rank: 1, match: { id: second } }] } } },
      })),
    );
    expect(earliest.participants[1]).toMatchObject({ rank: null, invalidResultMark: 'DSQ' });
  });

  test('a mark in another unit than that of the event, or without an event, is rejected', async () => {
    const ada = await createTestAthlete(other, 'Ada Fast');
    const { participants, heat } = await meet([ada.id], {});
    const matchId = await heat('2026-08-10');
    const { body } = await owner.post('/competitions/results/batch', {
      items: [{ matchId, status: 'OFFICIAL', participants: [{ participantId: participants[0], mark: { text: '24.05' } }] }],
    });
    expect(body.data[0].error.errors).toEqual([
      expect.objectContaining({ pointer: '/participants/0/mark', code: 'not_measured' }),
    ]);
  });
});

test('a hidden athlete responds like an unknown one over REST and GraphQL; the owner reads the results', async () => {
  const minor = await createTestAthlete(owner, 'Mia Minor', { birthYear: 2015 });
  const visible = await createTestAthlete(owner, 'Ada Seen');
  const { participants, heat, season } = await meet([minor.id, visible.id]);
  const matchId = await heat('2026-08-10');
  await record([{ matchId, participants: participants.map((participantId, rank) => ({ participantId, rank: rank + 1 })) }]);
  const unknownId = crypto.randomUUID();
  for (const reader of [platform.anonymous, other]) {
    for (const id of [minor.id, unknownId]) {
      expect((await reader.get(`/athletes/${id}/results`)).status).toBe(404);
      expect((await reader.get(`/competitions/results?athleteId=${id}`)).body.data).toEqual([]);
    }
    const { body } = await reader.graphql(
      `{ results(first: 1, filter: { seasonId: "${season.id}" }) { nodes { participants { rank participant { athlete { displayName results(first: 1) { nodes { rank } } } } } } } }`,
    );
    expect(body.data.results.nodes[0].participants).toEqual([
      { rank: 1, participant: { athlete: null } },
      { rank: 2, participant: { athlete: { displayName: 'Ada Seen', results: { nodes: [{ rank: 2 }] } } } },
    ]);
    // the query selects no field of the athletes area, and still reveals no hidden athlete
    const bare = await reader.graphql(
      `{ participants(first: 2, filter: { seasonId: "${season.id}" }) { nodes { athlete { results(first: 2) { nodes { rank } } } } } }`,
    );
    expect(bare.body.data.participants.nodes[0]).toEqual({ athlete: { results: { nodes: [] } } });
  }
  expect((await owner.get(`/athletes/${minor.id}/results`)).body.data).toHaveLength(1);
  expect((await owner.get(`/competitions/results?athleteId=${minor.id}`)).body.data).toHaveLength(1);
});

test('results of an unpublished competition are visible to its owner only', async () => {
  const ada = await createTestAthlete(other, 'Ada Fast');
  const { participants, heat, season } = await meet([ada.id], undefined, { status: 'DRAFT' });
  const matchId = await heat('2026-08-10');
  await record([{ matchId, participants: [{ participantId: participants[0], rank: 1 }] }]);
  const count = async (reader: Client) => (await reader.get(`/athletes/${ada.id}/results`)).body.data.length;
  expect([await count(platform.anonymous), await count(other), await count(owner)]).toEqual([0, 0, 1]);
  const { body } = await owner.get(`/competitions/seasons/${season.id}`);
  await owner.post(`/competitions/${body.competition.id}/publish`);
  expect(await count(platform.anonymous)).toBe(1);
  expect((await platform.anonymous.get(`/competitions/results?seasonId=${season.id}`)).body.data).toHaveLength(1);
});

test('a player on a team sheet has the results of the team, and both members of a pair have its results', async () => {
  const [ada, bea] = await Promise.all([createTestAthlete(other, 'Ada'), createTestAthlete(other, 'Bea')]);
  const { season, path } = await createSeason(owner, { sport: 'TENNIS', type: 'TOURNAMENT', discipline: 'DOUBLES' });
  const team = async (name: string) => {
    const { id: teamId } = await createTeam(owner, name, { sport: 'TENNIS' });
    return (await createResource(owner, `${path}/participants`, { type: 'TEAM', teamId })).id;
  };
  const pair = (await createResource(owner, `${path}/participants`, { type: 'PAIR', memberIds: [ada.id, bea.id] })).id;
  const rivals = await team('Rivals');
  const play = async (one: object, scoreText: string, date: string) => {
    const match = await createResource(owner, '/competitions/matches', {
      seasonId: season.id,
      date,
      participants: [one, { participantId: rivals }],
    });
    const participants = match.participants.map(({ participant }: { participant: { id: string } }) => ({
      participantId: participant.id,
    }));
    await record([{ matchId: match.id, scoreText, participants }]);
  };
  await play({ participantId: pair }, '6-4 3-6 [10-8]', '2026-08-10');
  const [shown] = (await platform.anonymous.get(`/competitions/matches?seasonId=${season.id}`)).body.data;
  expect(shown.participants[0].participant.members.map((each: { id: string }) => each.id)).toEqual([ada.id, bea.id]);
  const calendar = await platform.anonymous.get(`/competitions/matches.ics?seasonId=${season.id}`);
  expect(calendar.body).toMatch(/SUMMARY:Ada.* \/ Bea.* – Rivals 2-1/);
  const club = await team('Club');
  await play({ participantId: club, lineup: [{ athleteId: ada.id }] }, '4-6 4-6', '2026-08-11');
  const of = async (id: string) =>
    (await platform.anonymous.get(`/athletes/${id}/results`)).body.data.map(
      ({ outcome, score, periodScores, tieBreakScores }: Record<string, unknown>) => [
        outcome,
        score,
        periodScores,
        tieBreakScores,
      ],
    );
  const together = ['WIN', 2, [6, 3, 1], [null, null, 10]];
  expect(await of(bea.id)).toEqual([together]);
  expect(await of(ada.id)).toEqual([['LOSS', 0, [4, 4], [null, null]], together]);
});
