/** Arbitrary athletes and opportunities for property tests of matches. */
import fc from 'fast-check';
import type { AthleteFacts, StatisticsFacts, OpportunityFacts, Requirement } from '../../../subgraphs/scouting/matching/facts.ts';

export const moment = { now: new Date('2026-11-21T12:00:00.000Z'), today: '2026-11-21' };

const day = fc
  .date({ min: new Date('1996-01-01'), max: new Date('2010-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const codes = fc.uniqueArray(fc.constantFrom('GK', 'DF', 'LB', 'CB', 'MF', 'ST'), { maxLength: 3 });
const countries = fc.uniqueArray(fc.constantFrom('DE', 'ES', 'NG', 'GB-ENG'), { maxLength: 2 });
const languages = fc.uniqueArray(fc.constantFrom('de', 'es', 'pt', 'pt-BR'), { maxLength: 2 });
const level = fc.option(fc.constantFrom('GRASSROOTS', 'ACADEMY', 'NATIONAL', 'PROFESSIONAL'));
const foot = fc.option(fc.constantFrom('LEFT', 'RIGHT', 'BOTH'));
const type = fc.constantFrom('TRIAL', 'SCHOLARSHIP', 'TALENT_REQUEST');
export const metricKeys = ['goals', 'passAccuracyPct', 'yellowCards', 'sprint30mMs', 'saves', 'wingspanCm'] as const;
const key = fc.constantFrom(...metricKeys);

const statistics: fc.Arbitrary<StatisticsFacts> = fc.record({
  scope: fc.constantFrom('SEASON', 'SEASON', 'SEASON', 'CAREER'),
  sport: fc.constant('FOOTBALL'),
  eventCode: fc.constant(null),
  source: fc.constantFrom('COMPUTED', 'PROVIDER', 'SELF_REPORTED'),
  asOf: fc.option(fc.constantFrom('2025-06-30', '2026-06-30')),
  matches: fc.integer({ min: 1, max: 40 }),
  metrics: fc.uniqueArray(
    fc.record({
      key,
      value: fc.integer({ min: 0, max: 60 }),
      percentile: fc.option(fc.integer({ min: 0, max: 100 })),
      cohort: fc.constant(null),
    }),
    { selector: (each) => each.key, maxLength: 5 },
  ),
});

export const athletes: fc.Arbitrary<AthleteFacts> = fc.record({
  id: fc.uuid(),
  ageGroup: fc.constantFrom('SENIOR', 'SENIOR', 'U18'),
  dateOfBirth: fc.option(day),
  birthYear: fc.option(fc.integer({ min: 1996, max: 2010 })),
  sex: fc.constantFrom('FEMALE', 'MALE', 'UNSPECIFIED'),
  nationalities: countries,
  residence: fc.option(fc.record({ country: fc.constantFrom('DE', 'ES', 'GB') })),
  sports: fc
    .record({
      discipline: fc.option(fc.constantFrom('ASSOCIATION', 'FUTSAL')),
      positions: codes,
      level,
      yearsExperience: fc.option(fc.integer({ min: 0, max: 20 })),
    })
    .map((each) => [{ sport: 'FOOTBALL', ...each }]),
  heightCm: fc.option(fc.integer({ min: 150, max: 210 })),
  weightKg: fc.option(fc.integer({ min: 50, max: 110 })),
  dominantFoot: foot,
  education: fc.option(
    fc.record({
      graduationYear: fc.option(fc.integer({ min: 2020, max: 2032 })),
      gpa: fc.option(fc.integer({ min: 0, max: 40 }).map((tenths) => tenths / 10)),
      gpaScale: fc.constant(4),
    }),
  ),
  availability: fc.option(
    fc.record({
      openToOpportunities: fc.boolean(),
      from: fc.option(fc.constantFrom('2026-12-01', '2027-03-01', '2028-01-01')),
      types: fc.uniqueArray(type, { maxLength: 2 }),
      relocation: fc.constantFrom('NONE', 'NATIONAL', 'INTERNATIONAL'),
    }),
  ),
  languages,
  statistics: fc.array(statistics, { maxLength: 4 }),
});

/** Requirements on a metric in its better direction, or on an attribute. */
const requirement: fc.Arbitrary<Requirement> = fc
  .record({
    what: fc.constantFrom(...metricKeys, 'YEARS_EXPERIENCE', 'GRADUATION_YEAR'),
    value: fc.integer({ min: 0, max: 60 }),
    weight: fc.option(fc.constantFrom(0, 0.25, 1)),
  })
  .map(({ what, value, weight }) => {
    const isMetric = metricKeys.some((each) => each === what);
    const operator = what === 'yellowCards' || what === 'sprint30mMs' ? 'LTE' : 'GTE';
    return { metricKey: isMetric ? what : null, attribute: isMetric ? null : what, operator, value, mandatory: false, weight };
  }) as fc.Arbitrary<Requirement>;

const ages = fc.record({
  min: fc.option(fc.integer({ min: 14, max: 20 })),
  max: fc.option(fc.integer({ min: 20, max: 30 })),
  referenceDate: fc.option(fc.constantFrom('2027-01-01')),
});

/** Opportunities without mandatory criteria. */
export const openOpportunities: fc.Arbitrary<OpportunityFacts> = fc.record({
  id: fc.uuid(),
  type,
  sport: fc.constant('FOOTBALL'),
  disciplines: fc.constant([]),
  positions: fc.constant([]),
  sex: fc.constant(null),
  ageRange: fc.constant(null),
  nationalities: fc.constant([]),
  country: fc.option(fc.constantFrom('DE', 'GB-ENG', 'US')),
  startDate: fc.option(fc.constantFrom('2027-01-01')),
  applicationDeadline: fc.constant('2026-12-01T00:00:00.000Z'),
  requirements: fc.array(requirement, { maxLength: 4 }),
  languages,
  minorsAllowed: fc.constant(true),
  academic: fc.constant(null),
  profile: fc.option(
    fc.record({
      positions: codes,
      ageRange: fc.option(ages),
      heightMinCm: fc.option(fc.integer({ min: 150, max: 200 })),
      dominantFoot: foot,
      metrics: fc.array(fc.record({ key, value: fc.integer({ min: 0, max: 60 }) }), { maxLength: 3 }),
    }),
  ),
  organization: fc.option(fc.record({ level })),
});

/** Opportunities with mandatory criteria. */
export const opportunities: fc.Arbitrary<OpportunityFacts> = fc
  .record({
    facts: openOpportunities,
    disciplines: fc.constantFrom([], ['ASSOCIATION']),
    positions: codes,
    sex: fc.constantFrom(null, 'FEMALE'),
    ageRange: fc.option(ages),
    nationalities: countries,
    minorsAllowed: fc.boolean(),
    academic: fc.option(fc.record({ minGpa: fc.constantFrom(2, 3), gpaScale: fc.constant(4) })),
    mandatory: fc.boolean(),
  })
  .map(({ facts, mandatory, ...hard }) => ({
    ...facts,
    ...hard,
    requirements: facts.requirements.map((each, index) => ({ ...each, mandatory: mandatory && index === 0 })),
  }));
