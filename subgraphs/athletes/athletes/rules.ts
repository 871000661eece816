/** The rules of athletes and their statistics that need no database. */
import type { Violation } from '../../../schema/errors.ts';
import { metricsOf, type Sport } from '../../../schema/sports.ts';
import { positionViolations, registryViolation, unknownOrganizationViolation } from '../../runtime/input-violations.ts';
import { isOrganizationVisible, type OrganizationOwners } from '../../clients/organization-owners.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type {
  AthleteSportInput,
  AthleteStatus,
  CreateAthleteInput,
  InputMaybe,
  MetricValueInput,
  ReportStatisticsInput,
} from '../resolvers.generated.ts';

export const athleteTransitions = {
  activate: { from: ['DRAFT', 'INACTIVE', 'PENDING_CONSENT'], to: 'ACTIVE', actors: ['OWNER'] },
  deactivate: { from: ['ACTIVE', 'PENDING_CONSENT'], to: 'INACTIVE', actors: ['OWNER'] },
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED', actors: ['MODERATOR'] },
  reinstate: { from: ['SUSPENDED'], to: 'ACTIVE', actors: ['MODERATOR'] },
  merge: { from: ['DRAFT', 'ACTIVE', 'INACTIVE', 'PENDING_CONSENT', 'SUSPENDED'], to: 'MERGED', actors: ['MODERATOR'] },
  erase: {
    from: ['DRAFT', 'ACTIVE', 'INACTIVE', 'PENDING_CONSENT', 'SUSPENDED', 'MERGED'],
    to: 'ERASURE_REQUESTED',
    actors: ['OWNER'],
  },
  destroy: { from: ['ERASURE_REQUESTED'], to: 'ERASED', actors: ['TIMER'] },
} as const satisfies Transitions<AthleteStatus, string>;

/** The steps that do nothing but lead to another state. */
export type AthleteVerb = Exclude<keyof typeof athleteTransitions, 'merge' | 'erase' | 'destroy'>;

/** Who is no more under the id: nothing of it is changed any more. */
export const removedStates: readonly AthleteStatus[] = ['MERGED', 'ERASURE_REQUESTED', 'ERASED'];

/** What a moderator's word is about: an owner who changes any of it has the athlete looked at anew. */
export const verifiedMembers = [
  'displayName',
  'givenName',
  'familyName',
  'knownAs',
  'dateOfBirth',
  'birthYear',
  'sex',
  'nationalities',
  'sportingNationality',
] as const satisfies readonly (keyof CreateAthleteInput)[];

function sportViolations(sports: readonly AthleteSportInput[]): (Violation | false | null)[] {
  const primaries = sports.filter((each) => each.primary === true).length;
  return [
    sports.length > 1 &&
      primaries !== 1 && { pointer: '/sports', code: 'one_primary', detail: 'Mark exactly one of the sports as primary.' },
    new Set(sports.map((each) => each.sport)).size < sports.length && {
      pointer: '/sports',
      code: 'duplicate',
      detail: 'Name each sport once.',
    },
    ...sports.flatMap(({ sport, discipline, positions }, index): (Violation | false | null)[] => [
      registryViolation(`/sports/${index}/discipline`, sport, 'discipline', discipline),
      ...positionViolations(`/sports/${index}/positions`, sport, positions),
    ]),
  ];
}

type Facts = { readonly [Member in keyof CreateAthleteInput]?: InputMaybe<CreateAthleteInput[Member]> };

/** The first day of birth that is taken for one; the year is the least `birthYear` of the schema. */
const earliestBirthDate = '1900-01-01';

/** Whom an athlete is written for, and what is known of the institutions it names. */
export interface AthleteInputContext {
  readonly today: string;
  readonly accountId: string;
  readonly institutions: OrganizationOwners;
}

