/** Properties of the talent score for arbitrary athletes. */
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Level } from '../../../subgraphs/scouting/generated/resolvers.ts';
import { isEmerging } from '../../../subgraphs/scouting/talent/emerging.ts';
import type { Standing } from '../../../subgraphs/scouting/talent/standings.ts';
import { computeTalentScore, type ScoredFacts } from '../../../subgraphs/scouting/talent/talent-score.ts';

const levels: Level[] = ['GRASSROOTS', 'SCHOOL', 'ACADEMY', 'REGIONAL', 'NATIONAL', 'INTERNATIONAL', 'PROFESSIONAL'];
const codes = ['PERFORMANCE', 'GROWTH', 'LEVEL', 'CONSISTENCY', 'VERIFICATION'];
const percentile = fc.integer({ min: 0, max: 100 });
const matches = fc.double({ min: 0.1, max: 60, noNaN: true });

const standing: fc.Arbitrary<Standing> = fc
  .record({
    metric: fc.constantFrom('goals', 'assists', 'tacklesWon', 'saves', 'yellowCards'),
    eventCode: fc.constantFrom('', '', '100M', '200M'),
    value: fc.integer({ min: 0, max: 30 }),
    matches,
    overall: fc.option(percentile),
    percentile,
    season: fc.option(fc.record({ before: percentile, growth: percentile, matchesBefore: matches })),
    n: fc.integer({ min: 30, max: 5000 }),
  })
  .map(({ season, n, ...each }) => ({
    ...each,
    ...(season ?? { before: null, growth: null, matchesBefore: null }),
    source: 'COMPUTED',
    asOf: '2026-05-30',
    cohort: { ageBand: '18-20', position: null, level: null, n },
  }));

const facts: fc.Arbitrary<ScoredFacts> = fc.record({
  sport: fc.constant('FOOTBALL'),
  standings: fc.uniqueArray(standing, { maxLength: 8, selector: ({ metric, eventCode }) => `${metric} ${eventCode}` }),
  positionGroup: fc.option(fc.constantFrom('GK', 'DF', 'FW')),
  level: fc.option(fc.constantFrom(...levels)),
  verified: fc.boolean(),
});

