/** Visibility of organizations, teams and memberships: predicates of rows, and SQL conditions. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import type { MembershipStatus, OrganizationStatus } from '../generated/resolvers.ts';

/** Statuses of public organizations. Drafts and suspended organizations are visible to their owner only. */
const publicStates: readonly OrganizationStatus[] = ['ACTIVE', 'CLOSED'];

/** Statuses of public memberships: those that both parties agreed to. */
export const agreedStates: readonly MembershipStatus[] = ['ACTIVE', 'ON_LOAN', 'ENDED'];

/** Whether an organization is public. */
export function isPublic(row: { readonly status: OrganizationStatus }): boolean {
  return publicStates.includes(row.status);
}

interface OwnedRow {
  readonly accountId: string;
}

/** Whether a viewer can read an organization. */
export function isOrganizationVisible(viewer: Viewer, row: OwnedRow & { readonly status: OrganizationStatus }): boolean {
  return isRowVisible(viewer, { accountId: row.accountId, published: isPublic(row) });
}

/** Whether a viewer can read a row that has a `published` column. */
export function isRowVisible(viewer: Viewer, row: OwnedRow & { readonly published: boolean }): boolean {
  return row.published || owns(viewer, row.accountId) || hasFullAccess(viewer);
}

/** Public rows of `organization`. The statuses are literals, because a parameter would not match the partial indexes. */
export const publishedOrganization: Sql = sql`organization.status in ('ACTIVE', 'CLOSED')`;

// Scalar subqueries, because next to an `or` PostgreSQL would hash the whole other table for `exists`.
const ofPublished = (organizationId: Sql): Sql =>
  sql`(${organizationId} is null or (select o.status in ('ACTIVE', 'CLOSED') from organization o where o.id = ${organizationId}))`;

/** Public rows of `team`: those of public organizations. */
export const publishedTeam: Sql = ofPublished(sql`team.organization_id`);

/** Public rows of `membership`: agreed to, of a public organization, and without athletes whose profile is hidden (docs/minors.md). */
export const publishedMembership: Sql = sql`membership.status in ('ACTIVE', 'ON_LOAN', 'ENDED') and ${ofPublished(sql`membership.organization_id`)}
  and (membership.athlete_id is null or coalesce((select true from public_athlete a where a.athlete_id = membership.athlete_id), false))`;

/** Memberships that an account is a party of. */
export const isParty = (accountId: string): Sql =>
  sql`(membership.account_id = ${accountId} or membership.person_account_id = ${accountId})`;

function visibleRows(viewer: Viewer, published: Sql, own: (accountId: string) => Sql): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  return viewer.accountId === null ? published : sql`((${published}) or ${own(viewer.accountId)})`;
}

/** Rows of `team` that a viewer can read. */
export const visibleTeams = (viewer: Viewer): Sql => visibleRows(viewer, publishedTeam, (id) => sql`team.account_id = ${id}`);

/** Rows of `membership` that a viewer can read. */
export const visibleMemberships = (viewer: Viewer): Sql => visibleRows(viewer, publishedMembership, isParty);

/** Memberships whose athlete a viewer can read. The organization cannot find the memberships of a hidden athlete by the athlete's id. */
export function visibleAthlete(viewer: Viewer): Sql {
  const isPublicAthlete = sql`exists (select from public_athlete a where a.athlete_id = membership.athlete_id)`;
  return visibleRows(viewer, isPublicAthlete, (accountId) => sql`membership.person_account_id = ${accountId}`);
}

/** External ids of memberships that a viewer can read, as a condition on `external_id`: a party's own ids, and the organization's for others. */
export function visibleMembershipIds(viewer: Viewer): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  const { accountId } = viewer;
  const ofOrganization = sql`m.id = external_id.resource_id and m.account_id = external_id.account_id`;
  if (accountId === null) return sql`exists (select from membership m where ${ofOrganization})`;
  return sql`(external_id.account_id = ${accountId}
    or exists (select from membership m where ${ofOrganization} and m.person_account_id is distinct from ${accountId}))`;
}
