/** Each criterion and feature of a match, based on the worked example of docs/matching.md with one change. */
import { describe, expect, test } from '@jest/globals';
import type { AthleteFacts, StatisticsFacts, OpportunityFacts, Requirement } from '../../../subgraphs/scouting/matching/facts.ts';
import { computeMatch, type Match } from '../../../subgraphs/scouting/matching/match.ts';
import { blocks, section } from '../../pages.ts';
import { moment } from './matching-facts.ts';

const [athleteText = '', opportunityText = ''] = blocks(section('docs/matching.md', 'Worked example'), 'json');
const athlete = JSON.parse(athleteText) as AthleteFacts;
const opportunity = JSON.parse(opportunityText) as OpportunityFacts;

const match = (of: Partial<AthleteFacts>, more: Partial<OpportunityFacts>): Match =>
  computeMatch({ ...athlete, ...of }, { ...opportunity, ...more }, moment);

const asSport = (more: object): Partial<AthleteFacts> => ({ sports: athlete.sports.map((each) => ({ ...each, ...more })) });
const mandatory = (more: Partial<Requirement>): Partial<OpportunityFacts> => ({
  requirements: [{ metricKey: null, attribute: null, operator: 'GTE', value: 0, mandatory: true, weight: null, ...more }],
});
const season = (more: Partial<StatisticsFacts>): Partial<AthleteFacts> => ({
  statistics: athlete.statistics.map((row) => ({ ...row, ...more })),
});
const upTo = (max: number, referenceDate: string | null = null): Partial<OpportunityFacts> => ({
  ageRange: { min: null, max, referenceDate },
});
const bornIn = (birthYear: number | null): Partial<AthleteFacts> => ({ dateOfBirth: null, birthYear });
const grades = (gpa: number | null, gpaScale: number | null): Partial<AthleteFacts> => ({
  education: { graduationYear: 2028, gpa, gpaScale },
});
const lowest = { academic: { minGpa: 3, gpaScale: 4 } };

describe('a criterion fails', () => {
  test.each<[string, Partial<AthleteFacts>, Partial<OpportunityFacts>, object]>([
    ['SPORT', asSport({ sport: 'TENNIS' }), {}, { required: 'FOOTBALL', actual: 'TENNIS', byHowMuch: null }],
    [
      'DISCIPLINE',
      asSport({ discipline: 'FUTSAL' }),
      { disciplines: ['BEACH', 'ASSOCIATION'] },
      { required: 'ASSOCIATION, BEACH' },
    ],
    ['SEX', { sex: 'MALE' }, {}, { required: 'FEMALE', actual: 'MALE' }],
    ['AGE', { dateOfBirth: '2009-11-22' }, {}, { required: '17 to 20', actual: '16', byHowMuch: 1, unit: 'years' }],
    ['AGE', {}, upTo(19, '2027-03-10'), { required: '19 or younger', actual: '20', byHowMuch: 1 }],
    ['AGE', bornIn(2004), upTo(19), { actual: '21 to 22', byHowMuch: 2 }],
    ['AGE', bornIn(null), upTo(16), { actual: '18 or older', byHowMuch: 2 }],
    ['NATIONALITY', {}, { nationalities: ['FR', 'DE'] }, { required: 'DE, FR', actual: 'ES' }],
    ['POSITION', asSport({ positions: ['RB', 'CB'] }), { positions: ['LB'] }, { required: 'LB', actual: 'CB, RB' }],
    ['DEADLINE', {}, { applicationDeadline: '2026-11-20T10:00:00.000Z' }, { byHowMuch: 2, unit: 'days' }],
    ['MINORS', { ageGroup: 'U18' }, {}, { required: 'an adult' }],
    ['ACADEMIC', grades(7, 10), lowest, { required: '3 of 4', actual: '7 of 10', byHowMuch: 0.2, unit: 'of 4' }],
    ['REQUIREMENT', {}, mandatory({ metricKey: 'tacklesWon', value: 50 }), { metricKey: 'tacklesWon', byHowMuch: 5 }],
    ['REQUIREMENT', {}, mandatory({ metricKey: 'heightCm', operator: 'LTE', value: 165 }), { byHowMuch: 3, unit: 'cm' }],
    [
      'REQUIREMENT',
      {},
      mandatory({ metricKey: 'tacklesWon', operator: 'EQ', value: 50 }),
      { required: 'Tackles won exactly 50' },
    ],
    ['REQUIREMENT', asSport({ yearsExperience: 4 }), mandatory({ attribute: 'YEARS_EXPERIENCE', value: 6 }), { byHowMuch: 2 }],
    ['REQUIREMENT', grades(3, 4), mandatory({ attribute: 'GRADUATION_YEAR', operator: 'LTE', value: 2027 }), { byHowMuch: 1 }],
  ])('%s: %j of %j', (criterion, of, more, failure) => {
    expect(match(of, more)).toMatchObject({ eligible: false, score: null, failedCriteria: [{ criterion, ...failure }] });
  });
});

