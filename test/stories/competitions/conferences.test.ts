/** Conferences: participants play across groups, and every match counts in the table of their own group. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { scoring } from './scores.ts';

const teams = ['Boston', 'Miami', 'Denver', 'Phoenix'];

let platform: TestPlatform;
let owner: Client;
let league: League;
let play: ReturnType<typeof scoring>['played'];

interface Row {
  readonly group: string | null;
  readonly position: number;
  readonly participant: { readonly name: string };
  readonly points: number;
  readonly matchesPlayed: number;
}

async function rows(query = ''): Promise<Row[]> {
  const { status, body } = await owner.get(`/competitions/rankings?seasonId=${league.seasonId}${query}`);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.data as Row[];
}
const table = (all: readonly Row[], group: string | null): string =>
  all
    .filter((row) => row.group === group)
    .map(({ position, participant, matchesPlayed }) => `${position} ${participant.name} ${matchesPlayed}`)
    .join(', ');

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Association' });
  league = await playLeague(owner, teams, { name: 'National', sport: 'BASKETBALL', rankingRules: { ruleSet: 'BASKETBALL_NBA' } });
  const path = `/competitions/seasons/${league.seasonId}`;
  const { body: stage } = await owner.post(`${path}/stages`, {
    name: 'Regular season',
    type: 'LEAGUE',
    groups: ['East', 'West'],
  });
  expect(stage).toMatchObject({ groups: ['East', 'West'] });
  for (const [index, id] of league.participants.entries()) {
    const changed = await owner.patch(`${path}/participants/${id}`, { group: index < 2 ? 'East' : 'West' }, { 'if-match': '*' });
    expect(changed.status).toBe(200);
  }
  const { played } = scoring(owner, league);
  play = (sides, scores, facts) => played(sides, scores, { stageId: stage.id, ...facts });
  // Boston beats everyone; Denver loses only to Boston
  await play([0, 1], [100, 90], { date: '2026-10-20', group: 'East' });
  await play([0, 2], [101, 99], { date: '2026-10-22' });
  await play([2, 1], [95, 80], { date: '2026-10-24' });
  await play([2, 3], [110, 100], { date: '2026-10-26', group: 'West' });
  await play([3, 1], [88, 99], { date: '2026-10-28' });
});
afterAll(() => platform.close());

describe('a league with conferences', () => {
  test('has one table per conference, in which matches against the other one count', async () => {
    const all = await rows();
    expect(new Set(all.map(({ group }) => group))).toEqual(new Set(['East', 'West']));
    expect(table(all, 'East')).toBe('1 Boston 2, 2 Miami 3');
    expect(table(all, 'West')).toBe('1 Denver 3, 2 Phoenix 2');
  });

  test('has percentages, games behind, streaks and records', async () => {
    const all = await rows();
    expect(all.find(({ participant }) => participant.name === 'Denver')).toMatchObject({
      winPercentage: 66.7,
      gamesBehind: 0,
      streak: { outcome: 'WIN', count: 2 },
      lastTen: { won: 2, draw: 0, lost: 1 },
      groupRecord: { won: 1, draw: 0, lost: 0 },
    });
    expect(all.find(({ participant }) => participant.name === 'Miami')).toMatchObject({
      winPercentage: 33.3,
      gamesBehind: 1.5,
      streak: { outcome: 'WIN', count: 1 },
      lastTen: { won: 1, draw: 0, lost: 2 },
      groupRecord: { won: 0, draw: 0, lost: 1 },
    });
  });

  test('is ranked by the share of matches won, not by the number of wins', async () => {
    await play([3, 1], [90, 80], { date: '2026-10-30' });
    await play([3, 1], [90, 80], { date: '2026-11-01' });
    await play([2, 0], [70, 80], { date: '2026-11-02' });
    await play([2, 0], [70, 80], { date: '2026-11-03' });
    // Denver: 2 of 5. Phoenix: 2 of 4
    const all = await rows();
    expect(table(all, 'West')).toBe('1 Phoenix 4, 2 Denver 5');
    expect(all.find(({ participant }) => participant.name === 'Denver')).toMatchObject({ gamesBehind: 0.5 });
  });

  test('has a table of home matches per conference', async () => {
    const all = await rows('&type=HOME');
    expect(table(all, 'East')).toBe('1 Boston 2, 2 Miami 0');
  });
});

test('a participant that changes its group moves to the other table', async () => {
  const path = `/competitions/seasons/${league.seasonId}/participants/${league.participants[1] ?? ''}`;
  expect((await owner.patch(path, { group: 'West' }, { 'if-match': '*' })).status).toBe(200);
  const all = await rows();
  expect(table(all, 'East')).toBe('1 Boston 4');
  expect(table(all, 'West')).toBe('1 Phoenix 4, 2 Denver 5, 3 Miami 5');
});
