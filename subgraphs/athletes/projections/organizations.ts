/** Projects memberships and organizations from the organizations area. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { idsOf, type RelayedEvent } from '../../../platform/events/consumer.ts';
import type { Writer } from '../../../platform/writes/write.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { graphql } from '../../clients/graphql.ts';
import { lockVerification, revokeAdultConfirmations } from '../athletes/adulthood.ts';
import { keepContracts } from '../athletes/contracts.ts';
import { reapplyConsents } from '../consents/effective-scopes.ts';

const membershipsById = graphql(`
  query projectedMemberships($ids: [ID!]!) {
    membershipsById(ids: $ids) {
      id
      version
      status
      type
      athleteId
      startDate
      endDate
      contractUntil
      organization {
        id
      }
      team {
        id
      }
    }
  }
`);

const organizationsById = graphql(`
  query projectedOrganizations($ids: [ID!]!) {
    organizationOwners(ids: $ids) {
      id
      accountId
      status
      verified
      safeguarded
    }
  }
`);

async function projectMemberships(transaction: Queryable, ids: readonly string[], rows: unknown): Promise<void> {
  const before = await transaction.query<{ athleteId: string }>(sql`/* athletes.removeMemberships */
    with removed as (delete from membership where id = any(${[...ids]}::uuid[])
      and not exists (select from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(id uuid) where m.id = membership.id))
    select athlete_id as "athleteId" from membership where id = any(${[...ids]}::uuid[])`);
  const after = await transaction.query<{ athleteId: string }>(sql`/* athletes.projectMemberships */
    insert into membership (id, version, athlete_id, organization_id, team_id, status, type, start_date, end_date, contract_until)
    select id, version, "athleteId", (organization ->> 'id')::uuid, (team ->> 'id')::uuid, status, type, "startDate", "endDate", "contractUntil"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(id uuid, version int, status text, type text, "athleteId" uuid, "startDate" date, "endDate" date, "contractUntil" date, organization jsonb, team jsonb)
    where "athleteId" is not null
    on conflict (id) do update set version = excluded.version, athlete_id = excluded.athlete_id, organization_id = excluded.organization_id, team_id = excluded.team_id, status = excluded.status,
      type = excluded.type, start_date = excluded.start_date, end_date = excluded.end_date, contract_until = excluded.contract_until
    where membership.version < excluded.version returning athlete_id as "athleteId"`);
  await keepContracts(
    transaction,
    [...before, ...after].map(({ athleteId }) => athleteId),
  );
}

interface VerificationChange {
  readonly accountId: string;
  readonly verified: boolean;
}

/** Returns the accounts of organizations whose verification changed. */
async function projectOrganizations(transaction: Queryable, rows: unknown): Promise<VerificationChange[]> {
  return transaction.query<VerificationChange>(sql`/* athletes.projectOrganizations */
    with before as (select organization_id, verified from organization_account
      where organization_id in (select id from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(id uuid))),
    after as (
      insert into organization_account (organization_id, account_id, verified, safeguarded, public)
      select id, "accountId", verified, safeguarded, status in ('ACTIVE', 'CLOSED')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(id uuid, "accountId" uuid, status text, verified boolean, safeguarded boolean)
      on conflict (organization_id) do update set account_id = excluded.account_id, verified = excluded.verified,
        safeguarded = excluded.safeguarded, public = excluded.public
      returning organization_id, account_id, verified)
    select after.account_id as "accountId", after.verified from after left join before using (organization_id)
    where after.verified <> coalesce(before.verified, false)`);
}

const accountsOf = (rows: readonly { readonly accountId: string }[]): string[] => [
  ...new Set(rows.map(({ accountId }) => accountId)),
];

/** Applies events of memberships and organizations. When an account's verification changes, confirmations and consents follow. */
export async function applyOrganizationEvents(
  events: readonly RelayedEvent[],
  transaction: Queryable,
  graph: Graph,
  writer: Writer,
): Promise<void> {
  const membershipIds = idsOf(events, 'membership');
  const organizationIds = idsOf(events, 'organization');
  const [memberships, organizations] = await Promise.all([
    membershipIds.length > 0 ? graph(membershipsById, { ids: membershipIds }) : null,
    organizationIds.length > 0 ? graph(organizationsById, { ids: organizationIds }) : null,
  ]);
  if (memberships) await projectMemberships(transaction, membershipIds, memberships.membershipsById ?? []);
  if (!organizations) return;
  const rows = organizations.organizationOwners ?? [];
  await lockVerification(transaction, accountsOf(rows));
  const changes = await projectOrganizations(transaction, rows);
  await revokeAdultConfirmations(transaction, writer, accountsOf(changes.filter(({ verified }) => !verified)));
  await reapplyConsents(transaction, writer, accountsOf(changes));
}
