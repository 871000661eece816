/** Changes of a season update its tables at once, and publishing a season publishes everything in it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { always, edition, createResource, createSeason, createTeam } from './season-fixtures.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
});
afterAll(() => platform.close());

const league = { name: 'Oberliga Nordost', sport: 'FOOTBALL', type: 'LEAGUE' };

/** Entered one after another: tied participants are listed in order of entry. */
async function enters(path: string, names: readonly string[], facts: object = {}) {
  const entered = [];
  for (const name of names) {
    const team = await createTeam(owner, name);
    entered.push(await createResource(owner, `${path}/participants`, { type: 'TEAM', teamId: team.id, ...facts }));
  }
  return entered;
}

/** The rows of a table as `position name points`. */
async function tableOf(client: Client, query: string): Promise<string[]> {
  const { body } = await client.get(`/competitions/rankings?${query}`);
  return body.data.map(
    (row: { position: number; participant: { name: string }; points: number }) =>
      `${row.position} ${row.participant.name} ${row.points}`,
  );
}

const plays = (seasonId: string, home: string, away: string, score: readonly [number, number], facts: object = {}) =>
  createResource(owner, '/competitions/matches', {
    seasonId,
    date: '2026-09-05',
    participants: [
      { participantId: home, side: 'HOME' },
      { participantId: away, side: 'AWAY' },
    ],
    status: 'FINISHED',
    result: {
      status: 'OFFICIAL',
      participants: [
        { participantId: home, score: score[0] },
        { participantId: away, score: score[1] },
      ],
    },
    ...facts,
  });

test('participants, adjustments, decisions and rules change their table', async () => {
  const { season, path } = await createSeason(owner);
  const [alpha, beta, gamma] = await enters(path, ['Alpha', 'Beta', 'Gamma']);
  await plays(season.id, alpha.id, beta.id, [1, 1]);
  const table = () => tableOf(platform.anonymous, `seasonId=${season.id}`);
  expect(await table()).toEqual(['1 Alpha 1', '1 Beta 1', '3 Gamma 0']);

  const participantIds = [beta.id, alpha.id];
  const drawOfLots = await createResource(owner, `${path}/tie-break-decisions`, {
    participantIds,
    criterion: 'DRAW_OF_LOTS',
    reason: 'Lots',
  });
  expect(await table()).toEqual(['1 Beta 1', '2 Alpha 1', '3 Gamma 0']);
  const docked = await createResource(owner, `${path}/adjustments`, { participantId: beta.id, points: -2, reason: 'Debts' });
  expect(await table()).toEqual(['1 Alpha 1', '2 Gamma 0', '3 Beta -1']);
  await owner.patch(`${path}/adjustments/${docked.id}`, { points: 1 }, always);
  expect(await table()).toEqual(['1 Beta 2', '2 Alpha 1', '3 Gamma 0']);
  await owner.delete(`${path}/adjustments/${docked.id}`, always);
  await owner.delete(`${path}/tie-break-decisions/${drawOfLots.id}`, always);
  expect(await table()).toEqual(['1 Alpha 1', '1 Beta 1', '3 Gamma 0']);

  const rankingRules = { points: { win: 3, draw: 2, loss: 0 } };
  await owner.patch(path, { rankingRules }, always);
  expect(await table()).toEqual(['1 Alpha 2', '1 Beta 2', '3 Gamma 0']);
  await owner.patch(`${path}/stages/${docked.stage.id}`, { rankingRules: { points: { win: 3, draw: 5, loss: 0 } } }, always);
  expect(await table()).toEqual(['1 Alpha 5', '1 Beta 5', '3 Gamma 0']);
  await owner.delete(`${path}/participants/${gamma.id}`, always);
  expect(await table()).toEqual(['1 Alpha 5', '1 Beta 5']);
});

test('moving a participant to another group changes both tables, and a batch changes each table once', async () => {
  const { season, path } = await createSeason(owner);
  const stage = await createResource(owner, `${path}/stages`, { name: 'Groups', type: 'GROUP', groups: ['A', 'B'] });
  const [team, moved] = await enters(path, ['Stays', 'Moves'], { group: 'A' });
  const group = (name: string) => tableOf(platform.anonymous, `stageId=${stage.id}&group=${name}`);
  expect(await group('A')).toHaveLength(2);
  platform.statements();
  await owner.patch(`${path}/participants/${moved.id}`, { group: 'B' }, always);
  expect(platform.statements().filter((name) => name === 'rankings.parts')).toHaveLength(1);
  expect([await group('A'), await group('B')]).toEqual([['1 Stays 0'], ['1 Moves 0']]);
  const items = [team, moved].map(({ team: { id } }, index) => ({
    type: 'TEAM',
    teamId: id,
    contestId: stage.contest.id,
    group: 'B',
    externalIds: [{ scheme: 'FEED', value: `${season.id}-${index}` }],
  }));
  platform.statements();
  expect((await owner.post(`${path}/participants/batch`, { items })).body.summary).toMatchObject({ created: 2 });
  expect(platform.statements().filter((name) => name === 'rankings.parts')).toHaveLength(1);
});

