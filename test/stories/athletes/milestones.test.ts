/** Milestones of careers in the public API: first matches, levels and goals, with the age of the athlete. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from '../competitions/leagues.ts';
import { createResource } from '../competitions/season-fixtures.ts';
import { createAdult } from '../organizations/clubs.ts';
import { createMinor, verifiedAccount } from './minors-fixture.ts';

let platform: TestPlatform;
let owner: Client;
/** Athletes with a birth date, with a birth year only, and a minor whose restricted profile is public. */
let striker: string;
let veteran: string;
let minor: string;

/** A match of a league that the striker wins, with or without a goal of the striker. */
async function play({ seasonId, participants }: League, date: string, goals: number): Promise<void> {
  const [home, away] = participants;
  const lineup = [striker, veteran, minor].map((athleteId) => ({ athleteId, starter: true }));
  await createResource(owner, '/competitions/matches', {
    seasonId,
    date,
    status: 'FINISHED',
    participants: [
      { participantId: home, side: 'HOME', lineup },
      { participantId: away, side: 'AWAY' },
    ],
    actions: Array.from({ length: goals }, () => ({ type: 'GOAL', minute: 10, participantId: home, athleteId: striker })),
    result: {
      status: 'OFFICIAL',
      participants: [
        { participantId: home, score: goals },
        { participantId: away, score: 0 },
      ],
    },
  });
}

beforeAll(async () => {
  platform = await openTestPlatform();
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Academy', { officer: true });
  striker = (await createAdult(owner, { dateOfBirth: '2006-10-10' })).id;
  veteran = (await createAdult(owner, { dateOfBirth: undefined, birthYear: 2000 })).id;
  minor = await createMinor(owner, ['PROFILE']);
  const season = (year: number) => ({ name: String(year), startDate: `${year}-08-01`, endDate: `${year + 1}-06-30` });
  const youth = await playLeague(owner, ['A', 'B'], { level: 'ACADEMY', ageGroup: 'U19', category: 'WOMEN' }, season(2024));
  const first = await playLeague(
    owner,
    ['C', 'D'],
    { level: 'PROFESSIONAL', ageGroup: 'SENIOR', category: 'WOMEN' },
    season(2025),
  );
  const unnamed = await playLeague(owner, ['E', 'F'], { category: 'WOMEN' }, season(2025));
  await play(youth, '2024-10-09', 0);
  await play(youth, '2024-10-10', 1);
  await play(unnamed, '2025-09-06', 0);
  await play(first, '2026-03-07', 0);
  await play(first, '2025-12-31', 2);
  await platform.settled();
});
afterAll(() => platform.close());

interface Milestone {
  readonly code: string;
  readonly title: string;
  readonly sport: string;
  readonly date: string;
  readonly ageYears: number | null;
}

async function milestonesOf(client: Client, id: string): Promise<[string, string, number | null][]> {
  const { status, body } = await client.get(`/athletes/${id}?include=milestones`);
  expect(status).toBe(200);
  return body.milestones.map(({ code, date, ageYears }: Milestone) => [code, date, ageYears]);
}

test('milestones are the first matches, levels and goals of an athlete, with the age on that day', async () => {
  expect(await milestonesOf(platform.anonymous, striker)).toEqual([
    ['FIRST_MATCH', '2024-10-09', 17],
    ['FIRST_LEVEL_ACADEMY', '2024-10-09', 17],
    ['FIRST_GOAL', '2024-10-10', 18],
    ['FIRST_SENIOR_MATCH', '2025-12-31', 19],
    ['FIRST_LEVEL_PROFESSIONAL', '2025-12-31', 19],
  ]);
  const { body } = await platform.anonymous.get(`/athletes/${striker}?include=milestones`);
  expect(body.milestones[1]).toMatchObject({ title: 'First match at academy level', sport: 'FOOTBALL' });
});

test('a birth year determines the age on the last day of a year only', async () => {
  expect(await milestonesOf(platform.anonymous, veteran)).toEqual([
    ['FIRST_MATCH', '2024-10-09', null],
    ['FIRST_LEVEL_ACADEMY', '2024-10-09', null],
    ['FIRST_SENIOR_MATCH', '2025-12-31', 25],
    ['FIRST_LEVEL_PROFESSIONAL', '2025-12-31', 25],
  ]);
});

test('a restricted profile has no milestones', async () => {
  expect(await milestonesOf(owner, minor)).toHaveLength(4);
  expect(await milestonesOf(platform.anonymous, minor)).toEqual([]);
});

test('the milestones of a page of athletes take one statement', async () => {
  const query = `{ athletes(first: 10, filter: { ids: ["${striker}", "${veteran}"] }) { nodes { milestones { code } } } }`;
  platform.statements();
  const { body } = await platform.anonymous.graphql(query);
  expect(body.data.athletes.nodes.map((each: { milestones: unknown[] }) => each.milestones.length).toSorted()).toEqual([4, 5]);
  expect(platform.statements().filter((name) => name === 'milestones.ofAthletes')).toHaveLength(1);
});

test('a comparison of prospects has the milestones of each athlete', async () => {
  const { status, body } = await platform.anonymous.get(`/scouting/comparisons?athleteId=${striker},${veteran}`);
  expect(status).toBe(200);
  expect(body.data.map(({ athlete }: { athlete: { milestones: Milestone[] } }) => athlete.milestones[0])).toEqual([
    { code: 'FIRST_MATCH', title: 'First match', sport: 'FOOTBALL', date: '2024-10-09', ageYears: 17 },
    { code: 'FIRST_MATCH', title: 'First match', sport: 'FOOTBALL', date: '2024-10-09', ageYears: null },
  ]);
  expect(body.data[0].athlete.displayName).toMatch(/^Quillon/);
});
