/** What opportunities keep of the organizations area: an organization that is not public takes its opportunities out of sight. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { isPublicOrganization, type OrganizationOwner } from '../../clients/organization-owners.ts';
import { opportunityResource, type OpportunityRow } from '../opportunities/reads.ts';

/** Keeps what is newer than what is known. */
export async function projectOrganizations(transaction: Queryable, owners: readonly OrganizationOwner[]): Promise<void> {
  const rows = owners.map((owner) => ({ id: owner.id, version: owner.version, public: isPublicOrganization(owner) }));
  await transaction.query(sql`/* opportunities.projectOrganizations */
    insert into organization (id, version, public)
    select id, version, public from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(id uuid, version int, public boolean) order by id
    on conflict (id) do update set version = excluded.version, public = excluded.public where organization.version < excluded.version`);
}

/**
 * Whether everybody may see an organization, by the newer word of the writer who just read it and of the events. It is held so until
 * the commit: a suspension waits for the opportunity, or the opportunity for the suspension, and neither misses the other.
 */
export async function lockOrganizationVisibility(transaction: WriteTransaction, owner: OrganizationOwner): Promise<boolean> {
  const held = await transaction.query<{ public: boolean }>(sql`/* opportunities.holdOrganization */
    select public from organization where id = ${owner.id} and version >= ${owner.version} for share`);
  if (held[0]) return held[0].public;
  await projectOrganizations(transaction, [owner]);
  return isPublicOrganization(owner);
}

/** Hides what was published by organizations that are hidden now, and shows it again with them; partners see the change as any other. */
export async function syncVisibility(transaction: WriteTransaction, organizationIds: readonly string[]): Promise<void> {
  const rows = await transaction.query<OpportunityRow>(sql`/* opportunities.lockOfOrganizations */
    select ${opportunityResource.table.columns} from opportunity join organization o on o.id = opportunity.organization_id
    where o.id = any(${[...organizationIds]}::uuid[]) and opportunity.organization_public <> o.public and opportunity.status <> 'DRAFT'
    order by opportunity.id for update of opportunity`);
  for (const row of rows) {
    const organizationPublic = !row.organizationPublic;
    const action = organizationPublic ? 'shown with its organization' : 'hidden with its organization';
    const data = { organizationId: row.organizationId };
    await changeRow(
      transaction,
      opportunityResource,
      row,
      { organizationPublic },
      { action, event: 'opportunity.updated', data },
    );
  }
}