describe('a criterion is undecided without', () => {
  test.each<[string, Partial<AthleteFacts>, Partial<OpportunityFacts>]>([
    ['DISCIPLINE', {}, { disciplines: ['ASSOCIATION'] }],
    ['SEX', { sex: 'UNSPECIFIED' }, {}],
    ['DATE_OF_BIRTH', bornIn(2006), upTo(19)],
    ['DATE_OF_BIRTH', bornIn(null), upTo(19)],
    ['NATIONALITIES', { nationalities: [] }, { nationalities: ['FR'] }],
    ['POSITIONS', asSport({ positions: ['DF'] }), { positions: ['LB'] }],
    ['GPA', {}, lowest],
    ['GPA', grades(3, null), lowest],
    ['METRIC', {}, mandatory({ metricKey: 'goals', value: 1 })],
    ['METRIC', season({ source: 'SELF_REPORTED' }), mandatory({ metricKey: 'tacklesWon', value: 1 })],
    ['METRIC', season({ eventCode: '100M' }), mandatory({ metricKey: 'tacklesWon', value: 1 })],
    ['METRIC', season({ scope: 'CAREER' }), mandatory({ metricKey: 'tacklesWon', value: 1 })],
    ['HEIGHT', { heightCm: null }, mandatory({ metricKey: 'heightCm', value: 160 })],
    ['YEARS_EXPERIENCE', {}, mandatory({ attribute: 'YEARS_EXPERIENCE', value: 1 })],
  ])('%s: %j of %j', (datum, of, more) => {
    const { eligible, missingData } = match(of, more);
    expect({ eligible, first: missingData[0] }).toMatchObject({
      eligible: null,
      first: { datum, decidesEligibility: true, lowestScore: null },
    });
  });

  test('no other data: a birth year is enough if both ages are eligible, and the day before a birthday has the lower age', () => {
    expect(match(bornIn(2007), {}).eligible).toBe(true);
    expect(match({}, upTo(19, '2027-03-09')).eligible).toBe(true);
  });
});

const open = { openToOpportunities: true, from: null, types: [], relocation: 'NONE' } as const;
const withProfile = (more: object): Partial<OpportunityFacts> => ({
  profile: { positions: [], ageRange: null, heightMinCm: null, dominantFoot: null, metrics: [], ...more },
});

