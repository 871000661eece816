/** Visibility of organizations, teams and memberships: predicates of rows, and SQL conditions. */
import { raw, sql, type Sql } from '../../../platform/database/database.ts';
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

/** Public rows of `transfer`: completed, between public organizations, and without athletes whose profile is hidden (docs/minors.md). */
export const publishedTransfer: Sql = sql`transfer.status = 'COMPLETED' and ${ofPublished(sql`transfer.from_organization_id`)}
  and ${ofPublished(sql`transfer.to_organization_id`)}
  and coalesce((select true from public_athlete a where a.athlete_id = transfer.athlete_id), false)`;

/** Transfers that an account is a party of. The previous organization is no party before the others agreed. */
export const isTransferParty = (accountId: string): Sql =>
  sql`(transfer.account_id = ${accountId} or transfer.person_account_id = ${accountId}
    or (transfer.from_account_id = ${accountId} and transfer.status = 'COMPLETED'))`;

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

/** Rows of `transfer` that a viewer can read. */
export const visibleTransfers = (viewer: Viewer): Sql => visibleRows(viewer, publishedTransfer, isTransferParty);

/**
 * Memberships or transfers whose athlete a viewer can read. The organization cannot find those of a hidden athlete by the athlete's id.
 */
export function visibleAthlete(viewer: Viewer, table: 'membership' | 'transfer' = 'membership'): Sql {
  const isPublicAthlete = sql`exists (select from public_athlete a where a.athlete_id = ${raw(table)}.athlete_id)`;
  return visibleRows(viewer, isPublicAthlete, (accountId) => sql`${raw(table)}.person_account_id = ${accountId}`);
}

/**
 * External ids of memberships or transfers that a viewer can read, as a condition on `external_id`: a party's own ids, and those of the
 * organization's account for others.
 */
export function visiblePartyIds(viewer: Viewer, table: 'membership' | 'transfer'): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  const { accountId } = viewer;
  const ofOrganization = sql`p.id = external_id.resource_id and p.account_id = external_id.account_id`;
  if (accountId === null) return sql`exists (select from ${raw(table)} p where ${ofOrganization})`;
  const isOther =
    table === 'transfer'
      ? sql`p.person_account_id <> ${accountId} and p.from_account_id is distinct from ${accountId}`
      : sql`p.person_account_id is distinct from ${accountId}`;
  return sql`(external_id.account_id = ${accountId} or exists (select from ${raw(table)} p where ${ofOrganization} and ${isOther}))`;
}
