/** Publishes and unpublishes teams, memberships and transfers with their organization or athlete, for partners who synchronize. */
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { registerExternalIds, releaseExternalIds } from '../../../platform/writes/external-id.ts';
import { publishedMembership, publishedTeam, publishedTransfer } from './visibility.ts';

const published = { team: publishedTeam, membership: publishedMembership, transfer: publishedTransfer } as const;

type DependentTable = keyof typeof published;

const registeredTeams = (which: Sql): Sql => sql`resource_id in (select id from team where ${which} and ${publishedTeam})`;

/** Writes a tombstone for each public row. Call it before the rows are hidden. The number of statements is constant. */
export async function unpublish(transaction: Queryable, table: DependentTable, which: Sql): Promise<void> {
  await transaction.query(sql`${raw(`/* ${table}.unpublish */`)}
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select ${table}, id, account_id, true, statement_timestamp() from ${raw(table)} where ${which} and ${published[table]}
    on conflict (resource_type, resource_id) do update set public = true, at = excluded.at`);
  if (table === 'team') await releaseExternalIds(transaction, table, registeredTeams(which));
}

/** Deletes the tombstones of rows that are public now and marks the rows as changed. Call it after the rows became visible. */
export async function publish(transaction: Queryable, table: DependentTable, which: Sql): Promise<void> {
  await transaction.query(sql`${raw(`/* ${table}.publish */`)}
    with published as (
      update ${raw(table)} set updated_at = statement_timestamp() where ${which} and ${published[table]} returning id
    )
    delete from tombstone t using published p where t.resource_type = ${table} and t.resource_id = p.id`);
  if (table === 'team') await registerExternalIds(transaction, table, registeredTeams(which));
}

const dependentsOf = (organizationId: string) =>
  [
    ['team', sql`team.organization_id = ${organizationId}`],
    ['membership', sql`membership.organization_id = ${organizationId}`],
    ['transfer', sql`(transfer.from_organization_id = ${organizationId} or transfer.to_organization_id = ${organizationId})`],
  ] as const;

/** Unpublishes the teams, memberships and transfers of an organization. */
export async function unpublishOf(transaction: Queryable, organizationId: string): Promise<void> {
  for (const [table, which] of dependentsOf(organizationId)) await unpublish(transaction, table, which);
}

/** Publishes the teams, memberships and transfers of an organization. */
export async function publishOf(transaction: Queryable, organizationId: string): Promise<void> {
  for (const [table, which] of dependentsOf(organizationId)) await publish(transaction, table, which);
}