describe('the value of a feature', () => {
  test.each<[string, number | undefined, Partial<AthleteFacts>, Partial<OpportunityFacts>]>([
    ['METRICS', 0.825, {}, {}],
    ['METRICS', 0.65, {}, { requirements: [] }],
    // Few matches count less.
    ['METRICS', 0.55, season({ matches: 10 / 3 }), { requirements: [] }],
    ['METRICS', 0.5, season({ metrics: [{ key: 'tacklesWon', value: 30, percentile: null, cohort: null }] }), {}],
    ['METRICS', 0, season({ metrics: [{ key: 'tacklesWon', value: 20, percentile: null, cohort: null }] }), {}],
    // Saves are irrelevant for a left back.
    ['METRICS', undefined, season({ metrics: [{ key: 'saves', value: 9, percentile: 3, cohort: null }] }), { requirements: [] }],
    ['POSITION', undefined, {}, { positions: [] }],
    ['POSITION', 0.5, asSport({ positions: ['DF'] }), { positions: [], ...withProfile({ positions: ['LB'] }) }],
    ['LEVEL', 1, asSport({ level: 'INTERNATIONAL' }), {}],
    ['LEVEL', 0.6667, asSport({ level: 'PROFESSIONAL' }), {}],
    ['LEVEL', 0, asSport({ level: 'PROFESSIONAL' }), { organization: { level: 'GRASSROOTS' } }],
    ['LEVEL', 0, asSport({ level: 'SCHOOL' }), {}],
    ['LEVEL', undefined, {}, { organization: null }],
    ['PREFERENCE', 0, { availability: { ...open, openToOpportunities: false } }, {}],
    ['PREFERENCE', 0.5, { availability: { ...open, types: ['SCHOLARSHIP'] } }, {}],
    ['PREFERENCE', 0.75, { availability: { ...open, from: '2027-04-01' } }, { startDate: '2027-01-01' }],
    ['GEOGRAPHY', 0.5, { availability: open }, { country: 'ES' }],
    ['GEOGRAPHY', 0, { availability: { ...open, relocation: 'NATIONAL' } }, {}],
    ['GEOGRAPHY', 1, { residence: { country: 'GB' } }, { country: 'GB-ENG' }],
    ['GEOGRAPHY', undefined, { availability: null }, {}],
    ['AGE', 0.6, {}, withProfile({ ageRange: { min: 21, max: 25, referenceDate: null } })],
    ['ACADEMIC', 0.75, grades(3.5, 4), lowest],
    ['ACADEMIC', 1, grades(6, 6), lowest],
    ['ANTHROPOMETRIC', 1, {}, withProfile({ heightMinCm: 165, dominantFoot: 'LEFT' })],
    ['ANTHROPOMETRIC', 0.5, {}, withProfile({ heightMinCm: 165, dominantFoot: 'RIGHT' })],
    ['LANGUAGE', 1, { languages: ['en-GB'] }, {}],
    ['LANGUAGE', 0, { languages: ['es'] }, {}],
  ])('%s is %p: %j of %j', (code, value, of, more) => {
    const found = match(of, more).components.find((each) => each.code === code)?.value;
    expect(found).toEqual(value);
  });
});

describe('the text of a component', () => {
  test.each<[string, string, Partial<AthleteFacts>, Partial<OpportunityFacts>]>([
    [
      'POSITION',
      'plays left winger and striker; required: left winger or right winger',
      asSport({ positions: ['ST', 'LW'] }),
      { positions: ['RW', 'LW'] },
    ],
    [
      'LANGUAGE',
      'speaks Brazilian Portuguese and Polish; required: German',
      { languages: ['pl', 'pt-BR'] },
      { languages: ['de'] },
    ],
    ['AGE', 'aged 19 on 2026-11-21; required: 17 to 20', {}, {}],
    ['LEVEL', 'competes at regional level; the organization: national level', {}, {}],
    [
      'METRICS',
      'Tackles won 45, 1.5 per 90 minutes, 70th percentile among 120 defenders aged 18-20, in 30 full matches until 2026-06-01',
      {},
      { requirements: [] },
    ],
  ])('%s: %s', (code, text, of, more) => {
    const found = match(of, more).components.find((each) => each.code === code)?.text;
    expect(found?.replace(/^.*?points: /, '')).toBe(text);
  });
});

describe('a match with a side of 0', () => {
  test('says why the score is 0, and publishes the fit of both sides', () => {
    const closed = match({ availability: { ...open, openToOpportunities: false } }, {});
    expect(closed).toMatchObject({ score: 0, opportunityFit: 84, athleteFit: 0 });
    for (const { text } of closed.components) expect(text).toMatch(/; the athlete's side is 0, so the score is 0$/);
    expect(match({}, {})).toMatchObject({ score: 85, opportunityFit: 84, athleteFit: 90 });
  });
});

describe('the season of a number', () => {
  const row = (asOf: string, matches: number, value: number): StatisticsFacts => ({
    scope: 'SEASON',
    sport: 'FOOTBALL',
    eventCode: null,
    source: 'COMPUTED',
    asOf,
    matches,
    metrics: [{ key: 'tacklesWon', value, percentile: null, cohort: null }],
  });
  const tackles = (...statistics: StatisticsFacts[]) =>
    match({ statistics }, {}).components.find(({ code }) => code === 'METRICS')?.text ?? '';

  test('is the newest with at least five full matches, as in the talent score', () => {
    expect(tackles(row('2026-10-01', 4, 2), row('2026-06-01', 30, 45))).toContain('Tackles won 45');
    expect(tackles(row('2026-10-01', 5, 2), row('2026-06-01', 30, 45))).toContain('Tackles won 2 ');
    expect(tackles(row('2026-10-01', 4, 2))).toContain('Tackles won 2 ');
  });
});
