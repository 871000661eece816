/** Properties of matches for arbitrary facts, and the worked example of docs/matching.md. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { metric } from '../../../schema/metrics.ts';
import type { AthleteFacts, OpportunityFacts } from '../../../subgraphs/scouting/matching/facts.ts';
import { computeFeatures, featureWeights } from '../../../subgraphs/scouting/matching/features.ts';
import { computeMatch, type Match } from '../../../subgraphs/scouting/matching/match.ts';
import { wholePoints } from '../../../subgraphs/scouting/matching/whole-points.ts';
import { blocks, section } from '../../pages.ts';
import { readText } from '../../architecture/source.ts';
import { athletes, metricKeys, moment, openOpportunities, opportunities } from './matching-facts.ts';

const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);

/** The facts with all lists reordered. */
function shuffled(facts: AthleteFacts, seed: number): AthleteFacts {
  const reorder = <Item>(list: readonly Item[]): Item[] => {
    const at = list.length === 0 ? 0 : seed % list.length;
    return [...list.slice(at), ...list.slice(0, at)].reverse();
  };
  return {
    ...facts,
    nationalities: reorder(facts.nationalities),
    languages: reorder(facts.languages),
    sports: reorder(facts.sports.map((each) => ({ ...each, positions: reorder(each.positions) }))),
    availability: facts.availability && { ...facts.availability, types: reorder(facts.availability.types) },
    statistics: reorder(facts.statistics.map((row) => ({ ...row, metrics: reorder(row.metrics) }))),
  };
}

const unknownAthlete: AthleteFacts = {
  id: 'unknown',
  ageGroup: 'U18',
  dateOfBirth: null,
  birthYear: null,
  sex: 'UNSPECIFIED',
  nationalities: [],
  residence: null,
  sports: [{ sport: 'FOOTBALL', discipline: null, positions: [], level: null, yearsExperience: null }],
  heightCm: null,
  weightKg: null,
  dominantFoot: null,
  education: null,
  availability: null,
  languages: [],
  statistics: [],
};

