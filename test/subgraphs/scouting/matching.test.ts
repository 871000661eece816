/** Matches of athletes with opportunities: what they promise, over any facts, and the worked example of docs/matching.md. */
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

const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Everything that lists of facts may be reordered in. */
function shuffled(facts: AthleteFacts, seed: number): AthleteFacts {
  const turn = <Each>(list: readonly Each[]): Each[] => {
    const at = list.length === 0 ? 0 : seed % list.length;
    return [...list.slice(at), ...list.slice(0, at)].reverse();
  };
  return {
    ...facts,
    nationalities: turn(facts.nationalities),
    languages: turn(facts.languages),
    sports: turn(facts.sports.map((each) => ({ ...each, positions: turn(each.positions) }))),
    availability: facts.availability && { ...facts.availability, types: turn(facts.availability.types) },
    statistics: turn(facts.statistics.map((row) => ({ ...row, metrics: turn(row.metrics) }))),
  };
}

const nobodyKnown: AthleteFacts = {
  id: 'somebody',
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
  test('has a score that is the sum of its contributions, in whole points from 0 to 100', () => {
    const seen = { scored: 0, failed: 0, undecided: 0 };
    fc.assert(
      fc.property(athletes, opportunities, (athlete, opportunity) => {
        const { eligible, score, components, failedCriteria, missingData } = computeMatch(athlete, opportunity, moment);
        expect(failedCriteria.length > 0).toBe(eligible === false);
        if (eligible === false) {
          seen.failed += 1;
          expect({ score, components, missingData }).toEqual({ score: null, components: [], missingData: [] });
          return;
        }
        seen[eligible === null ? 'undecided' : 'scored'] += 1;
        expect(missingData.some((each) => each.decidesEligibility)).toBe(eligible === null);
        expect(total(components.map((each) => each.contribution))).toBe(score ?? 0);
        for (const { contribution, weight, value } of components) {
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
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  test('never falls when a number gets better', () => {
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

  test('is the same for the same facts, in whatever order they are told', () => {
    fc.assert(
      fc.property(athletes, opportunities, fc.nat(), (athlete, opportunity, seed) => {
        const told = computeMatch(athlete, opportunity, moment);
        const other = {
          ...opportunity,
          requirements: opportunity.requirements.toReversed(),
          positions: opportunity.positions.toReversed(),
          languages: opportunity.languages.toReversed(),
          nationalities: opportunity.nationalities.toReversed(),
          profile: opportunity.profile && { ...opportunity.profile, metrics: opportunity.profile.metrics.toReversed() },
        };
        expect(computeMatch(shuffled(athlete, seed), other, moment)).toEqual(told);
      }),
      { numRuns: 300 },
    );
  });

  test('never counts what is missing as nothing: the score lies between the best and the worst that it could be', () => {
    let told = 0;
    fc.assert(
      fc.property(athletes, openOpportunities, (athlete, opportunity) => {
        const { score, missingData, components } = computeMatch(athlete, opportunity, moment);
        for (const { lowestScore, highestScore } of missingData) {
          told += 1;
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
    expect(told).toBeGreaterThan(0);
  });

  test('says nothing of somebody of whom nothing is known but the sport', () => {
    fc.assert(
      fc.property(openOpportunities, (opportunity) => {
        const { eligible, score, confidence, components } = computeMatch(nobodyKnown, opportunity, moment);
        expect({ eligible, score, confidence, components }).toEqual({
          eligible: true,
          score: null,
          confidence: 0,
          components: [],
        });
      }),
    );
  });

  test('is expected to be what it scores where all is known, and half where nothing is', () => {
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
        expect(computeMatch(nobodyKnown, opportunity, moment).expected).toBe(0.5);
      }),
      { numRuns: 500 },
    );
    expect(Math.min(known.whole, known.part)).toBeGreaterThan(0);
  });

  test('takes nothing from what athletes say of themselves, nor from another sport', () => {
    fc.assert(
      fc.property(athletes, opportunities, (athlete, opportunity) => {
        const own = athlete.statistics.filter((row) => row.source !== 'SELF_REPORTED');
        const foreign = athlete.statistics.map((row) => ({ ...row, sport: 'TENNIS' as const }));
        const told = computeMatch({ ...athlete, statistics: own }, opportunity, moment);
        expect(
          computeMatch({ ...athlete, statistics: [...own, ...foreign, ...athlete.statistics] }, opportunity, moment),
        ).toEqual(computeMatch({ ...athlete, statistics: [...own, ...athlete.statistics] }, opportunity, moment));
        expect(computeMatch({ ...athlete, statistics: athlete.statistics }, opportunity, moment)).toEqual(told);
      }),
      { numRuns: 200 },
    );
  });
});

test('points are rounded so that they add up, each by less than one', () => {
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

  test('computes its example as the platform does', () => {
    const [athlete = '', opportunity = '', answer = ''] = blocks(section('docs/matching.md', 'Worked example'), 'json');
    const match: Match = computeMatch(JSON.parse(athlete) as AthleteFacts, JSON.parse(opportunity) as OpportunityFacts, moment);
    const { expected: _, ...told } = match;
    expect(told).toEqual(JSON.parse(answer));
  });

  test('tells the weights as they are', () => {
    const matches = page.slice(0, page.indexOf('## The talent score'));
    const rows = [...matches.matchAll(/^\| `([A-Z]+)` \| (0\.\d+) \|/gm)].map(([, code, weight]) => [code, Number(weight)]);
    expect(rows).toEqual(Object.entries(featureWeights).map(([code, [weight]]) => [code, weight]));
    expect(total(Object.values(featureWeights).map(([weight]) => weight))).toBeCloseTo(1);
  });
});
