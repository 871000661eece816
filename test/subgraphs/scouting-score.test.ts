/** The talent score: what it promises, over any athlete. */
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { prospectOf, type AthleteFacts } from '../../subgraphs/scouting/store/projection.ts';
import type { Level } from '../../subgraphs/scouting/resolvers.generated.ts';
import { ageBandOf } from '../../subgraphs/age-bands.ts';
import { refreshOn, scoreOf, type ScoredFacts } from '../../subgraphs/scouting/score.ts';

const levels: Level[] = ['GRASSROOTS', 'SCHOOL', 'ACADEMY', 'REGIONAL', 'NATIONAL', 'INTERNATIONAL', 'PROFESSIONAL'];
const today = '2026-11-21';

const birth = fc.oneof(
  fc.record({
    dateOfBirth: fc
      .date({ min: new Date('1950-01-01'), max: new Date('2008-11-21'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    birthYear: fc.constant(null),
  }),
  fc.record({ dateOfBirth: fc.constant(null), birthYear: fc.integer({ min: 1950, max: 2007 }) }),
  fc.constant({ dateOfBirth: null, birthYear: null }),
);
const level = fc.option(fc.constantFrom(...levels));
const facts: fc.Arbitrary<ScoredFacts> = fc
  .tuple(birth, level, fc.boolean())
  .map(([born, at, verified]) => ({ ...born, level: at, verified }));

describe('the score', () => {
  test('is the sum of its contributions, from 0 to 100, whatever the athlete', () => {
    fc.assert(
      fc.property(facts, (each) => {
        const { talentScore, components, confidence } = scoreOf(each, today);
        expect(components.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(talentScore);
        expect(components.map(({ code }) => code)).toEqual(['AGE', 'LEVEL', 'VERIFICATION']);
        for (const { weight, value, contribution } of components) {
          expect(Math.abs(contribution - 100 * weight * value)).toBeLessThanOrEqual(0.5);
          expect(Number.isInteger(contribution)).toBe(true);
        }
        expect(talentScore).toBeGreaterThanOrEqual(0);
        expect(talentScore).toBeLessThanOrEqual(100);
        expect(confidence).toBeGreaterThanOrEqual(0.2);
        expect(confidence).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('is the same for the same facts on the same day', () => {
    fc.assert(fc.property(facts, (each) => expect(scoreOf({ ...each }, today)).toEqual(scoreOf(each, today))));
  });

  test('never falls with a higher level, with verification, or with a later birth', () => {
    fc.assert(
      fc.property(facts, fc.nat({ max: 6 }), fc.nat({ max: 6 }), (each, one, other) => {
        const at = (index: number): number => scoreOf({ ...each, level: levels[index] ?? null }, today).talentScore;
        expect(at(Math.max(one, other))).toBeGreaterThanOrEqual(at(Math.min(one, other)));
        expect(at(0)).toBeGreaterThanOrEqual(scoreOf({ ...each, level: null }, today).talentScore);
        expect(scoreOf({ ...each, verified: true }, today).talentScore).toBeGreaterThanOrEqual(
          scoreOf({ ...each, verified: false }, today).talentScore,
        );
      }),
    );
    fc.assert(
      fc.property(facts, fc.integer({ min: 1950, max: 2006 }), (each, year) => {
        const born = (birthYear: number): number => scoreOf({ ...each, dateOfBirth: null, birthYear }, today).talentScore;
        expect(born(year + 1)).toBeGreaterThanOrEqual(born(year));
      }),
    );
  });

  test('is what the description of `prospects` says, computed anew from its text', () => {
    const text = readFileSync(new URL('../../subgraphs/scouting/schema.graphql', import.meta.url), 'utf8');
    const weights = [...text.matchAll(/^ +`(AGE|LEVEL|VERIFICATION)` \(weight ([\d.]+)\)/gm)].map(([, code, weight]) => [
      code,
      Number(weight),
    ]);
    expect(weights).toHaveLength(3);
    const weightOf = Object.fromEntries(weights) as Record<string, number>;
    const levelValues = Object.fromEntries(
      [...text.matchAll(/\b([A-Z]{5,}) (0\.\d+|1)\b/g)].map(([, name, value]) => [name, Number(value)]),
    );
    expect(Object.keys(levelValues)).toEqual(levels.slice(1));
    const valueOf: Record<string, (each: ScoredFacts) => number> = {
      AGE({ dateOfBirth, birthYear }) {
        const born = dateOfBirth ?? (birthYear === null ? null : `${birthYear}-12-31`);
        if (born === null) return 0;
        const years = 2026 - Number(born.slice(0, 4)) - (born.slice(5) > today.slice(5) ? 1 : 0);
        return years >= 28 ? 0 : 1 - (years - 18) / 10;
      },
      LEVEL: (each) => levelValues[each.level ?? 'GRASSROOTS'] ?? 0,
      VERIFICATION: ({ verified }) => (verified ? 1 : 0),
    };
    fc.assert(
      fc.property(facts, (each) => {
        const { components, confidence } = scoreOf(each, today);
        for (const { code, weight, value } of components) {
          expect(weight).toBe(weightOf[code]);
          expect(value).toBeCloseTo(valueOf[code]?.(each) ?? NaN, 9);
        }
        const { AGE = NaN, LEVEL = NaN, VERIFICATION = NaN } = weightOf;
        const age = each.dateOfBirth !== null ? AGE : each.birthYear !== null ? AGE / 2 : 0;
        expect(confidence).toBeCloseTo(VERIFICATION + age + (each.level === null ? 0 : LEVEL), 9);
      }),
    );
  });

  test('reads as documented for a verified professional of 18, and for nobody known', () => {
    const best = scoreOf({ dateOfBirth: '2008-11-21', birthYear: null, level: 'PROFESSIONAL', verified: true }, today);
    expect(best).toMatchObject({ talentScore: 100, confidence: 1 });
    const unknown = scoreOf({ dateOfBirth: null, birthYear: null, level: null, verified: false }, today);
    expect(unknown).toMatchObject({ talentScore: 0, confidence: 0.2 });
  });
});

test('a score holds until the next birthday; born on 29 February that is 1 March in common years', () => {
  expect(refreshOn('2008-11-21', today)).toBe('2027-11-21');
  expect(refreshOn('2008-11-22', today)).toBe('2026-11-22');
  expect(refreshOn('2004-02-29', today)).toBe('2027-03-01');
  expect(refreshOn(null, today)).toBeNull();
});

test('age bands meet without a gap', () => {
  const bands = [18, 20, 21, 23, 24, 27, 28, 40].map((age) => ageBandOf(`${2026 - age}-01-01`, today));
  expect(bands).toEqual(['18-20', '18-20', '21-23', '21-23', '24-27', '24-27', '28+', '28+']);
});

describe('a prospect', () => {
  const athlete: AthleteFacts = {
    id: 'a',
    public: true,
    minor: false,
    dateOfBirth: '2006-05-01',
    birthYear: null,
    sex: 'FEMALE',
    nationalities: ['NG', 'DE'],
    country: null,
    sports: [
      { sport: 'TENNIS', positions: [], primary: false, level: 'SCHOOL' },
      { sport: 'FOOTBALL', positions: ['LB'], primary: true, level: 'NATIONAL' },
    ],
    verified: true,
  };

  test('is scored in the primary sport, and comes from where it lives or else from its first nation', () => {
    expect(prospectOf(athlete, today)).toMatchObject({
      sport: 'FOOTBALL',
      positions: ['LB'],
      level: 'NATIONAL',
      country: 'NG',
      cohort: 'FOOTBALL FEMALE 18-20 NATIONAL',
    });
    expect(prospectOf({ ...athlete, country: 'GB-ENG' }, today)).toMatchObject({ country: 'GB-ENG' });
  });

  test('is never a minor, a hidden profile or somebody without a sport', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), fc.boolean(), (shown, minor, idle) => {
        const row = prospectOf({ ...athlete, public: shown, minor, sports: idle ? [] : athlete.sports }, today);
        expect(row !== null).toBe(shown && !minor && !idle);
      }),
    );
  });
});
