/** Whose an organization is, asked of the organizations area: for resources that belong to an organization of the same account. */
import type { Graph } from '../../schema/entry-point.ts';
import type { Violation } from '../../schema/errors.ts';
import { factsById } from './facts-by-id.ts';
import { unknownOrganizationViolation } from '../runtime/input-violations.ts';

export interface OrganizationOwner {
  readonly id: string;
  readonly version: number;
  readonly accountId: string;
  readonly status: 'DRAFT' | 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  readonly verified: boolean;
  readonly safeguarded: boolean;
}

export type OrganizationOwners = ReadonlyMap<string, OrganizationOwner>;

const query = /* GraphQL */ `
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
`;

/** Owners by organization id; absent ids are passed over, unknown ones are missing. One fetch for up to 1000 organizations. */
export function fetchOrganizationOwners(graph: Graph, ids: readonly (string | null | undefined)[]): Promise<OrganizationOwners> {
  return factsById(graph, query, 'organizationOwners', ids);
}

/** Whether everybody may see an organization: a draft and a suspended one are its owner's. */
export function isPublicOrganization({ status }: OrganizationOwner): boolean {
  return status === 'ACTIVE' || status === 'CLOSED';
}

/** Whether an account may know of an organization; undefined where there is none. */
export function isOrganizationVisible(owner: OrganizationOwner | undefined, accountId: string | null): boolean {
  return owner !== undefined && (owner.accountId === accountId || isPublicOrganization(owner));
}

/** The fault of an organization that is not the account's: a hidden one answers like an unknown one. */
export function ownerViolation(
  pointer: string,
  id: string | null | undefined,
  accountId: string,
  owners: OrganizationOwners,
): Violation | null {
  if (!id || owners.get(id)?.accountId === accountId) return null;
  return unknownOrganizationViolation(pointer, 'Name an organization of your own account.');
}
