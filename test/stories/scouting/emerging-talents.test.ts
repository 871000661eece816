/** The default list of prospects: sport by sport, emerging talents first, athletes without numbers last. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createResource, createSeason } from '../competitions/season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
const seasons: string[] = [];

interface Card {
  readonly athlete: { readonly displayName: string; readonly age: number };
  readonly sport: string;
  readonly talentScore: number;
  readonly scoreLowerBound: number;
  readonly confidence: number;
  readonly emerging: boolean;
}

const athlete = async (displayName: string, age: number, sport: object = {}): Promise<string> => {
  const facts = { displayName, dateOfBirth: bornFor(age, 183), nationalities: ['NG'], residence: null, status: 'ACTIVE' };
  const sports = [{ sport: 'HANDBALL', level: 'NATIONAL', positions: ['CB'], ...sport }];
  return (await createAthlete(owner, { ...facts, sports })).id;
};

const report = (athleteId: string, season: number, goals: number, matches: number) => ({
  athleteId,
  scope: 'SEASON',
  sport: 'HANDBALL',
  seasonId: seasons[season],
  source: 'PROVIDER',
  matchesPlayed: matches,
  metrics: [
    { key: 'goals', value: goals },
    { key: 'assists', value: goals },
  ],
  asOf: `${2025 + season}-10-10`,
});

const list = async (query = ''): Promise<Card[]> =>
  (await platform.anonymous.get(`/scouting/prospects?limit=100&${query}`)).body.data;
const namesOf = (cards: readonly Card[]): string[] => cards.map((each) => each.athlete.displayName);

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Agency' });
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  const league = await createSeason(owner, { sport: 'HANDBALL' });
  const before = { name: '2025/26', startDate: '2025-08-01', endDate: '2026-05-30', competitionId: league.competition.id };
  seasons.push((await createResource(owner, '/competitions/seasons', before)).id, league.season.id);
  // five matches into the season: the athlete at index i scored i goals, after 20 goals in 20 matches of the last season
  const juniors = await Promise.all(Array.from({ length: 40 }, (_, index) => athlete(`Junior ${index}`, 20)));
  const veterans = await Promise.all(Array.from({ length: 40 }, (_, index) => athlete(`Veteran ${index}`, 30)));
  const newcomer = await athlete('Newcomer', 19);
  const unknown = await athlete('Unknown', 19, { level: 'PROFESSIONAL' });
  await moderator.post(`/athletes/${unknown}/verify`, { method: 'Passport' });
  await athlete('Footballer', 20, { sport: 'FOOTBALL', positions: ['LB'] });
  await athlete('Swimmer', 20, { sport: 'SWIMMING', positions: [], level: 'PROFESSIONAL' });
  const items = [
    ...juniors.flatMap((id, index) => [report(id, 0, 20, 20), report(id, 1, index, 5)]),
    ...veterans.map((id, index) => report(id, 1, index * 6, 30)),
    report(newcomer, 1, 60, 5),
  ];
  expect((await owner.post('/athletes/statistics/batch', { items })).body.summary).toMatchObject({ failed: 0 });
  await platform.settled();
  await platform.maintain();
});
afterAll(() => platform.close());

describe('the default list of prospects', () => {
  test('does not mix sports', async () => {
    const sports = (await list()).map(({ sport }) => sport);
    expect(sports.filter((each, index) => each !== sports[index - 1])).toEqual(['FOOTBALL', 'SWIMMING', 'HANDBALL']);
  });

  test('starts with emerging talents, and continues with young athletes before older ones', async () => {
    const cards = await list('sport=HANDBALL');
    const rank = ({ emerging, confidence, athlete: { age } }: Card): number =>
      confidence === 0 ? 3 : emerging ? 0 : age <= 23 ? 1 : 2;
    const ranks = cards.map(rank);
    expect(ranks).toEqual(ranks.toSorted());
    expect(new Set(ranks)).toEqual(new Set([0, 1, 2, 3]));
    const best = Math.max(...cards.map(({ talentScore }) => talentScore));
    expect(cards.find(({ talentScore }) => talentScore === best)?.athlete.age).toBe(30);
  });

  test('is sorted by the lower bound of the score, so that an unknown athlete never outranks a performer', async () => {
    const cards = await list('sport=HANDBALL');
    const unknown = cards.find(({ athlete: { displayName } }) => displayName === 'Unknown');
    expect(unknown).toMatchObject({ confidence: 0 });
    const lower = cards.filter(({ talentScore }) => talentScore < (unknown?.talentScore ?? 0));
    expect(lower.length).toBeGreaterThan(50);
    expect(cards.at(-1)).toEqual(unknown);
    const emerging = cards.filter((each) => each.emerging).map((each) => each.scoreLowerBound);
    expect(emerging).toEqual(emerging.toSorted((one, other) => other - one));
    for (const { talentScore, scoreLowerBound } of cards) expect(scoreLowerBound).toBeLessThan(talentScore);
    const { talentScore = 0, scoreLowerBound = 0 } =
      cards.find(({ athlete: { displayName } }) => displayName === 'Newcomer') ?? {};
    const veteran = cards.find(({ athlete: { displayName } }) => displayName === 'Veteran 39');
    expect(talentScore - scoreLowerBound).toBeGreaterThan((veteran?.talentScore ?? 0) - (veteran?.scoreLowerBound ?? 0));
  });

  test('can be read by pages, over several sports and positions, without gaps or duplicates', async () => {
    for (const query of ['', 'sport=HANDBALL,FOOTBALL', 'position=CB,LB']) {
      const read: Card[] = [];
      let cursor = '';
      do {
        const { body } = await platform.anonymous.get(`/scouting/prospects?limit=30&${query}${cursor && `&cursor=${cursor}`}`);
        read.push(...body.data);
        cursor = body.page.nextCursor ?? '';
      } while (cursor !== '');
      expect([query, namesOf(read)]).toEqual([query, namesOf(await list(query))]);
      expect(new Set(namesOf(read)).size).toBe(read.length);
    }
    expect((await list('sport=HANDBALL,FOOTBALL')).map(({ sport }) => sport)[0]).toBe('FOOTBALL');
    expect(namesOf(await list('position=LB'))).toEqual(['Footballer']);
  });

  test('can still be sorted by score alone', async () => {
    const scores = (await list('sport=HANDBALL&sort=-talentScore')).map(({ talentScore }) => talentScore);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  });
});

describe('emerging talents', () => {
  test('are found five matches into a season', async () => {
    const cards = await list('emerging=true');
    expect(namesOf(cards)).toContain('Junior 39');
    expect(namesOf(cards)).not.toContain('Junior 20');
    for (const {
      confidence,
      athlete: { age },
    } of cards) {
      expect(confidence).toBe(0.33);
      expect(age).toBeLessThan(24);
    }
  });

  test('include an athlete without a previous season whose numbers are among the best', async () => {
    expect(namesOf(await list('emerging=true'))).toContain('Newcomer');
  });
});