test('publishing a competition publishes its matches, results, tables and registry IDs', async () => {
  const { competition, season, path } = await createSeason(owner, { status: 'DRAFT' });
  const [home, away] = await enters(path, ['Home', 'Away']);
  const fifa = { scheme: 'FIFA_ID', value: 'match-1' };
  const match = await plays(season.id, home.id, away.id, [2, 0], { externalIds: [fifa] });
  const one = `/competitions/matches/${match.id}`;
  const reads = [path, one, `${one}/result`, `${path}/participants/${home.id}`, `${path}/stages/${match.stage.id}`];
  const statuses = async () => Promise.all(reads.map(async (read) => (await platform.anonymous.get(read)).status));
  const before = await platform.anonymous.get(`/competitions/matches?updatedSince=2020-01-01T00:00:00Z`);
  expect(before.body.data).not.toContainEqual(expect.objectContaining({ id: match.id }));
  expect(new Set(await statuses())).toEqual(new Set([404]));
  expect((await platform.anonymous.get(`/competitions/rankings?seasonId=${season.id}`)).status).toBe(404);

  await owner.post(`/competitions/${competition.id}/publish`);
  expect(new Set(await statuses())).toEqual(new Set([200]));
  expect(await tableOf(platform.anonymous, `seasonId=${season.id}`)).toEqual(['1 Home 3', '2 Away 0']);
  const since = await platform.anonymous.get(`/competitions/matches?updatedSince=${before.body.page.updatedUntil}`);
  expect(since.body.data).toContainEqual(expect.objectContaining({ id: match.id }));
  const other = await platform.account({ account: 'Other' });
  const theirs = await other.post('/competitions', { name: 'X', sport: 'FOOTBALL', type: 'CUP', status: 'PUBLISHED' });
  const { body: cup } = await other.post('/competitions/seasons', {
    name: 'x',
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    competitionId: theirs.body.id,
  });
  const taken = await other.post('/competitions/matches', { seasonId: cup.id, participants: [], externalIds: [fifa] });
  expect(taken.body).toMatchObject({ code: 'conflict' });
});

describe('ranking rules', () => {
  test('are those of the sport, of a named set, or changed by member; a season keeps its rules', async () => {
    const { body: plain } = await owner.post('/competitions', { ...league, sport: 'RUGBY', discipline: 'SEVENS' });
    expect(plain.rankingRules).toMatchObject({ method: 'TABLE', points: { win: 3, draw: 2, loss: 1 }, best: null });
    const zones = [{ code: 'PROMOTION', from: 1, to: 2 }];
    const rankingRules = { ruleSet: 'FOOTBALL_HEAD_TO_HEAD', zones };
    const { body: competition } = await owner.post('/competitions', { ...league, rankingRules });
    expect(competition.rankingRules).toMatchObject({ headToHeadWhen: 'ALL_PLAYED', zones, bonus: [], classifications: [] });

    const { body: season } = await owner.post('/competitions/seasons', { ...edition, competitionId: competition.id });
    const changed = await owner.patch(`/competitions/${competition.id}`, { rankingRules: { zones: [] } }, { 'if-match': '*' });
    expect(changed.body.rankingRules).toEqual({ ...competition.rankingRules, zones: [] });
    expect((await owner.get(`/competitions/seasons/${season.id}`)).body.rankingRules).toEqual(competition.rankingRules);

    const patch = (body: unknown) => owner.patch(`/competitions/seasons/${season.id}`, body, { 'if-match': '*' });
    const own = await patch({ rankingRules: { headToHeadWhen: 'ALWAYS' } });
    expect(own.body).toMatchObject({ version: 2, rankingRules: { headToHeadWhen: 'ALWAYS', zones } });
    expect((await patch({ rankingRules: { headToHeadWhen: 'ALWAYS' } })).body.version).toBe(2);
    expect((await patch({ rankingRules: { method: 'BEST_MARK' } })).body.rankingRules).toMatchObject({ points: null, order: [] });
    expect((await patch({ rankingRules: null })).body.rankingRules).toEqual(changed.body.rankingRules);
    const none = await owner.patch(`/competitions/${competition.id}`, { rankingRules: null }, { 'if-match': '*' });
    expect(none.body.rankingRules).toMatchObject({ headToHeadWhen: 'ALWAYS', zones: [] });
  });

  test('that contradict themselves are rejected with all violations, in every resource', async () => {
    const rankingRules = { bonus: [{ type: 'TRIES_AT_LEAST', points: 1 }], zones: [{ code: 'UP', from: 2, to: 1 }] };
    const errors = [{ pointer: '/rankingRules/bonus/0/n' }, { pointer: '/rankingRules/zones/0/to' }];
    const rejected = await owner.post('/competitions', { ...league, discipline: 'BOXING', rankingRules });
    expect(rejected.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/discipline' }, ...errors] });
    const { body: competition } = await owner.post('/competitions', league);
    const season = { ...edition, competitionId: competition.id };
    expect((await owner.post('/competitions/seasons', { ...season, rankingRules })).body).toMatchObject({ errors });
    expect((await owner.patch(`/competitions/${competition.id}`, { rankingRules }, { 'if-match': '*' })).body).toMatchObject({
      errors,
    });
  });
});
