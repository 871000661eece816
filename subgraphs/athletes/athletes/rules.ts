/** Validation rules and transitions of athletes. They need no database. */
import type { Violation } from '../../../schema/errors.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import { isOrganizationVisible, type OrganizationOwners } from '../../clients/organization-owners.ts';
import {
  localizedNameViolations,
  positionViolations,
  registryViolation,
  unknownOrganizationViolation,
} from '../../runtime/input-violations.ts';
import type { AthleteSportInput, AthleteStatus, CreateAthleteInput, EducationInput, InputMaybe } from '../generated/resolvers.ts';

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

/** The transitions that only set the status. */
export type AthleteVerb = Exclude<keyof typeof athleteTransitions, 'merge' | 'erase' | 'destroy'>;

/** Statuses of profiles that are removed: nothing of them changes again. */
export const removedStates: readonly AthleteStatus[] = ['MERGED', 'ERASURE_REQUESTED', 'ERASED'];

/** The members that a verification covers. When the owner changes one of them, the verification becomes PENDING. */
export const verifiedMembers = [
  'displayName',
  'givenName',
  'familyName',
  'knownAs',
  'names',
  'dateOfBirth',
  'birthYear',
  'sex',
  'nationalities',
  'sportingNationality',
] as const satisfies readonly (keyof CreateAthleteInput)[];

/** The members of an athlete as a caller sends them. */
export type AthleteInput = { readonly [Member in keyof CreateAthleteInput]?: InputMaybe<CreateAthleteInput[Member]> };

/** The earliest accepted birth date. The SDL bounds `birthYear` by the same year. */
const earliestBirthDate = '1900-01-01';

/** What the rules need to know in addition to the input. */
export interface AthleteInputContext {
  readonly today: string;
  /** The account that the athlete belongs to. */
  readonly accountId: string;
  /** Owners of the institutions that inputs name. */
  readonly institutions: OrganizationOwners;
}

type Violations = readonly (Violation | false | null)[];

/** Violations of the members of an athlete. */
export function athleteViolations(input: AthleteInput, { today, accountId, institutions }: AthleteInputContext): Violations {
  const { sports, weightKg, education, media } = input;
  return [
    ...birthViolations(input, today),
    ...localizedNameViolations(input.names),
    ...(sports ? sportViolations(sports) : []),
    !!weightKg &&
      Number(weightKg.toFixed(1)) !== weightKg && {
        pointer: '/weightKg',
        code: 'too_precise',
        detail: '`weightKg` can have at most one decimal place.',
      },
    ...(education ? educationViolations(education, accountId, institutions) : []),
    ...(media ?? []).map(
      ({ url }, index) =>
        !url.toLowerCase().startsWith('https://') && {
          pointer: `/media/${index}/url`,
          code: 'not_https',
          detail: '`url` must start with https://.',
        },
    ),
  ];
}

function birthViolations({ dateOfBirth, birthYear }: AthleteInput, today: string): Violations {
  return [
    !!dateOfBirth &&
      dateOfBirth > today && { pointer: '/dateOfBirth', code: 'in_future', detail: '`dateOfBirth` cannot be in the future.' },
    !!dateOfBirth &&
      dateOfBirth < earliestBirthDate && {
        pointer: '/dateOfBirth',
        code: 'too_early',
        detail: `\`dateOfBirth\` must be ${earliestBirthDate} or later.`,
      },
    !!birthYear &&
      birthYear > Number(today.slice(0, 4)) && {
        pointer: '/birthYear',
        code: 'in_future',
        detail: '`birthYear` cannot be in the future.',
      },
    !!dateOfBirth &&
      !!birthYear &&
      Number(dateOfBirth.slice(0, 4)) !== birthYear && {
        pointer: '/birthYear',
        code: 'contradicts',
        detail: '`birthYear` must be the year of `dateOfBirth`. Omit it, or set it to null.',
      },
  ];
}

function sportViolations(sports: readonly AthleteSportInput[]): Violations {
  const primaries = sports.filter((each) => each.primary === true).length;
  return [
    sports.length > 1 &&
      primaries !== 1 && { pointer: '/sports', code: 'one_primary', detail: 'Mark exactly one of the sports as primary.' },
    new Set(sports.map((each) => each.sport)).size < sports.length && {
      pointer: '/sports',
      code: 'duplicate',
      detail: 'List each sport only once.',
    },
    ...sports.flatMap(({ sport, discipline, positions }, index): Violations => [
      registryViolation(`/sports/${index}/discipline`, sport, 'discipline', discipline),
      ...positionViolations(`/sports/${index}/positions`, sport, positions),
    ]),
  ];
}

function educationViolations(
  { institutionId, gpa, gpaScale }: EducationInput,
  accountId: string,
  institutions: OrganizationOwners,
): Violations {
  return [
    !!institutionId &&
      !isOrganizationVisible(institutions.get(institutionId), accountId) &&
      unknownOrganizationViolation('/education/institutionId'),
    !!gpa &&
      !!gpaScale &&
      gpa > gpaScale && {
        pointer: '/education/gpa',
        code: 'out_of_scale',
        detail: '`gpa` cannot be greater than `gpaScale`.',
      },
  ];
}

/** The sports of an input in stored form: a single sport is primary, and the primary sport comes first. */
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
