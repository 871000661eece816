/** Who sees which organization, team and membership: the one place that decides, for rows and as conditions of SQL. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import type { MembershipStatus, OrganizationStatus } from '../resolvers.generated.ts';

/** Everybody may see an organization in one of these; a draft and a suspended one are their owner's. */
const publicStates: readonly OrganizationStatus[] = ['ACTIVE', 'CLOSED'];

/** What the public may see of the two sides' dealings: what is or was in force. */
export const agreedStates: readonly MembershipStatus[] = ['ACTIVE', 'ON_LOAN', 'ENDED'];

/** Whether everybody may see an organization. */
export function isPublic(row: { readonly status: OrganizationStatus }): boolean {
  return publicStates.includes(row.status);
}

interface Owned {
  readonly accountId: string;
}

/** Whether a viewer may know of an organization. */
export function isOrganizationVisible(viewer: Viewer, row: Owned & { readonly status: OrganizationStatus }): boolean {
  return isRowVisible(viewer, { accountId: row.accountId, published: isPublic(row) });
}

/** Whether a viewer may know of a row that says whether it is published. */
export function isRowVisible(viewer: Viewer, row: Owned & { readonly published: boolean }): boolean {
  return row.published || owns(viewer, row.accountId) || hasFullAccess(viewer);
}

/** What everybody may see of the table `organization`. States are written out: a parameter would match no partial index. */
export const publishedOrganization: Sql = sql`organization.status in ('ACTIVE', 'CLOSED')`;

// Subqueries of one value, not `exists`: beside an `or` PostgreSQL would hash the whole table of the other side for a page of rows.
const ofPublished = (organizationId: Sql): Sql =>
  sql`(${organizationId} is null or (select o.status in ('ACTIVE', 'CLOSED') from organization o where o.id = ${organizationId}))`;

/** What everybody may see of the table `team`: a team is seen where its organization is. */
export const publishedTeam: Sql = ofPublished(sql`team.organization_id`);

/** What everybody may see of the table `membership`: agreed, of a published organization, and of nobody whose profile is hidden (docs/minors.md). */
export const publishedMembership: Sql = sql`membership.status in ('ACTIVE', 'ON_LOAN', 'ENDED') and ${ofPublished(sql`membership.organization_id`)}
  and (membership.athlete_id is null or coalesce((select true from public_athlete a where a.athlete_id = membership.athlete_id), false))`;

/** Memberships that an account is a side of. */
export const isParty = (accountId: string): Sql =>
  sql`(membership.account_id = ${accountId} or membership.person_account_id = ${accountId})`;

function visibleRows(viewer: Viewer, published: Sql, own: (accountId: string) => Sql): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  return viewer.accountId === null ? published : sql`((${published}) or ${own(viewer.accountId)})`;
}

/** What a viewer may see of the table `team`. */
export const visibleTeams = (viewer: Viewer): Sql => visibleRows(viewer, publishedTeam, (id) => sql`team.account_id = ${id}`);

/** What a viewer may see of the table `membership`. */
export const visibleMemberships = (viewer: Viewer): Sql => visibleRows(viewer, publishedMembership, isParty);

/** Memberships whose athlete a viewer may know of: the organization's side is not told which are of somebody hidden. */
export function visibleAthlete(viewer: Viewer): Sql {
  const shown = sql`exists (select from public_athlete a where a.athlete_id = membership.athlete_id)`;
  return visibleRows(viewer, shown, (accountId) => sql`membership.person_account_id = ${accountId}`);
}

/** External ids of memberships that a viewer sees, as a condition on `external_id`: each side those it gave, everybody else the organization's. */
export function visibleMembershipIds(viewer: Viewer): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  const { accountId } = viewer;
  const theirs = sql`m.id = external_id.resource_id and m.account_id = external_id.account_id`;
  if (accountId === null) return sql`exists (select from membership m where ${theirs})`;
  return sql`(external_id.account_id = ${accountId}
    or exists (select from membership m where ${theirs} and m.person_account_id is distinct from ${accountId}))`;
}
