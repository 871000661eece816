/** Validation rules and transitions of memberships. They need no database. */
import type { Violation } from '../../../schema/errors.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import { latestToday } from '../../runtime/age.ts';
import { positionViolations, unknownOrganizationViolation } from '../../runtime/input-violations.ts';
import type { CreateMembershipInput, MembershipStatus, OrganizationStatus, Sport } from '../generated/resolvers.ts';

/**
 * A membership has two parties. While it is INVITED or REQUESTED, the party that has to respond is the COUNTERPART; afterwards both are
 * OWNER. Only an agreed membership can be ENDED: a proposal that is taken back becomes DECLINED, and is never public.
 */
export const membershipTransitions = {
  confirm: { from: ['INVITED', 'REQUESTED'], to: 'ACTIVE', actors: ['COUNTERPART'] },
  decline: { from: ['INVITED', 'REQUESTED'], to: 'DECLINED', actors: ['COUNTERPART', 'OWNER'] },
  loan: { from: ['ACTIVE'], to: 'ON_LOAN', actors: ['OWNER'] },
  recall: { from: ['ON_LOAN'], to: 'ACTIVE', actors: ['OWNER'] },
  end: { from: ['ACTIVE', 'ON_LOAN'], to: 'ENDED', actors: ['OWNER', 'COUNTERPART'] },
} as const satisfies Transitions<MembershipStatus, string>;

export type MembershipVerb = keyof typeof membershipTransitions;

type Violations = readonly (Violation | false | null)[];

/** A membership cannot end before it starts. */
export function endViolation({
  startDate,
  endDate,
}: {
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
}): Violation | null {
  if (!startDate || !endDate || startDate <= endDate) return null;
  return { pointer: '/endDate', code: 'before_start', detail: `\`endDate\` cannot be before the start date ${startDate}.` };
}

interface JoinedOrganization {
  readonly id: string;
  readonly accountId: string;
  readonly status: OrganizationStatus;
}

interface JoinedTeam {
  readonly accountId: string;
  readonly organizationId: string | null;
  /** Set for a national team. */
  readonly country: string | null;
}

/**
 * Members join an active organization. A draft accepts members of the same account, who need no consent of another party. A closed
 * organization accepts only past memberships.
 */
function joinViolation(
  { status, accountId }: JoinedOrganization,
  personAccountId: string | null,
  endDate: string | null | undefined,
): Violation | null {
  if (status === 'ACTIVE' || (status === 'DRAFT' && (personAccountId === null || personAccountId === accountId))) return null;
  if (status === 'CLOSED' && endDate && endDate <= latestToday()) return null;
  const detail =
    status === 'CLOSED'
      ? 'This organization is closed. Only a membership with a past `endDate` can be added.'
      : `This organization is ${status}. Members of other accounts can join an ACTIVE organization only.`;
  return { pointer: '/organizationId', code: 'not_active', detail };
}

/** What a new membership refers to, as far as the caller can read it. */
export interface NewMembership {
  readonly organization: JoinedOrganization | undefined;
  readonly team: JoinedTeam | undefined;
  /** The account of the athlete. Null for staff. */
  readonly athleteAccountId: string | null;
  readonly isAthleteVisible: boolean;
  readonly sport: Sport | null;
}

/** Violations of a new membership. */
export function membershipViolations(input: CreateMembershipInput, resolved: NewMembership): Violations {
  return [
    ...personViolations(input, resolved),
    ...placeViolations(input, resolved),
    ...(resolved.sport ? positionViolations('/positions', resolved.sport, input.positions) : []),
    endViolation(input),
  ];
}

function personViolations({ personType, personId, personName }: CreateMembershipInput, resolved: NewMembership): Violations {
  if (personType === 'ATHLETE')
    return [
      !personId && { pointer: '/personId', code: 'required', detail: '`personId` is required for an athlete.' },
      !!personId &&
        !resolved.isAthleteVisible && {
          pointer: '/personId',
          code: 'unknown_athlete',
          detail: 'There is no athlete with this ID.',
        },
      !!personName && {
        pointer: '/personName',
        code: 'not_for_type',
        detail: '`personName` is not allowed for an athlete. Use `personId`.',
      },
    ];
  return [
    !!personId && {
      pointer: '/personId',
      code: 'not_for_type',
      detail: '`personId` is not allowed for staff and recruiters. Use `personName`.',
    },
    !personName && {
      pointer: '/personName',
      code: 'required',
      detail: '`personName` is required for staff and recruiters.',
    },
  ];
}

function placeViolations(input: CreateMembershipInput, { organization, team, athleteAccountId }: NewMembership): Violations {
  const { organizationId, teamId, endDate, type } = input;
  return [
    !!organizationId && !organization && unknownOrganizationViolation('/organizationId'),
    organization ? joinViolation(organization, athleteAccountId, endDate) : null,
    !!teamId && !team && { pointer: '/teamId', code: 'unknown_team', detail: 'There is no team with this ID.' },
    !!team &&
      !!organization &&
      team.organizationId !== organization.id && {
        pointer: '/teamId',
        code: 'foreign_team',
        detail: 'The team belongs to another organization.',
      },
    !organizationId &&
      !team?.country && {
        pointer: '/organizationId',
        code: 'required',
        detail: '`organizationId` is required, except for a membership in a national team.',
      },
    ((type ?? 'PERMANENT') === 'NATIONAL') !== !!team?.country && {
      pointer: '/type',
      code: 'national_team',
      detail: '`type` must be NATIONAL for a national team, and only for a national team.',
    },
  ];
}
