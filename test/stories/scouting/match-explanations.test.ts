/** Explanations of matches: titles and units instead of keys, the maximum of each contribution, and percentiles of few matches. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createResource, createSeason } from '../competitions/season-fixtures.ts';
import { readMatches } from './match-reads.ts';

let platform: TestPlatform;
let owner: Client;
/** 40 forwards of age 20. The athlete at index i completed 60 + i % of the passes of 30 matches. */
let forwards: string[];
let opportunity: string;
/** All passes of one match. */
let substitute: string;

const forward = async (displayName: string): Promise<string> =>
  (
    await createAthlete(owner, {
      displayName,
      dateOfBirth: bornFor(20, 183),
      status: 'ACTIVE',
      sports: [{ sport: 'FOOTBALL', positions: ['ST'], level: 'NATIONAL' }],
    })
  ).id;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Club' });
  const { season } = await createSeason(owner, { category: 'WOMEN' });
  forwards = await Promise.all(Array.from({ length: 40 }, (_, index) => forward(`Forward ${index}`)));
  substitute = await forward('Substitute');
  const report = (athleteId: string, value: number, matchesPlayed: number) => ({
    athleteId,
    scope: 'SEASON',
    sport: 'FOOTBALL',
    seasonId: season.id,
    source: 'PROVIDER',
    matchesPlayed,
    metrics: [{ key: 'passAccuracyPct', value }],
  });
  const items = [...forwards.map((id, index) => report(id, 60 + index, 30)), report(substitute, 100, 1)];
  expect((await owner.post('/athletes/statistics/batch', { items })).body.summary).toMatchObject({ failed: 0 });
  const club = await createResource(owner, '/organizations', {
    type: 'CLUB',
    name: 'Club',
    country: 'FR',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
  });
  const { id } = await createResource(owner, '/opportunities', {
    type: 'TRIAL',
    organizationId: club.id,
    title: 'Forwards',
    description: 'Come and play.',
    totalOpenings: 2,
    sport: 'FOOTBALL',
    country: 'FR',
    applicationDeadline: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    requirements: [{ metricKey: 'passAccuracyPct', operator: 'GTE', value: 80, mandatory: false }],
    status: 'PUBLISHED',
  });
  opportunity = id;
  await platform.settled();
  await platform.maintain();
});
afterAll(() => platform.close());

test('an explanation has the title and unit of a metric, its cohort, and the most points possible', async () => {
  const [match] = await readMatches(platform.anonymous, [forwards[36] ?? ''], [opportunity]);
  const component = match?.components.find(({ code }) => code === 'METRICS');
  const { contribution, contributionMax } = component ?? { contribution: 0, contributionMax: 0 };
  expect(contributionMax).toBeGreaterThan(contribution);
  expect(component?.text).toBe(
    `${contribution} of at most ${contributionMax} points: Pass accuracy 96 % (required: at least 80 %), 90th percentile among 41 forwards aged 18-20 at national level, in 30 full matches`,
  );
});

test('a percentile of few matches counts less than a lower one of a whole season', async () => {
  const matches = await readMatches(platform.anonymous, [substitute, forwards[36] ?? ''], [opportunity]);
  const valueOf = (id: string | undefined) => {
    const match = matches.find(({ athlete }) => athlete.id === id);
    return match?.components.find(({ code }) => code === 'METRICS')?.value ?? NaN;
  };
  expect(valueOf(substitute)).toBeLessThan(valueOf(forwards[36]));
  expect(matches[0]?.athlete.id).toBe(forwards[36]);
});