describe('a match', () => {
  test('has contributions in whole points that add up to a score from 0 to 100', () => {
    const visible = { scored: 0, failed: 0, undecided: 0 };
    fc.assert(
      fc.property(athletes, opportunities, (athlete, opportunity) => {
        const { eligible, score, components, failedCriteria, missingData } = computeMatch(athlete, opportunity, moment);
        expect(failedCriteria.length > 0).toBe(eligible === false);
        if (eligible === false) {
          visible.failed += 1;
          expect({ score, components, missingData }).toEqual({ score: null, components: [], missingData: [] });
          return;
        }
        visible[eligible === null ? 'undecided' : 'scored'] += 1;
        expect(missingData.some((each) => each.decidesEligibility)).toBe(eligible === null);
        expect(total(components.map((each) => each.contribution))).toBe(score ?? 0);
        for (const { contribution, contributionMax, weight, value } of components) {
          expect(contributionMax).toBeGreaterThanOrEqual(contribution);
          expect(contributionMax - contribution).toBeLessThanOrEqual(100 - (score ?? 0));
          if (value === 1) expect(contributionMax).toBe(contribution);
          expect(Number.isInteger(contribution) && contribution >= 0).toBe(true);
          expect(weight > 0 && weight <= 1 && value >= 0 && value <= 1).toBe(true);
          if (value === 0) expect(contribution).toBe(0);
        }
        if (score !== null) {
          expect(score).toBeLessThanOrEqual(100);
          expect(total(components.map((each) => each.weight))).toBeCloseTo(1, 2);
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(...Object.values(visible))).toBeGreaterThan(0);
  });

  test('never gets a lower score from a better value', () => {
    let risen = 0;
    const better = fc.record({ key: fc.constantFrom(...metricKeys), by: fc.nat({ max: 30 }), places: fc.nat({ max: 50 }) });
    fc.assert(
      fc.property(athletes, openOpportunities, better, (athlete, opportunity, { key, by, places }) => {
        const sign = metric(key)?.direction === 'LOWER_IS_BETTER' ? -1 : 1;
        const improved = {
          ...athlete,
          statistics: athlete.statistics.map((row) => ({
            ...row,
            metrics: row.metrics.map((each) =>
              each.key !== key
                ? each
                : {
                    ...each,
                    value: each.value + sign * by,
                    percentile: each.percentile === null ? null : Math.min(100, each.percentile + places),
                  },
            ),
          })),
        };
        const [before, after] = [athlete, improved].map((facts) => computeMatch(facts, opportunity, moment));
        if ((after?.score ?? 0) > (before?.score ?? 0)) risen += 1;
        expect(after?.score ?? 0).toBeGreaterThanOrEqual(before?.score ?? 0);
        expect(after?.expected).toBeGreaterThanOrEqual(before?.expected ?? NaN);
      }),
      { numRuns: 1000 },
    );
    expect(risen).toBeGreaterThan(0);
  });

  test('does not depend on the order of the facts', () => {
    fc.assert(
      fc.property(athletes, opportunities, fc.nat(), (athlete, opportunity, seed) => {
        const expected = computeMatch(athlete, opportunity, moment);
        const other = {
          ...opportunity,
          requirements: opportunity.requirements.toReversed(),
          positions: opportunity.positions.toReversed(),
          languages: opportunity.languages.toReversed(),
          nationalities: opportunity.nationalities.toReversed(),
          profile: opportunity.profile && { ...opportunity.profile, metrics: opportunity.profile.metrics.toReversed() },
        };
        expect(computeMatch(shuffled(athlete, seed), other, moment)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  test('has a score between its lowest and highest score for every missing datum', () => {
    let counted = 0;
    fc.assert(
      fc.property(athletes, openOpportunities, (athlete, opportunity) => {
        const { score, missingData, components } = computeMatch(athlete, opportunity, moment);
        for (const { lowestScore, highestScore } of missingData) {
          counted += 1;
          if (score !== null) {
            expect(lowestScore ?? NaN).toBeLessThanOrEqual(score);
            expect(highestScore ?? NaN).toBeGreaterThanOrEqual(score);
          }
        }
        const missing = new Set(components.map(({ code }) => code));
        for (const [code, datum] of [
          ['LANGUAGE', 'LANGUAGES'],
          ['AGE', 'DATE_OF_BIRTH'],
        ] as const)
          if (missingData.some((each) => each.datum === datum)) expect(missing.has(code)).toBe(false);
      }),
      { numRuns: 500 },
    );
    expect(counted).toBeGreaterThan(0);
  });

  test('has no score if only the sport is known', () => {
    fc.assert(
      fc.property(openOpportunities, (opportunity) => {
        const { eligible, score, confidence, components } = computeMatch(unknownAthlete, opportunity, moment);
        expect({ eligible, score, confidence, components }).toEqual({
          eligible: true,
          score: null,
          confidence: 0,
          components: [],
        });
      }),
    );
  });

  test('has an expected fit equal to the score with complete data, and of half without data', () => {
    const known = { whole: 0, part: 0 };
    fc.assert(
      fc.property(athletes, openOpportunities, (athlete, opportunity) => {
        const { score, expected } = computeMatch(athlete, opportunity, moment);
        expect(expected).toBeGreaterThanOrEqual(0);
        expect(expected).toBeLessThanOrEqual(1);
        const parts = computeFeatures(athlete, opportunity, moment).flatMap((feature) => feature.parts);
        if (score === null || parts.some(({ value }) => value === null)) known.part += 1;
        else {
          known.whole += 1;
          expect(Math.abs(100 * expected - score)).toBeLessThan(0.51);
        }
        expect(computeMatch(unknownAthlete, opportunity, moment).expected).toBe(0.5);
      }),
      { numRuns: 500 },
    );
    expect(Math.min(known.whole, known.part)).toBeGreaterThan(0);
  });

  test('ignores self-reported statistics and other sports', () => {
    fc.assert(
      fc.property(athletes, opportunities, (athlete, opportunity) => {
        const own = athlete.statistics.filter((row) => row.source !== 'SELF_REPORTED');
        const foreign = athlete.statistics.map((row) => ({ ...row, sport: 'TENNIS' as const }));
        const expected = computeMatch({ ...athlete, statistics: own }, opportunity, moment);
        expect(
          computeMatch({ ...athlete, statistics: [...own, ...foreign, ...athlete.statistics] }, opportunity, moment),
        ).toEqual(computeMatch({ ...athlete, statistics: [...own, ...athlete.statistics] }, opportunity, moment));
        expect(computeMatch({ ...athlete, statistics: athlete.statistics }, opportunity, moment)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});

test('rounded points add up to the total and differ by less than one from their exact values', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { maxLength: 9 }), (numbers) => {
      const points = wholePoints(numbers, Math.round(total(numbers)));
      expect(total(points)).toBe(Math.round(total(numbers)));
      points.forEach((each, index) => expect(Math.abs(each - (numbers[index] ?? NaN))).toBeLessThan(1 + 1e-9));
    }),
  );
});

describe('docs/matching.md', () => {
  const page = readText('docs/matching.md');

  test('has the same example as the platform computes', () => {
    const [athlete = '', opportunity = '', response = ''] = blocks(section('docs/matching.md', 'Worked example'), 'json');
    const match: Match = computeMatch(JSON.parse(athlete) as AthleteFacts, JSON.parse(opportunity) as OpportunityFacts, moment);
    const { expected: _, ...published } = match;
    expect(published).toEqual(JSON.parse(response));
  });

  test('lists the weights of the features', () => {
    const matches = page.slice(0, page.indexOf('## The talent score'));
    const rows = [...matches.matchAll(/^\| `([A-Z]+)` \| (0\.\d+) \|/gm)].map(([, code, weight]) => [code, Number(weight)]);
    expect(rows).toEqual(Object.entries(featureWeights).map(([code, [weight]]) => [code, weight]));
    expect(total(Object.values(featureWeights).map(([weight]) => weight))).toBeCloseTo(1);
  });
});
