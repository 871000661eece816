/** Reads of the sender: the deliveries that are due, and what it needs to send them. */
import { isScope, type Scope } from '../../../schema/scopes.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { loadedMax, type DueDelivery } from './lanes.ts';
import { isOfMode } from '../api-keys/key-mode.ts';

export type { DueDelivery } from './lanes.ts';

/** Repeated attempts that are loaded at once, in addition to first attempts: neither kind holds the other back. */
const retriesMax = 10;

/**
 * The deliveries that are due, per endpoint in the order of their events, then those whose repetition is due.
 * @param known deliveries that are loaded already
 * @param full endpoints that need no more
 */
export function loadDue(database: Queryable, known: readonly string[], full: readonly string[]): Promise<DueDelivery[]> {
  return database.query<DueDelivery>(sql`/* webhooks.loadDue */
    select d.id, w.id as "endpointId", d.resource_id as "resourceId", d.attempts
    from webhook_endpoint w join account a on a.id = w.account_id and a.status = 'ACTIVE' cross join lateral (
      (select id, resource_id, attempts, position from webhook_delivery
        where endpoint_id = w.id and attempts = 0 and id <> all(${[...known]}::uuid[]) order by position limit ${loadedMax})
      union all
      (select id, resource_id, attempts, position from webhook_delivery
        where endpoint_id = w.id and attempts > 0 and next_attempt_at <= now() and id <> all(${[...known]}::uuid[])
        order by next_attempt_at limit ${retriesMax})
    ) d
    where w.status = 'ENABLED' and w.id <> all(${[...full]}::uuid[]) order by w.id, d.attempts = 0 desc, d.position`);
}

/** Milliseconds until the next repeated attempt is due; null if there is none. */
export async function untilNextRetryMs(database: Queryable): Promise<number | null> {
  const [row] = await database.query<{ milliseconds: number | null }>(sql`/* webhooks.nextRetry */
    select extract(epoch from min(d.next_attempt_at) - clock_timestamp())::float8 * 1000 as milliseconds
    from webhook_endpoint w join account a on a.id = w.account_id and a.status = 'ACTIVE' cross join lateral (
      select next_attempt_at from webhook_delivery
      where endpoint_id = w.id and attempts > 0 and next_attempt_at is not null order by next_attempt_at limit 1
    ) d where w.status = 'ENABLED'`);
  return row?.milliseconds ?? null;
}

/** What is needed to send a delivery. */
export interface SendableDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly type: string;
  readonly createdAt: string;
  readonly attempts: number;
  /** Version of the endpoint, for tests. */
  readonly version: number;
  readonly url: string;
  /** Encrypted secrets, the current one first. */
  readonly secrets: readonly Buffer[];
  /** The scopes of the endpoint that a valid key of the account has. */
  readonly scopes: readonly Scope[];
  /** Time of this read by the clock of the database. */
  readonly readAt: string;
}

/** The deliveries among these that are still due, with the current URL, secrets and scopes of their endpoints. */
export async function readSendable(database: Queryable, ids: readonly string[]): Promise<SendableDelivery[]> {
  const rows = await database.query<SendableDelivery & { readonly scopes: readonly string[] }>(sql`/* webhooks.readSendable */
    with due as materialized (
      select id, endpoint_id, event_id, type, created_at, attempts from webhook_delivery
      where id = any(${[...ids]}::uuid[]) and next_attempt_at is not null
    ), endpoint as materialized (
      select w.id, w.account_id, w.url, w.version,
        array(select s.encrypted from webhook_secret s where s.endpoint_id = w.id and (s.expires_at is null or s.expires_at > now())
          order by s.expires_at desc nulls first) as secrets,
        array(select unnest(w.scopes) intersect select unnest(k.scopes) from router_key k
          where k.account_id = w.account_id and ${isOfMode(sql`k.public_id`, 'LIVE')} and k.status = 'ACTIVE' and (k.expires_at is null or k.expires_at > now()) order by 1) as scopes
      from webhook_endpoint w join account a on a.id = w.account_id and a.status = 'ACTIVE'
      where w.status = 'ENABLED' and w.id in (select endpoint_id from due)
    )
    select d.id, d.endpoint_id as "endpointId", w.account_id as "accountId", d.event_id as "eventId", d.type, d.created_at as "createdAt",
      d.attempts, w.version, w.url, w.secrets, w.scopes, now() as "readAt"
    from due d join endpoint w on w.id = d.endpoint_id`);
  return rows.map((row) => ({ ...row, scopes: row.scopes.filter(isScope) }));
}
