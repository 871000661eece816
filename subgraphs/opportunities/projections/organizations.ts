/** Projection of organizations: the opportunities of an organization are public only while the organization is. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { isPublicOrganization, type OrganizationOwner } from '../../clients/organization-owners.ts';
import { opportunities, opportunityResource, type OpportunityRow } from '../opportunities/rows.ts';

/** Stores the visibility of organizations, unless a newer version is stored. */
export async function projectOrganizations(transaction: Queryable, owners: readonly OrganizationOwner[]): Promise<void> {
  const rows = owners.map((owner) => ({ id: owner.id, version: owner.version, public: isPublicOrganization(owner) }));
  await transaction.query(sql`/* opportunities.projectOrganizations */
    insert into organization (id, version, public)
    select id, version, public from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(id uuid, version int, public boolean) order by id
    on conflict (id) do update set version = excluded.version, public = excluded.public where organization.version < excluded.version`);
}

/**
 * Returns whether an organization is public, from the newer of `owner` and the projection. The row stays locked until the commit, so a
 * concurrent suspension and a concurrent publication see each other.
 */
export async function lockOrganizationVisibility(transaction: WriteTransaction, owner: OrganizationOwner): Promise<boolean> {
  const [stored] = await transaction.query<{ public: boolean }>(sql`/* opportunities.lockOrganization */
    select public from organization where id = ${owner.id} and version >= ${owner.version} for share`);
  if (stored) return stored.public;
  await projectOrganizations(transaction, [owner]);
  return isPublicOrganization(owner);
}

/** Hides or shows published opportunities when the visibility of their organizations has changed. Each change publishes an event. */
export async function syncVisibility(transaction: WriteTransaction, organizationIds: readonly string[]): Promise<void> {
  const rows = await transaction.query<OpportunityRow>(sql`/* opportunities.lockOfOrganizations */
    select ${opportunities.columns} from opportunity join organization o on o.id = opportunity.organization_id
    where o.id = any(${[...organizationIds]}::uuid[]) and opportunity.organization_public <> o.public and opportunity.status <> 'DRAFT'
    order by opportunity.id for update of opportunity`);
  for (const row of rows) {
    const organizationPublic = !row.organizationPublic;
    // The action names are stored in the history: do not change them.
    const action = organizationPublic ? 'shown with its organization' : 'hidden with its organization';
    const note = { action, event: 'opportunity.updated', data: { organizationId: row.organizationId } } as const;
    await changeRow(transaction, opportunityResource, row, { organizationPublic }, note);
  }
}
