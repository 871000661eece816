/** The skills of the talent score: weighted by position, and counted once however many metrics measure them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createSeason } from '../competitions/season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;

/** The metrics of athletes by name. 40 others of each position have every value from 0 to 39. */
const players: Readonly<Record<string, readonly [position: string, metrics: Readonly<Record<string, number>>]>> = {
  scorer: ['ST', { goals: 39, assists: 0 }],
  shooter: ['ST', { goals: 39, shots: 39, shotsOnTarget: 39, assists: 0 }],
  booked: ['ST', { goals: 39, assists: 0, yellowCards: 39, redCards: 39 }],
  creator: ['ST', { goals: 0, assists: 39 }],
  tackler: ['ST', { goals: 0, tacklesWon: 39 }],
  defender: ['CB', { goals: 0, tacklesWon: 39 }],
};
const ids = new Map<string, string>();

const createPlayer = async (displayName: string, position: string): Promise<string> =>
  (
    await createAthlete(owner, {
      displayName,
      dateOfBirth: bornFor(20, 183),
      status: 'ACTIVE',
      sports: [{ sport: 'FOOTBALL', positions: [position], level: 'NATIONAL' }],
    })
  ).id;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Agency' });
  const { season } = await createSeason(owner, { category: 'WOMEN' });
  const report = (athleteId: string, metrics: Readonly<Record<string, number>>) => ({
    athleteId,
    scope: 'SEASON',
    sport: 'FOOTBALL',
    seasonId: season.id,
    source: 'PROVIDER',
    matchesPlayed: 30,
    metrics: Object.entries(metrics).map(([key, value]) => ({ key, value })),
  });
  const keys = ['goals', 'shots', 'shotsOnTarget', 'assists', 'tacklesWon', 'yellowCards', 'redCards'];
  const others = ['ST', 'CB'].flatMap((position) => Array.from({ length: 40 }, (_, index) => ({ position, index })));
  const items = await Promise.all(
    others.map(async ({ position, index }) =>
      report(await createPlayer(`${position} ${index}`, position), Object.fromEntries(keys.map((key) => [key, index]))),
    ),
  );
  for (const [name, [position, metrics]] of Object.entries(players)) {
    const id = await createPlayer(name, position);
    ids.set(name, id);
    items.push(report(id, metrics));
  }
  expect((await owner.post('/athletes/statistics/batch', { items })).body.summary).toMatchObject({ failed: 0 });
  await platform.settled();
  await platform.maintain();
});
afterAll(() => platform.close());

const performance = async (name: string): Promise<{ value: number; text: string }> => {
  const { body } = await platform.anonymous.get(`/scouting/prospects/${ids.get(name) ?? ''}`);
  return body.components.find(({ code }: { code: string }) => code === 'PERFORMANCE');
};

test('correlated metrics count once: shots add nothing to the goals they lead to', async () => {
  const [scorer, shooter] = [await performance('scorer'), await performance('shooter')];
  expect(Math.abs(shooter.value - scorer.value)).toBeLessThan(0.02);
});

test('cards do not change the score, but are among the numbers', async () => {
  const [scorer, booked] = [await performance('scorer'), await performance('booked')];
  expect(booked.value).toBe(scorer.value);
  expect(booked.text).toBe(scorer.text);
  const { body } = await platform.anonymous.get(`/scouting/prospects/${ids.get('booked') ?? ''}`);
  expect(body.numbers.map(({ metricKey }: { metricKey: string }) => metricKey)).toContain('yellowCards');
});

test('skills are weighted by position: goals count most for a forward, tackles for a defender', async () => {
  expect((await performance('scorer')).value).toBeGreaterThan((await performance('creator')).value);
  expect((await performance('defender')).value).toBeGreaterThan((await performance('tackler')).value + 0.3);
});
