/** Closes a month two hours after its end: its usage becomes final, and every account that had a plan gets a statement. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { Snapshot } from '../../../platform/writes/change.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { isOfMode } from '../api-keys/key-mode.ts';
import { issueInvoices } from '../invoices/issue.ts';

/** What closes months; without `billing`, statements have no invoices. */
type ClosingServices = Pick<AreaServices, 'database' | 'writer' | 'billing'>;

interface ClosedStatement extends Snapshot {
  /** YYYY-MM */
  readonly month: string;
}

/** The current time; null: the database's clock. */
type Moment = string | null;

/**
 * The oldest month that ended two hours ago and is not closed, YYYY-MM-DD; null if there is none, or if a plan change of the month is not
 * applied yet, because plan_held does not include it.
 */
async function dueMonth(database: Queryable, at: Moment): Promise<string | null> {
  const [last] = await database.query<{ month: string }>(sql`/* statements.lastMonth */
    select last.month from (
      select (date_trunc('month', (coalesce(${at}::timestamptz, clock_timestamp()) - interval '2 hours') at time zone 'UTC') - interval '1 month')::date as month
    ) last where not exists (select from closed_month where closed_month.month = last.month)`);
  if (!last) return null;
  const [due] = await database.query<{ month: string }>(sql`/* statements.dueMonth */
    select each::date as month
    from (select date_trunc('month', min(since) at time zone 'UTC') as month from plan_held) first,
      generate_series(first.month, ${last.month}::timestamp, interval '1 month') each
    where not exists (select from closed_month where closed_month.month = each::date) order by each limit 1`);
  if (!due) return null;
  const moving = await database.query(sql`/* statements.movesDue */
    select from api_key where next_plan_at < (${due.month}::date + interval '1 month') at time zone 'UTC' limit 1`);
  return moving.length === 0 ? due.month : null;
}

/** The highest plan of each lineage in the month: by the account's price, then by the plan's size, then the latest. */
const highestHeld = (month: string) => sql`
  select distinct on (h.quota_subject_id) h.quota_subject_id, h.account_id, h.plan_code, h.plan_version,
    coalesce(c.price_amount_minor, p.price_amount_minor) as amount_minor, coalesce(c.currency, p.currency) as currency
  from (select ${month}::date::timestamp at time zone 'UTC' as begins, (${month}::date + interval '1 month') at time zone 'UTC' as ends) bounds
  join plan_held h on h.since < bounds.ends and (h.until is null or h.until > greatest(bounds.begins, h.since))
  join plan p on p.code = h.plan_code and p.version = h.plan_version
  left join lateral (
    select case when later.price is null then c.price_amount_minor else (later.price ->> 0)::bigint end as price_amount_minor,
      case when later.currency is null then c.currency else later.currency ->> 0 end as currency
    from contract c, lateral (
      -- later changes of the contract are undone with their previous values
      select (array_agg(changes -> 'priceAmountMinor' order by version) filter (where changes ? 'priceAmountMinor'))[1] as price,
        (array_agg(changes -> 'currency' order by version) filter (where changes ? 'currency'))[1] as currency
      from history where resource_type = 'contract' and resource_id = c.id and at >= bounds.ends
    ) later
    where c.account_id = h.account_id and c.plan_code = h.plan_code
      and c.created_at < bounds.ends and (c.ended_at is null or c.ended_at >= bounds.ends)
    order by c.created_at desc limit 1
  ) c on true
  order by h.quota_subject_id, amount_minor desc, p.per_month desc, h.since desc`;

/** Records the event of each statement of the month. Its history has one entry. */
async function recordClosed(transaction: Queryable, writer: AreaServices['writer'], month: string): Promise<void> {
  const rows = await transaction.query<ClosedStatement>(sql`/* statements.closed */
    select id, 1 as version, account_id as "accountId", to_char(month, 'YYYY-MM') as month from statement where month = ${month} order by id`);
  await writer.writeWithin(transaction, (work) => {
    for (const row of rows)
      work.record({ action: 'closed', event: 'statement.closed', before: null, after: row, data: { month: row.month } });
    return Promise.resolve();
  });
}

async function close(transaction: Queryable, month: string, { writer, billing }: ClosingServices): Promise<void> {
  // Usage flushes hold this lock too: every started flush has completed, and every later one finds the month closed.
  await transaction.query(sql`/* statements.lock */ select pg_advisory_xact_lock(usage_closing_lock())`);
  const closed = await transaction.query(sql`/* statements.isClosed */ select from closed_month where month = ${month}`);
  if (closed.length > 0) return;
  await transaction.query(sql`/* statements.write */
    with held as materialized (${highestHeld(month)}),
    used as (
      select quota_subject_id, sum(requests) as requests, sum(units) as units from usage
      where granularity = 'MONTH' and starts_at = ${month}::date::timestamp at time zone 'UTC' and quota_subject_id is not null
      group by quota_subject_id
    ), late as (
      update usage_late set named_on = ${month} where named_on is null and account_id in (select account_id from held)
        and ${isOfMode(sql`public_id`, 'TEST')} is not true
      returning account_id, requests, units
    ), written as (
      insert into statement (account_id, month, requests, units, late_requests, late_units)
      select held.account_id, ${month}, coalesce(sum(used.requests), 0), coalesce(sum(used.units), 0),
        coalesce((select sum(late.requests) from late where late.account_id = held.account_id), 0),
        coalesce((select sum(late.units) from late where late.account_id = held.account_id), 0)
      from held left join used using (quota_subject_id) group by held.account_id
      returning id, account_id
    )
    insert into statement_line (statement_id, quota_subject_id, name, public_id, plan_code, plan_version, amount_minor, currency,
      requests, units)
    select written.id, held.quota_subject_id, newest.name, newest.public_id, held.plan_code, held.plan_version, held.amount_minor,
      held.currency, coalesce(used.requests, 0), coalesce(used.units, 0)
    from held join written using (account_id) left join used using (quota_subject_id)
      cross join lateral (
        select k.name, k.public_id from api_key k where k.quota_subject_id = held.quota_subject_id
        order by k.created_at desc, k.id desc limit 1
      ) newest`);
  if (billing) await issueInvoices(transaction, month, billing);
  await recordClosed(transaction, writer, month);
  await transaction.query(sql`/* statements.close */ insert into closed_month (month) values (${month})`);
}

/** Closes the oldest month that is due. Returns whether there may be more. */
export async function closeMonth(services: ClosingServices, at: Moment = null): Promise<boolean> {
  const { database } = services;
  const month = await dueMonth(database, at);
  if (month === null) return false;
  await database.transaction((transaction) => close(transaction, month, services));
  return true;
}
