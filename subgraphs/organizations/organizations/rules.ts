/** Validation rules and transitions of organizations. They need no database. */
import type { Violation } from '../../../schema/errors.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { CreateOrganizationInput, OrganizationStatus, OrganizationType } from '../generated/resolvers.ts';

export const organizationTransitions = {
  activate: { from: ['DRAFT'], to: 'ACTIVE', actors: ['OWNER'] },
  close: { from: ['DRAFT', 'ACTIVE'], to: 'CLOSED', actors: ['OWNER'] },
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED', actors: ['MODERATOR'] },
  reinstate: { from: ['SUSPENDED'], to: 'ACTIVE', actors: ['MODERATOR'] },
} as const satisfies Transitions<OrganizationStatus, string>;

export type OrganizationVerb = keyof typeof organizationTransitions;

/** The members that a verification covers. When the owner changes one of them, the verification becomes PENDING. */
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

/** Violations of the members of an organization: members of another type, and missing sports. */
export function organizationViolations(
  type: OrganizationType,
  input: {
    readonly country?: string | null | undefined;
    readonly sports?: readonly string[] | null | undefined;
    readonly regions?: readonly string[] | null | undefined;
  },
): (Violation | null)[] {
  const given = Object.entries(input).filter(
    ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return [
    ...given.map(([member]) => {
      const expected = membersOfType[member];
      return expected && expected !== type
        ? {
            pointer: `/${member}`,
            code: 'not_for_type',
            detail: `\`${member}\` is allowed only for organizations of type ${expected}.`,
          }
        : null;
    }),
    input.sports?.length === 0 && type !== 'UNIVERSITY'
      ? { pointer: '/sports', code: 'required', detail: 'List at least one sport. Only a UNIVERSITY can have none.' }
      : null,
  ];
}
