/** The rules of the members of an opportunity, which need no database. */
import type { Violation } from '../../../schema/errors.ts';
import { expandPositions, positionGroup, sportNames, type Sport } from '../../../schema/sports.ts';
import { currencyViolation, registryViolation, positionViolations } from '../../runtime/input-violations.ts';
import { openingViolation } from './lifecycle.ts';
import type { CreateOpportunityInput, InputMaybe, OpportunityType } from '../resolvers.generated.ts';

/** Members that only one type of opportunity has. */
export const typeByMember = {
  award: 'SCHOLARSHIP',
  academic: 'SCHOLARSHIP',
  sessions: 'TRIAL',
  attendingOrganizationIds: 'SHOWCASE',
  livestreamUrl: 'SHOWCASE',
  profile: 'TALENT_REQUEST',
  contractType: 'TALENT_REQUEST',
} as const satisfies Partial<Record<keyof CreateOpportunityInput, OpportunityType>>;

/** The members of an input, each of which may be absent. */
export type OpportunityMembers = {
  readonly [Member in keyof CreateOpportunityInput]?: InputMaybe<CreateOpportunityInput[Member]> | undefined;
};

type Violations = (Violation | null | false)[];

const isGiven = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

function typeViolations(type: OpportunityType, members: OpportunityMembers): Violations {
  return Object.entries(typeByMember).map(
    ([member, expected]) =>
      expected !== type &&
      isGiven(members[member as keyof typeof typeByMember]) && {
        pointer: `/${member}`,
        code: 'not_for_type',
        detail: `Only an opportunity of type ${expected} has ${member}.`,
      },
  );
}

function ageViolation(pointer: string, range: OpportunityMembers['ageRange']): Violation | false {
  const reversed = typeof range?.min === 'number' && typeof range.max === 'number' && range.max < range.min;
  return reversed && { pointer: `${pointer}/max`, code: 'below_minimum', detail: 'The oldest age is below the youngest.' };
}

function requirementViolations(sport: Sport, requirements: OpportunityMembers['requirements']): Violations {
  return (requirements ?? []).flatMap(({ metricKey, attribute }, index): Violations => [
    !!metricKey === !!attribute && {
      pointer: `/requirements/${index}`,
      code: 'one_of',
      detail: 'Give either metricKey or attribute.',
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
        detail: 'A session ends after it begins.',
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
      detail: 'amountMinor and currency go together.',
    },
    isGiven(minGpa) &&
      !isGiven(gpaScale) && { pointer: '/academic/gpaScale', code: 'required', detail: 'minGpa needs its scale.' },
    !!minGpa &&
      !!gpaScale &&
      minGpa > gpaScale && { pointer: '/academic/minGpa', code: 'out_of_scale', detail: 'The average is above the scale.' },
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

/** What is wrong with the members of an opportunity, as they will be after the write. */
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
      endDate < startDate && { pointer: '/endDate', code: 'before_start', detail: 'It cannot end before it starts.' },
    openingViolation(applicationOpensAt, applicationDeadline),
    ...requirementViolations(sport, members.requirements),
    ...sessionViolations(members.sessions),
    ...scholarshipViolations(members),
    ...profileViolations(sport, members.profile),
  ];
}

/** The codes an opportunity may name that is for one of these positions: the exact ones, those of a group, and the groups themselves. */
export function positionsMatching(sports: readonly Sport[] | null | undefined, codes: readonly string[]): string[] {
  const among = sports && sports.length > 0 ? sports : sportNames;
  const exact = among.flatMap((sport) => expandPositions(sport, codes));
  const groups = among.flatMap((sport) => codes.map((code) => positionGroup(sport, code)));
  return [...new Set([...exact, ...groups.filter((group) => group !== undefined)])];
}
