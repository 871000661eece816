/** The rules of organizations, teams and memberships that need no database. */
import type { Violation } from '../../../schema/errors.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { CreateOrganizationInput, MembershipStatus, OrganizationStatus, OrganizationType } from '../resolvers.generated.ts';

export const organizationTransitions = {
  activate: { from: ['DRAFT'], to: 'ACTIVE', actors: ['OWNER'] },
  close: { from: ['DRAFT', 'ACTIVE'], to: 'CLOSED', actors: ['OWNER'] },
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED', actors: ['MODERATOR'] },
  reinstate: { from: ['SUSPENDED'], to: 'ACTIVE', actors: ['MODERATOR'] },
} as const satisfies Transitions<OrganizationStatus, string>;

export type OrganizationVerb = keyof typeof organizationTransitions;

/**
 * A membership has two sides. The side that did not ask is the COUNTERPART of an INVITED or REQUESTED one;
 * from then on either side is the OWNER of what concerns it.
 * Only what was agreed can end: an invitation that its asker takes back is DECLINED, and never public.
 */
export const membershipTransitions = {
  confirm: { from: ['INVITED', 'REQUESTED'], to: 'ACTIVE', actors: ['COUNTERPART'] },
  decline: { from: ['INVITED', 'REQUESTED'], to: 'DECLINED', actors: ['COUNTERPART', 'OWNER'] },
  loan: { from: ['ACTIVE'], to: 'ON_LOAN', actors: ['OWNER'] },
  recall: { from: ['ON_LOAN'], to: 'ACTIVE', actors: ['OWNER'] },
  end: { from: ['ACTIVE', 'ON_LOAN'], to: 'ENDED', actors: ['OWNER', 'COUNTERPART'] },
} as const satisfies Transitions<MembershipStatus, string>;

export type MembershipVerb = keyof typeof membershipTransitions;

/** What a moderator's word is about: an owner who changes any of it has the organization looked at anew. */
export const verifiedMembers = [
  'name',
  'legalName',
  'country',
  'website',
  'emailDomain',
  'licenceNumber',
  'licenceBody',
  'licenceExpiresAt',
] as const satisfies readonly (keyof CreateOrganizationInput)[];

const membersOfType: Readonly<Record<string, OrganizationType>> = {
  athleticDivision: 'UNIVERSITY',
  programmes: 'UNIVERSITY',
  licenceNumber: 'RECRUITER',
  licenceBody: 'RECRUITER',
  licenceExpiresAt: 'RECRUITER',
  regions: 'RECRUITER',
};

/** What is wrong with the facts of an organization: members of another type, unknown countries. */
export function organizationViolations(
  type: OrganizationType,
  facts: {
    readonly country?: string | null | undefined;
    readonly sports?: readonly string[] | null | undefined;
    readonly regions?: readonly string[] | null | undefined;
  },
): (Violation | null)[] {
  const given = Object.entries(facts).filter(
    ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return [
    ...given.map(([member]) => {
      const expected = membersOfType[member];
      return expected && expected !== type
        ? { pointer: `/${member}`, code: 'not_for_type', detail: `Only an organization of type ${expected} has ${member}.` }
        : null;
    }),
    facts.sports?.length === 0 && type !== 'UNIVERSITY'
      ? { pointer: '/sports', code: 'required', detail: 'Name at least one sport; only a university may name none.' }
      : null,
  ];
}
