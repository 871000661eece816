/** `npm run evaluate`: the measures on small rankings, the synthetic market, and the reports on our rankings. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { computeTalentScores, type ScoredAthlete } from '../evaluation/careers/talent-scores.ts';
import { evaluate } from '../evaluation/evaluate.ts';
import { estimate, evenness, exposures, ndcgAt, precisionAt, recallAt, type Gain } from '../evaluation/measures.ts';
import { readOptions } from '../evaluation/options.ts';
import { generateMarket } from '../evaluation/synthetic/market.ts';
import { percentilesOf } from '../evaluation/synthetic/percentiles.ts';
import { readModelOf, publishedAthlete } from '../evaluation/read-model.ts';
import { realReports } from '../evaluation/real-data.ts';
import { isShortNameOf, readClubNames } from '../evaluation/recruitment/names.ts';
import { readScorers } from '../evaluation/recruitment/scorers.ts';
import { reportOf, type Candidate, type Report } from '../evaluation/report.ts';
import { printReport } from '../evaluation/table.ts';
import { openDatabase, sql } from '../platform/database/database.ts';
import { openRandom } from '../platform/random.ts';
import { areaRole } from '../platform/database/roles.ts';
import { positionGroup } from '../schema/position-codes.ts';
import { ageBandOf } from '../subgraphs/runtime/age-bands.ts';
import { latestToday } from '../subgraphs/runtime/age.ts';
import { cloneDatabase } from './database.ts';
import { dataFolder } from './open-data.ts';
import { section } from './pages.ts';

const cloned = await cloneDatabase();
const database = openDatabase({ url: cloned.urlAs(areaRole('scouting')), name: 'test-scouting', poolSize: 2 });
const owner = openDatabase({ url: cloned.ownerUrl, name: 'test-owner', poolSize: 1 });
const reports = await Array.fromAsync(
  evaluate({
    seed: 'test',
    market: { athletes: 800, opportunities: 80 },
    recommended: { athletes: 800, opportunities: 40 },
    careers: 1500,
    openReadModel: () => Promise.resolve(readModelOf(database, owner)),
    openData: null,
    log: () => undefined,
  }),
);
const real = [...realReports(dataFolder, openRandom('test'), () => undefined)];
const baselines = ['popularity', 'newest first', 'filter only', 'random'];

afterAll(async () => {
  await Promise.all([database.close(), owner.close()]);
  await cloned.drop();
});

describe('measures', () => {
  test('precision and recall count the relevant candidates among the first places', () => {
    expect(precisionAt(10, [3, 0, 1])).toBeCloseTo(0.2);
    expect(precisionAt(1, [0, 3])).toBe(0);
    expect(recallAt(2, [1, 0, 2], 4)).toBe(0.25);
    expect(recallAt(100, [1, 0, 2], 4)).toBe(0.5);
  });

  test('nDCG increases with the gain and decreases with the place', () => {
    expect(ndcgAt(10, [3, 2, 1], [1, 2, 3])).toBe(1);
    expect(ndcgAt(10, [0, 3], [3])).toBeCloseTo(1 / Math.log2(3));
    expect(ndcgAt(10, [1, 3], [3, 1])).toBeCloseTo((1 + 7 / Math.log2(3)) / (7 + 1 / Math.log2(3)));
    expect(ndcgAt(1, [0, 3], [3])).toBe(0);
  });

  test('exposure compares the listed share of each group with its relevant share over all questions', () => {
    const questions = [
      { listed: [3, 1], relevant: [1, 1] },
      { listed: [0, 0], relevant: [1, 1] },
    ];
    expect(exposures(questions)).toEqual([1.5, 0.5]);
    expect(evenness(questions)).toBeCloseTo(1 / 3);
    expect(evenness([{ listed: [0, 4], relevant: [2, 2] }])).toBe(0);
    expect(evenness([{ listed: [1, 3], relevant: [2, 6] }])).toBe(1);
  });

  test('an estimate has an interval', () => {
    expect(estimate([0.5, 0.5, 0.5], openRandom('a'))).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
    const { mean, low, high } = estimate([0, 1, 0, 1, 0, 1, 0, 1], openRandom('a'));
    expect(mean).toBe(0.5);
    expect([low, high].every((bound) => bound > 0 && bound < 1)).toBe(true);
    expect(low).toBeLessThan(high);
  });

  test('equal values have equal percentiles', () => expect(percentilesOf([1, 3, 3, 9])).toEqual([12.5, 50, 50, 87.5]));
});

test('cohorts in memory give the same scores as the platform', async () => {
  const { athletes } = generateMarket('test retrieval', { athletes: 800, opportunities: 1 });
  const compared = athletes.map(({ visible }): ScoredAthlete => {
    const { dateOfBirth, birthYear, sex, sports } = visible;
    const [first] = sports;
    const born = dateOfBirth ?? `${birthYear ?? ''}-12-31`;
    const position = first?.positions[0] === undefined ? null : (positionGroup('FOOTBALL', first.positions[0]) ?? null);
    const seasons = publishedAthlete({ visible }).seasons;
    return {
      id: visible.id,
      sex,
      ageBand: ageBandOf(born, latestToday()),
      position,
      level: first?.level ?? null,
      verified: false,
      seasons,
    };
  });
  const inMemory = [...computeTalentScores(compared, 'FOOTBALL')].map(([id, score]) => [id, score.talentScore, score.confidence]);
  const stored = await database.query<{ id: string; score: number; confidence: number }>(
    sql`select athlete_id as id, talent_score as score, confidence::float8 as confidence from prospect order by athlete_id`,
  );
  expect(stored.map(({ id, score, confidence }) => [id, score, confidence])).toEqual(inMemory.sort());
  expect(new Set(stored.map(({ score }) => score)).size).toBeGreaterThan(20);
});

describe('a synthetic market', () => {
  const small = { athletes: 100, opportunities: 4 };

  test('depends on the seed only', () => {
    expect(generateMarket('a', small)).toEqual(generateMarket('a', small));
    expect(generateMarket('b', small).athletes[0]).not.toEqual(generateMarket('a', small).athletes[0]);
  });

  test('lacks some visible data of every kind', () => {
    const { athletes } = generateMarket('a', small);
    const facts = ['dateOfBirth', 'residence', 'heightCm', 'availability'] as const;
    for (const fact of facts) {
      expect(athletes.filter(({ complete }) => complete[fact] === null)).toEqual([]);
      const missing = athletes.filter(({ visible }) => visible[fact] === null).length;
      expect(missing).toBeGreaterThan(0);
      expect(missing).toBeLessThan(athletes.length);
    }
    expect(athletes.some(({ visible }) => visible.statistics.length === 0)).toBe(true);
  });
});

describe('real recruitment', () => {
  const [of2019, of2024, scorers] = real.filter(({ name }) => name.startsWith('recruitment'));
  const ndcg = (report: Report | undefined, name: string) => report?.rows.find(({ ranking }) => ranking === name)?.ndcg;

  test('ranks the clubs of a league for each nation with players there, and the scorers of 2018', () => {
    expect([of2019?.candidates, of2024?.candidates]).toEqual([20, 20]);
    // All of England, Croatia and Egypt have a scorer who returns. The goalkeeper Keisuke Ōsako is not the scorer Yuya Osako.
    expect(scorers?.questions).toBe(3);
    expect(scorers?.rows.map(({ ranking }) => ranking)).toEqual(['goals', 'matches with goals', 'filter only', 'random']);
    for (const report of [of2019, of2024]) {
      const { mean = 0, low = 0, high = 0 } = ndcg(report, 'club level') ?? {};
      expect(low).toBeLessThanOrEqual(mean);
      expect(high).toBeGreaterThan(low);
    }
  });

  test('finds a club and a player by the names that other sources use', () => {
    const keyOf = readClubNames(dataFolder);
    expect(keyOf('es', 'Real Madrid C. F.')).toBe(keyOf('es', 'Real Madrid'));
    expect(keyOf('es', 'RC Celta')).toBe(keyOf('es', 'RC Celta Vigo'));
    expect(keyOf('eng', 'Manchester City')).not.toBe(keyOf('eng', 'Manchester United'));
    expect(isShortNameOf('M. Salah', 'Mohamed Salah')).toBe(true);
    expect(isShortNameOf('R. Salah', 'Mohamed Salah')).toBe(false);
    const kane = readScorers(dataFolder).find(({ nation, name }) => nation === 'England' && name.includes('Kane'));
    expect(kane).toMatchObject({ goals: 6, matchesWithGoals: 3 });
  });

  test('is skipped with the name of the missing file', () => {
    const lines: string[] = [];
    expect([...realReports('/nowhere', openRandom('a'), (line) => lines.push(line))]).toEqual([]);
    expect(lines.join('\n')).toMatch(/Skipping recruitment: .*2026\.squads\.json/);
  });
});

describe('an evaluation', () => {
  const compared = reports.filter(({ name }) => !name.endsWith('ablation'));
  test.each(compared.map((report) => [report.name, report] as const))('our ranking beats every baseline: %s', (_, { rows }) => {
    const behind = rows.filter(({ ranking }) => baselines.includes(ranking));
    expect(behind.map(({ ranking }) => ranking)).toEqual(baselines);
    for (const row of behind) expect([row.ranking, (row.behind?.low ?? 0) > 0]).toEqual([row.ranking, true]);
  });

  test('an ablation reports the score with other weights, and without each component', () => {
    const [ablation] = reports.filter(({ name }) => name === 'talent ablation');
    const rows = new Map(ablation?.rows.map(({ ranking, ndcg }) => [ranking, ndcg.mean]));
    expect([...rows.keys()]).toEqual(
      expect.arrayContaining(['ours', 'growth 0.3, performance 0.45', 'without performance', 'every metric equally']),
    );
    expect(rows.get('ours')).toBeGreaterThan(rows.get('without performance') ?? 1);
    expect(rows.get('ours')).toBe(reports.find(({ name }) => name === 'talent')?.rows[0]?.ndcg.mean);
  });

  test('a random ranking in place of ours is behind the best order', () => {
    const candidate = (gain: Gain): Candidate => ({ gain, mutual: null, quarter: null, sex: null });
    const random = openRandom('a');
    const questions = Array.from({ length: 30 }, (_, index) => {
      const all = Array.from({ length: 100 }, (__, place): Gain => (place < 5 ? 3 : 0));
      const responses = new Map([
        ['random', random.fork(`${index}`).sample(all, 100).map(candidate)],
        ['best', all.map(candidate)],
      ]);
      return { candidates: 100, relevant: all.filter((gain) => gain > 0).map(candidate), rankings: responses };
    });
    const [chance, best] = reportOf('a', 'a', questions, random).rows;
    expect(best?.ndcg).toEqual({ mean: 1, low: 1, high: 1 });
    expect(best?.behind?.high).toBeLessThan(0);
    expect(chance?.ndcg.high).toBeLessThan(0.5);
  });

  test('is documented in docs/matching.md, table by table and row by row', () => {
    const rowsOf = (text: string): string[] =>
      text.split('\n').flatMap((line) => /^### .+|^\| [a-zA-Z][^|]+?(?= +\|)/.exec(line)?.[0] ?? []);
    const documented = rowsOf(section('docs/matching.md', 'Evaluation'));
    expect(documented.length).toBeGreaterThan(0);
    const printed = [...reports, ...real].map((report) => rowsOf(printReport(report)));
    for (const rows of printed) expect(documented.join('\n')).toContain(rows.join('\n'));
  });

  test('valid options are read, invalid ones are rejected', () => {
    expect(readOptions(['--help'])).toBeNull();
    expect(readOptions(['--seed', 'a', '--careers', '900'])).toMatchObject({ seed: 'a', careers: 900, json: null });
    expect(() => readOptions(['--athletes', '1'])).toThrow('--athletes must be a whole number from 500 to 100000.');
  });
});
