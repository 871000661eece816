/** Owners of organizations, read from the organizations area: for resources that must belong to an organization of the same account. */
import type { Graph } from '../../schema/entry-point.ts';
import type { Violation } from '../../schema/errors.ts';
import { unknownOrganizationViolation } from '../runtime/input-violations.ts';
import { factsById } from './facts-by-id.ts';
import type { OrganizationOwnersQuery } from './generated/graphql.ts';
import { graphql } from './graphql.ts';

export type OrganizationOwner = NonNullable<OrganizationOwnersQuery['organizationOwners']>[number];

export type OrganizationOwners = ReadonlyMap<string, OrganizationOwner>;

const organizationOwnersQuery = graphql(`
  query organizationOwners($ids: [ID!]!) {
    organizationOwners(ids: $ids) {
      id
      version
      accountId
      status
      verified
      safeguarded
    }
  }
`);

/** Owners by organization id. Absent ids are ignored; unknown ids are missing. One fetch for up to 1,000 ids. */
export function fetchOrganizationOwners(graph: Graph, ids: readonly (string | null | undefined)[]): Promise<OrganizationOwners> {
  return factsById(graph, organizationOwnersQuery, 'organizationOwners', ids);
}

/** Whether an organization is visible to everyone. Drafts and suspended organizations are visible to their owner only. */
export function isPublicOrganization({ status }: Pick<OrganizationOwner, 'status'>): boolean {
  return status === 'ACTIVE' || status === 'CLOSED';
}

/** Whether an organization is visible to an account; false for an unknown organization. */
export function isOrganizationVisible(owner: OrganizationOwner | undefined, accountId: string | null): boolean {
  return owner !== undefined && (owner.accountId === accountId || isPublicOrganization(owner));
}

/** The violation for an organization of another account. Hidden and unknown organizations return the same. */
export function ownerViolation(
  pointer: string,
  id: string | null | undefined,
  accountId: string,
  owners: OrganizationOwners,
): Violation | null {
  if (!id || owners.get(id)?.accountId === accountId) return null;
  return unknownOrganizationViolation(pointer, 'The organization must belong to your account.');
}
