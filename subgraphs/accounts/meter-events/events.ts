/** The recorded meter events: which units of which day an event contains, and how its attempts ended. */
import { sql, type Database } from '../../../platform/database/database.ts';
import { isRecognized, meterEventStatus, oldestDay } from './rows.ts';
import { isOfMode } from '../api-keys/key-mode.ts';

/** An event whose attempt has begun. */
export interface MeterEvent {
  readonly id: string;
  readonly accountId: string;
  /** YYYY-MM-DD (UTC) */
  readonly day: string;
  /** 1 for the first event of the day. */
  readonly sequence: number;
  readonly customerId: string;
  readonly units: number;
  /** Failed attempts. */
  readonly failures: number;
  /** Number of the idempotency key. */
  readonly keyNumber: number;
  /** Start of the first earlier attempt whose outcome is not known. */
  readonly unknownBefore: string | null;
}

/** The end of an attempt without a confirmation. */
export interface UnsentAttempt {
  readonly pauseMs: number;
  readonly rejection: string | null;
  /** Whether Stripe responded: the next attempt needs another idempotency key. */
  readonly hasResponse: boolean;
  /** Whether Stripe may have the event. */
  readonly mayBeSent: boolean;
}

/** Events that only the operator can continue. */
export interface HeldEvents {
  /** Stripe may have them, and no longer recognizes their identifiers. */
  readonly unknown: number;
  /** Their days are too old for Stripe. */
  readonly expired: number;
}

/** Accounts per statement. */
const pageSize = 100;

/**
 * Plans the events of the next accounts after an ID: the units of each day that earlier events do not contain, without those of test keys. A day whose last event is not
 * confirmed waits for it. Returns the last ID; null after the last page.
 */
export async function planMeterEvents(database: Database, after: string | null): Promise<string | null> {
  const [row] = await database.query<{ count: number; last: string }>(sql`/* meterEvents.plan */
    with page as materialized (
      select id, stripe_customer_id from account
      where stripe_customer_id is not null and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${pageSize}
    ), used as (
      select u.account_id, (u.starts_at at time zone 'UTC')::date as day, sum(u.units)::bigint as units
      from page join usage u on u.account_id = page.id
      where u.granularity = 'DAY' and u.starts_at >= (${oldestDay})::timestamp at time zone 'UTC'
        and ${isOfMode(sql`u.public_id`, 'TEST')} is not true
      group by 1, 2
    ), known as (
      select e.account_id, e.day, sum(e.units)::bigint as units, max(e.sequence) as sequence, bool_or(e.sent_at is null) as is_open
      from page join meter_event e on e.account_id = page.id where e.day >= ${oldestDay} group by 1, 2
    ), planned as (
      insert into meter_event (account_id, day, sequence, customer_id, units)
      select account_id, day, coalesce(known.sequence, 0) + 1, page.stripe_customer_id, used.units - coalesce(known.units, 0)
      from used join page on page.id = used.account_id left join known using (account_id, day)
      where used.units > coalesce(known.units, 0) and known.is_open is not true
      on conflict do nothing
    )
    select count(*) over () as count, id as last from page order by id desc limit 1`);
  return row?.count === pageSize ? row.last : null;
}

/**
 * Begins the next attempt that is due; null without one. From here on Stripe may have the event, until the end of the attempt is recorded. A
 * rejected event is due again at once when the account has another customer; only an event that Stripe does not have changes its customer.
 */
export async function beginAttempt(database: Database): Promise<MeterEvent | null> {
  const [event] = await database.query<MeterEvent>(sql`/* meterEvents.begin */
    with due as (
      select meter_event.id, unknown_since,
        case when unknown_since is null or rejection is not null then a.stripe_customer_id else customer_id end as customer_id
      from meter_event join account a on a.id = account_id
      where sent_at is null and day >= ${oldestDay} and a.stripe_customer_id is not null and ${isRecognized}
        and (next_attempt_at <= now() or (rejection is not null and customer_id <> a.stripe_customer_id))
      order by next_attempt_at, day, account_id limit 1
      for update of meter_event skip locked
    )
    update meter_event e set unknown_since = coalesce(e.unknown_since, now()), customer_id = due.customer_id
    from due where e.id = due.id
    returning e.id, e.account_id as "accountId", e.day::text as day, e.sequence, e.customer_id as "customerId", e.units, e.failures,
      e.key_number as "keyNumber", due.unknown_since as "unknownBefore"`);
  return event ?? null;
}

/** Records that Stripe has the event. */
export async function recordSent(database: Database, { id }: MeterEvent): Promise<void> {
  await database.query(sql`/* meterEvents.sent */
    update meter_event set sent_at = now(), unknown_since = null, rejection = null
    where id = ${id} and sent_at is null`);
}

/** Records an attempt without a confirmation, and when the next one is due. */
export async function recordUnsent(database: Database, event: MeterEvent, attempt: UnsentAttempt): Promise<void> {
  const { id, unknownBefore } = event;
  const { pauseMs, rejection, hasResponse, mayBeSent } = attempt;
  await database.query(sql`/* meterEvents.unsent */
    update meter_event set failures = failures + 1, key_number = key_number + ${hasResponse ? 1 : 0}, rejection = ${rejection},
      next_attempt_at = now() + ${pauseMs} * interval '1 millisecond',
      unknown_since = case when ${mayBeSent} then unknown_since else ${unknownBefore}::timestamptz end
    where id = ${id} and sent_at is null`);
}

/** The numbers of events that only the operator can continue. */
export async function countHeld(database: Database): Promise<HeldEvents> {
  const [row] = await database.query<HeldEvents>(sql`/* meterEvents.held */
    select count(*) filter (where status = 'UNKNOWN') as unknown, count(*) filter (where status = 'EXPIRED') as expired
    from (select ${meterEventStatus} as status from meter_event where sent_at is null) unsent`);
  return row ?? { unknown: 0, expired: 0 };
}