/** What is wrong with the facts of an athlete. */
export function athleteViolations(facts: Facts, { today, accountId, institutions }: AthleteInputContext): (Violation | false | null)[] {
  const { dateOfBirth, birthYear, sports, weightKg, education, media } = facts;
  const institutionId = education?.institutionId;
  return [
    !!dateOfBirth &&
      dateOfBirth > today && { pointer: '/dateOfBirth', code: 'in_future', detail: 'A day of birth lies in the past.' },
    !!dateOfBirth &&
      dateOfBirth < earliestBirthDate && {
        pointer: '/dateOfBirth',
        code: 'too_early',
        detail: `A day of birth is ${earliestBirthDate} or later.`,
      },
    !!birthYear &&
      birthYear > Number(today.slice(0, 4)) && {
        pointer: '/birthYear',
        code: 'in_future',
        detail: 'A year of birth is not in the future.',
      },
    !!dateOfBirth &&
      !!birthYear &&
      Number(dateOfBirth.slice(0, 4)) !== birthYear && {
        pointer: '/birthYear',
        code: 'contradicts',
        detail: 'birthYear is not the year of dateOfBirth: leave it away, or delete it with null.',
      },
    ...(sports ? sportViolations(sports) : []),
    !!weightKg &&
      Number(weightKg.toFixed(1)) !== weightKg && {
        pointer: '/weightKg',
        code: 'too_precise',
        detail: 'A weight has at most one decimal.',
      },
    !!institutionId &&
      !isOrganizationVisible(institutions.get(institutionId), accountId) &&
      unknownOrganizationViolation('/education/institutionId'),
    ...(media ?? []).map(
      ({ url }, index) =>
        !url.toLowerCase().startsWith('https://') && {
          pointer: `/media/${index}/url`,
          code: 'not_https',
          detail: 'Pages that are read over https show nothing else: name an address that begins with https://.',
        },
    ),
    !!education?.gpa &&
      !!education.gpaScale &&
      education.gpa > education.gpaScale && {
        pointer: '/education/gpa',
        code: 'out_of_scale',
        detail: 'The average is above the scale.',
      },
  ];
}

/** The sports of an input as they are stored: a single one is primary, the primary one comes first. */
export function normalizeSports(sports: readonly AthleteSportInput[]) {
  return sports
    .map(({ sport, discipline, positions, primary, level, yearsExperience }) => ({
      sport,
      discipline: discipline ?? null,
      positions: positions ?? [],
      primary: primary ?? sports.length === 1,
      level: level ?? null,
      yearsExperience: yearsExperience ?? null,
    }))
    .sort((a, b) => Number(b.primary) - Number(a.primary));
}

function metricViolations(sport: Sport, metrics: readonly MetricValueInput[]): (Violation | false | null)[] {
  const known = new Map(metricsOf(sport).map((row) => [row.key as string, row]));
  return metrics.flatMap(({ key, value }, index): (Violation | false | null)[] => {
    const row = known.get(key);
    if (!row) return [registryViolation(`/metrics/${index}/key`, sport, 'metric', key)];
    return [
      (value < row.min || value > row.max) && {
        pointer: `/metrics/${index}/value`,
        code: 'out_of_range',
        detail: `${key} is counted in ${row.unit}, from ${row.min} to ${row.max}.`,
      },
      row.valueType === 'INTEGER' &&
        !Number.isInteger(value) && {
          pointer: `/metrics/${index}/value`,
          code: 'not_integer',
          detail: `${key} is a whole number (${row.unit}).`,
        },
    ];
  });
}

/** What is wrong with reported statistics. */
export function statisticsViolations(input: ReportStatisticsInput): (Violation | false | null)[] {
  const keys = input.metrics.map((metric) => metric.key);
  return [
    input.scope === 'MATCH' && {
      pointer: '/scope',
      code: 'not_reportable',
      detail: 'Statistics of a match are counted from its result; report SEASON or CAREER.',
    },
    input.scope === 'SEASON' &&
      !input.seasonId && { pointer: '/seasonId', code: 'required', detail: 'Statistics of a season name it by seasonId.' },
    input.scope === 'CAREER' &&
      !!input.seasonId && { pointer: '/seasonId', code: 'not_for_scope', detail: 'Statistics of a career have no season.' },
    registryViolation('/eventCode', input.sport, 'event', input.eventCode),
    new Set(keys).size < keys.length && { pointer: '/metrics', code: 'duplicate', detail: 'Name each metric once.' },
    ...metricViolations(input.sport, input.metrics),
  ];
}
