/** Validation rules for the members of an opportunity. */
import type { Violation } from '../../../schema/errors.ts';
import { expandPositions, positionGroup } from '../../../schema/position-codes.ts';
import { sportNames, type Sport } from '../../../schema/sports.ts';
import { currencyViolation, registryViolation, positionViolations } from '../../runtime/input-violations.ts';
import type { CreateOpportunityInput, InputMaybe, OpportunityType } from '../generated/resolvers.ts';
import { openingViolation } from './lifecycle.ts';

/** Members that belong to one type of opportunity only. */
const typeByMember = {
  award: 'SCHOLARSHIP',
  academic: 'SCHOLARSHIP',
  sessions: 'TRIAL',
  attendingOrganizationIds: 'SHOWCASE',
  livestreamUrl: 'SHOWCASE',
  profile: 'TALENT_REQUEST',
  contractType: 'TALENT_REQUEST',
} as const satisfies Partial<Record<keyof CreateOpportunityInput, OpportunityType>>;

/** The validated members of an input or a row. Each can be absent. */
export type OpportunityMembers = {
  readonly [Member in Exclude<keyof CreateOpportunityInput, 'externalIds' | 'status'>]?:
    InputMaybe<CreateOpportunityInput[Member]> | undefined;
};

type Violations = (Violation | null | false)[];

const isGiven = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

function typeViolations(type: OpportunityType, members: OpportunityMembers): Violations {
  const given = new Map<string, unknown>(Object.entries(members));
  return Object.entries(typeByMember).map(
    ([member, expected]) =>
      expected !== type &&
      isGiven(given.get(member)) && {
        pointer: `/${member}`,
        code: 'not_for_type',
        detail: `\`${member}\` is allowed for opportunities of type ${expected} only.`,
      },
  );
}

function ageViolation(pointer: string, range: OpportunityMembers['ageRange']): Violation | false {
  const reversed = typeof range?.min === 'number' && typeof range.max === 'number' && range.max < range.min;
  return reversed && { pointer: `${pointer}/max`, code: 'below_minimum', detail: '`max` must not be less than `min`.' };
}

function requirementViolations(sport: Sport, requirements: OpportunityMembers['requirements']): Violations {
  return (requirements ?? []).flatMap(({ metricKey, attribute }, index): Violations => [
    !!metricKey === !!attribute && {
      pointer: `/requirements/${index}`,
      code: 'one_of',
      detail: 'Set either `metricKey` or `attribute`.',
    },
    registryViolation(`/requirements/${index}/metricKey`, sport, 'metric', metricKey),
  ]);
}

function sessionViolations(sessions: OpportunityMembers['sessions']): Violations {
  return (sessions ?? []).map(
    ({ startsAt, endsAt }, index) =>
      !!endsAt &&
      Date.parse(endsAt) <= Date.parse(startsAt) && {
        pointer: `/sessions/${index}/endsAt`,
        code: 'before_start',
        detail: '`endsAt` must be after `startsAt`.',
      },
  );
}

function scholarshipViolations({ award, academic }: OpportunityMembers): Violations {
  const { amountMinor, currency } = award ?? {};
  const { minGpa, gpaScale } = academic ?? {};
  return [
    currencyViolation('/award/currency', currency),
    isGiven(amountMinor) !== isGiven(currency) && {
      pointer: '/award/currency',
      code: 'together',
      detail: 'Set both `amountMinor` and `currency`, or neither.',
    },
    isGiven(minGpa) &&
      !isGiven(gpaScale) && {
        pointer: '/academic/gpaScale',
        code: 'required',
        detail: '`gpaScale` is required with `minGpa`.',
      },
    !!minGpa &&
      !!gpaScale &&
      minGpa > gpaScale && {
        pointer: '/academic/minGpa',
        code: 'out_of_scale',
        detail: '`minGpa` must not be greater than `gpaScale`.',
      },
  ];
}

function profileViolations(sport: Sport, profile: OpportunityMembers['profile']): Violations {
  if (!profile) return [];
  return [
    ...positionViolations('/profile/positions', sport, profile.positions),
    ageViolation('/profile/ageRange', profile.ageRange),
    ...(profile.metrics ?? []).map(({ key }, index) => registryViolation(`/profile/metrics/${index}/key`, sport, 'metric', key)),
  ];
}

/** The violations of an opportunity's members. For an update, pass the members as they will be stored. */
export function opportunityViolations(type: OpportunityType, sport: Sport, members: OpportunityMembers): Violations {
  const { startDate, endDate, applicationOpensAt, applicationDeadline } = members;
  return [
    ...typeViolations(type, members),
    ...(members.disciplines ?? []).map((discipline, index) =>
      registryViolation(`/disciplines/${index}`, sport, 'discipline', discipline),
    ),
    ...positionViolations('/positions', sport, members.positions),
    ageViolation('/ageRange', members.ageRange),
    !!startDate &&
      !!endDate &&
      endDate < startDate && {
        pointer: '/endDate',
        code: 'before_start',
        detail: '`endDate` must not be before `startDate`.',
      },
    openingViolation(applicationOpensAt, applicationDeadline),
    ...requirementViolations(sport, members.requirements),
    ...sessionViolations(members.sessions),
    ...scholarshipViolations(members),
    ...profileViolations(sport, members.profile),
  ];
}

/** All position codes with which an opportunity can name one of these positions: exact codes, codes of a group, and group codes. */
export function positionsMatching(sports: readonly Sport[] | null | undefined, codes: readonly string[]): string[] {
  const searched = sports && sports.length > 0 ? sports : sportNames;
  const exact = searched.flatMap((sport) => expandPositions(sport, codes));
  const groups = searched.flatMap((sport) => codes.map((code) => positionGroup(sport, code)));
  return [...new Set([...exact, ...groups.filter((group) => group !== undefined)])];
}
