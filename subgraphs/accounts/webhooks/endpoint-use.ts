/** How many webhook endpoints the plan of an account includes, and how many are enabled. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { isOfMode } from '../api-keys/key-mode.ts';
import type { EndpointUse } from './rules.ts';

/**
 * The number that the plans of the account's valid keys include, the highest one; a contract overrides it. Test keys do not count. An account
 * without a valid key, or that is not active, has none.
 */
const includedOf = (accountId: ReturnType<typeof sql>) => sql`(select coalesce(max(k.webhooks), 0) from router_key k
  where k.account_id = ${accountId} and ${isOfMode(sql`k.public_id`, 'LIVE')} and k.status = 'ACTIVE' and (k.expires_at is null or k.expires_at > now()))`;

/** The enabled endpoints of an account and the number that its plan includes. */
export async function readEndpointUse(database: Queryable, accountId: string): Promise<EndpointUse> {
  const [use] = await database.query<EndpointUse>(sql`/* webhookEndpoints.use */
    select ${includedOf(sql`${accountId}`)}::int as included,
      (select count(*) from webhook_endpoint where account_id = ${accountId} and status = 'ENABLED')::int as enabled`);
  if (!use) throw new Error('The query for the webhook endpoints of an account returned no row');
  return use;
}

/** The enabled endpoints above the number that the plan of their account includes: the newest ones. */
export async function findExcessEndpoints(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`/* webhookEndpoints.excess */
    select e.id from (
      select id, account_id, row_number() over (partition by account_id order by created_at, id) as number
      from webhook_endpoint where status = 'ENABLED'
    ) e join (
      select account_id, ${includedOf(sql`a.account_id`)} as included
      from (select distinct account_id from webhook_endpoint where status = 'ENABLED') a
    ) plan on plan.account_id = e.account_id
    where e.number > plan.included order by e.id limit 500`);
  return rows.map(({ id }) => id);
}