describe('the score', () => {
  test('is the sum of its contributions, from 0 to 100', () => {
    fc.assert(
      fc.property(facts, (each) => {
        const { talentScore, components, confidence } = computeTalentScore(each);
        expect(components.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(talentScore);
        expect(components.map(({ code }) => code)).toEqual(codes);
        for (const { weight, value, contribution } of components) {
          expect(Math.abs(contribution - 100 * weight * value)).toBeLessThan(1.01);
          expect(Number.isInteger(contribution)).toBe(true);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
        expect(talentScore).toBeGreaterThanOrEqual(0);
        expect(talentScore).toBeLessThanOrEqual(100);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('does not depend on the order of the facts', () => {
    fc.assert(
      fc.property(facts, fc.nat(), (each, turn) => {
        const at = turn % Math.max(1, each.standings.length);
        const turned = { ...each, standings: [...each.standings.slice(at), ...each.standings.slice(0, at)] };
        expect(computeTalentScore(turned)).toMatchObject({
          talentScore: computeTalentScore(each).talentScore,
          confidence: computeTalentScore(each).confidence,
        });
        expect(computeTalentScore(structuredClone(each))).toEqual(computeTalentScore(each));
      }),
    );
  });

  test('never falls with a better percentile, a higher level, or verification', () => {
    fc.assert(
      fc.property(facts, fc.nat(), percentile, percentile, (each, place, more, growth) => {
        const score = computeTalentScore(each).talentScore;
        const better = each.standings.map((one, index) =>
          index === place % each.standings.length
            ? {
                ...one,
                percentile: Math.max(one.percentile ?? 0, more),
                growth: one.growth === null ? null : Math.max(one.growth, growth),
              }
            : one,
        );
        expect(computeTalentScore({ ...each, standings: better }).talentScore).toBeGreaterThanOrEqual(score);
        expect(computeTalentScore({ ...each, level: 'PROFESSIONAL' }).talentScore).toBeGreaterThanOrEqual(score);
        expect(computeTalentScore({ ...each, verified: true }).talentScore).toBeGreaterThanOrEqual(score);
      }),
    );
  });

  test('is average with no confidence without values, and follows the values more with more matches', () => {
    const none = computeTalentScore({ sport: 'FOOTBALL', standings: [], positionGroup: null, level: null, verified: false });
    expect(none).toMatchObject({ talentScore: 40, confidence: 0, trend: null, percentile: null, cohort: null });
    expect(none.components.map(({ value }) => value)).toEqual([0.5, 0.5, 0, 0.5, 0]);
    const of = (count: number) => {
      const one = {
        ...fc.sample(standing, { numRuns: 1, seed: 1 })[0],
        metric: 'goals',
        eventCode: '',
        matches: count,
        percentile: 90,
      };
      const standings = [{ ...one, before: null, growth: null, matchesBefore: null } as Standing];
      return computeTalentScore({ sport: 'FOOTBALL', standings, positionGroup: 'FW', level: 'NATIONAL', verified: true });
    };
    expect(of(10)).toMatchObject({ confidence: 0.5, components: [{ value: 0.7 }, {}, {}, {}, {}] });
    expect(of(40)).toMatchObject({
      confidence: 0.8,
      components: [{ value: 0.82, contribution: 49 }, {}, { value: 0.67 }, {}, {}],
    });
  });

  test('matches the description of `prospects` and docs/matching.md', () => {
    const text = readFileSync(new URL('../../../subgraphs/scouting/prospects/schema.graphql', import.meta.url), 'utf8');
    const described = [...text.matchAll(/^ +`([A-Z]+)` \(weight ([\d.]+)\)/gm)].map(([, code, weight]) => [code, Number(weight)]);
    const score = computeTalentScore({ sport: 'FOOTBALL', standings: [], positionGroup: null, level: null, verified: false });
    expect(described).toEqual(score.components.map(({ code, weight }) => [code, weight]));
    const page =
      readFileSync(new URL('../../../docs/matching.md', import.meta.url), 'utf8').split('## The talent score')[1] ?? '';
    const rows = [...page.matchAll(/^\| `([A-Z]+)` \| (0\.\d+) \|/gm)].map(([, code, weight]) => [code, Number(weight)]);
    expect(rows).toEqual(described);
    for (const [, name, value] of text.matchAll(/\b(SCHOOL|ACADEMY|REGIONAL|NATIONAL|INTERNATIONAL|PROFESSIONAL) (0\.\d+|1)\b/g))
      expect(
        computeTalentScore({ sport: 'FOOTBALL', standings: [], positionGroup: null, level: name as Level, verified: false })
          .components[2]?.value,
      ).toBe(Number(value));
  });

  test('is emerging from 18 to 23 with enough evidence and a percentile of 80 for growth or performance, and never when falling', () => {
    const component = (code: 'PERFORMANCE' | 'GROWTH', value: number) => ({ code, value });
    const ofSeason = { eventCode: '' };
    const grown = {
      confidence: 0.33,
      coverage: 0.5,
      trend: 'RISING' as const,
      compared: [ofSeason, ofSeason],
      growthPercentile: 80,
      ageAdjustedPercentile: 50,
      components: [component('PERFORMANCE', 0.5), component('GROWTH', 0.6)],
    };
    expect([17, 18, 23, 24, null].map((age) => isEmerging(grown, age))).toEqual([false, true, true, false, false]);
    expect(isEmerging({ ...grown, confidence: 0.32 }, 20)).toBe(false);
    expect(isEmerging({ ...grown, coverage: 0.49 }, 20)).toBe(false);
    expect(isEmerging({ ...grown, compared: [ofSeason] }, 20)).toBe(false);
    expect(isEmerging({ ...grown, compared: [{ eventCode: '100M' }] }, 20)).toBe(true);
    expect(isEmerging({ ...grown, growthPercentile: 79 }, 20)).toBe(false);
    expect(isEmerging({ ...grown, growthPercentile: null }, 20)).toBe(false);
    expect(isEmerging({ ...grown, components: [component('GROWTH', 0.59)] }, 20)).toBe(false);
    const components = [component('PERFORMANCE', 0.6)];
    const best = { ...grown, trend: null, growthPercentile: null, ageAdjustedPercentile: 80, components };
    expect(isEmerging(best, 20)).toBe(true);
    expect(isEmerging({ ...best, ageAdjustedPercentile: 79 }, 20)).toBe(false);
    expect(isEmerging({ ...best, trend: 'FALLING' }, 20)).toBe(false);
  });

  test('names the values that too few athletes have, instead of a missing season', () => {
    const mark = (metric: string, value: number): Standing => ({
      metric,
      eventCode: '100M',
      value,
      matches: 3,
      matchesBefore: 4,
      overall: null,
      percentile: null,
      before: null,
      growth: null,
      source: 'COMPUTED',
      asOf: '2026-08-30',
      cohort: null,
    });
    const facts = { sport: 'ATHLETICS', positionGroup: null, level: null, verified: false } as const;
    const { components, coverage, compared, confidence } = computeTalentScore({
      ...facts,
      standings: [mark('seasonBestMs', 10_510), mark('reactionTimeMs', 150)],
    });
    expect({ coverage, compared, confidence }).toEqual({ coverage: 0, compared: [], confidence: 0 });
    const [performance, growth, , consistency] = components.map(({ text }) => text.replace(/^.*?points: /, ''));
    expect(performance).toBe(
      'Fewer than 30 athletes to compare with: Season best (time) 10.51 s; Reaction time 0.15 s in 100 metres. Races: 3, until 2026-08-30. Counts as average.',
    );
    expect(growth).toBe('Fewer than 30 athletes with two seasons to compare with. Counts as average.');
    expect(consistency).toBe('Fewer than 30 athletes to compare with. Counts as average.');
  });

  test('publishes the share of the skills that its values measure', () => {
    const of = (metrics: readonly string[]) => {
      const standings = metrics.map((metric) => ({
        ...(fc.sample(standing, { numRuns: 1, seed: 1 })[0] as Standing),
        metric,
        eventCode: '',
      }));
      return computeTalentScore({ sport: 'FOOTBALL', standings, positionGroup: 'DF', level: null, verified: false }).coverage;
    };
    expect([of([]), of(['cleanSheets']), of(['cleanSheets', 'tacklesWon', 'interceptions']), of(['yellowCards'])]).toEqual([
      0, 0.1, 0.45, 0,
    ]);
  });
});
