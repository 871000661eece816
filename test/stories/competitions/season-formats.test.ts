/** Whole seasons of large formats: a season of two conferences with 1,230 games, and the groups of a World Cup with 48 teams. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Federation' });
});
afterAll(() => platform.close());

interface Game {
  readonly sides: readonly [number, number];
  readonly score: readonly [number, number];
  readonly group?: string | undefined;
}

/** A repeatable number from 0 to below `below` (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

async function stage(league: League, facts: object, groupOf: (index: number) => string): Promise<string> {
  const path = `/competitions/seasons/${league.seasonId}`;
  const { status, body } = await owner.post(`${path}/stages`, facts);
  expect([status, body.errors]).toEqual([201, undefined]);
  for (const [index, id] of league.participants.entries())
    await owner.patch(`${path}/participants/${id}`, { group: groupOf(index) }, { 'if-match': '*' });
  return body.id;
}

/** Sends all games with official results. The score is in the order of the sides. */
async function play(league: League, stageId: string, games: readonly Game[]): Promise<void> {
  const items = games.map(({ sides, score, group }, index) => {
    const ids = sides.map((side) => league.participants[side]);
    return {
      seasonId: league.seasonId,
      stageId,
      ...(group === undefined ? {} : { group }),
      date: new Date(Date.UTC(2026, 7, 1) + Math.floor(index / 20) * 86_400_000).toISOString().slice(0, 10),
      participants: ids.map((participantId) => ({ participantId })),
      status: 'FINISHED',
      result: { status: 'OFFICIAL', participants: ids.map((participantId, side) => ({ participantId, score: score[side] })) },
      externalIds: [{ scheme: 'TEST', value: `${stageId}-${index}` }],
    };
  });
  for (let start = 0; start < items.length; start += 250) {
    const { body } = await owner.post('/competitions/matches/batch', { items: items.slice(start, start + 250) });
    expect(body.summary).toMatchObject({ failed: 0 });
  }
}

interface Row {
  readonly group: string | null;
  readonly position: number;
  readonly participant: { readonly name: string };
  readonly matchesPlayed: number;
  readonly won: number;
  readonly lost: number;
  readonly points: number;
  readonly scoreDifference: number;
  readonly scoreFor: number;
  readonly winPercentage: number;
  readonly gamesBehind: number;
  readonly groupRecord: { readonly won: number; readonly lost: number };
  readonly qualified: boolean | null;
}

async function rowsOf(stageId: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ;) {
    const { body } = await owner.get(`/competitions/rankings?stageId=${stageId}&limit=100${cursor}`);
    rows.push(...body.data);
    if (body.page.nextCursor === null) return rows;
    cursor = `&cursor=${encodeURIComponent(body.page.nextCursor)}`;
  }
}

test('a season of two conferences: 30 teams with 82 games each, against both conferences', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `Team ${index + 1}`);
  const facts = { name: 'Association', sport: 'BASKETBALL', rankingRules: { ruleSet: 'BASKETBALL_NBA' } };
  const league = await playLeague(owner, names, facts);
  const conferenceOf = (index: number): string => (index < 15 ? 'East' : 'West');
  const stageId = await stage(league, { name: 'Regular season', type: 'LEAGUE', groups: ['East', 'West'] }, conferenceOf);
  const next = numbers(82);
  // Two games against each team of the other conference, four in the own one, but three against the four nearest teams.
  const meetings = (one: number, other: number): number => {
    if (conferenceOf(one) !== conferenceOf(other)) return 2;
    const distance = Math.abs(one - other);
    return Math.min(distance, 15 - distance) <= 2 ? 3 : 4;
  };
  const games = names.flatMap((_, one) =>
    names.flatMap((__, other) =>
      one < other
        ? Array.from({ length: meetings(one, other) }, (___, time): Game => {
            const score = [90 + next(40), 90 + next(40)] as const;
            const decided = [score[0] + (score[0] === score[1] ? 1 : 0), score[1]] as const;
            return time % 2 === 0 ? { sides: [one, other], score: decided } : { sides: [other, one], score: decided };
          })
        : [],
    ),
  );
  expect(games).toHaveLength(1230);
  await play(league, stageId, games);

  const rows = await rowsOf(stageId);
  const winnerOf = ({ sides, score }: Game): number => (score[0] > score[1] ? sides[0] : sides[1]);
  for (const conference of ['East', 'West']) {
    const own = rows.filter(({ group }) => group === conference);
    expect(own).toHaveLength(15);
    const [first] = own;
    for (const [at, row] of own.entries()) {
      const index = names.indexOf(row.participant.name);
      const played = games.filter(({ sides }) => sides.includes(index));
      const won = played.filter((game) => winnerOf(game) === index);
      const within = ({ sides }: Game): boolean => sides.every((side) => conferenceOf(side) === conference);
      expect(row).toMatchObject({
        matchesPlayed: 82,
        won: won.length,
        lost: 82 - won.length,
        winPercentage: Math.round((won.length / 82) * 1000) / 10,
        gamesBehind: (first?.won ?? 0) - won.length,
        groupRecord: { won: won.filter(within).length, lost: played.filter(within).length - won.filter(within).length },
      });
      expect(row.won).toBeLessThanOrEqual(own[at - 1]?.won ?? 82);
    }
  }
});

test('a World Cup of 48 teams: two of each of twelve groups and the best eight third-placed teams advance', async () => {
  const names = Array.from({ length: 48 }, (_, index) => `Nation ${index + 1}`);
  const facts = { name: 'World Cup', type: 'TOURNAMENT', rankingRules: { ruleSet: 'FOOTBALL_UEFA' } };
  const cup = await playLeague(owner, names, facts);
  const groups = 'A B C D E F G H I J K L'.split(' ');
  const groupOf = (index: number): string => groups[Math.floor(index / 4)] ?? '';
  const advancement = [
    { by: 'PLACE', count: 2 },
    { by: 'NEXT_PLACED', count: 8 },
  ];
  const stageId = await stage(cup, { name: 'Group stage', type: 'GROUP', groups, advancement }, groupOf);
  const next = numbers(2026);
  // Many goals, so that no third-placed teams are level.
  const games = names.flatMap((_, one) =>
    names.flatMap((__, other): Game[] =>
      one < other && groupOf(one) === groupOf(other)
        ? [{ sides: [one, other], score: [next(9), next(9)], group: groupOf(one) }]
        : [],
    ),
  );
  expect(games).toHaveLength(72);
  await play(cup, stageId, games);

  const rows = await rowsOf(stageId);
  const thirds = rows.filter(({ group, position }) => group !== null && position === 3);
  const keyOf = ({ points, scoreDifference, scoreFor }: Row): number => points * 1e6 + scoreDifference * 1e3 + scoreFor;
  const best = thirds.toSorted((one, other) => keyOf(other) - keyOf(one)).map(({ participant }) => participant.name);
  const nextPlaced = rows.filter(({ group }) => group === null);
  expect(nextPlaced.map(({ participant }) => participant.name)).toEqual(best);
  const qualified = rows.filter((row) => row.group !== null && row.qualified === true);
  expect(qualified).toHaveLength(32);
  expect(
    qualified
      .filter(({ position }) => position === 3)
      .map(({ participant }) => participant.name)
      .toSorted(),
  ).toEqual(best.slice(0, 8).toSorted());
});
