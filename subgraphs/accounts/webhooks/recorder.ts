/** Stores ended attempts in batches: deliveries, attempts and the health of endpoints in one statement. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { sql, type Database } from '../../../platform/database/database.ts';
import type { Scope } from '../../../schema/scopes.ts';
import type { AttemptOutcome } from './attempt.ts';
import { readScopesOf } from './excerpt-visibility.ts';
import type { Message } from './message.ts';

/** An ended attempt. */
export interface EndedAttempt {
  readonly id: string;
  readonly endpointId: string;
  readonly outcome: AttemptOutcome;
  /** Null: no request was sent. */
  readonly message: Message | null;
  /** The scopes with which the message was rendered. */
  readonly scopes: readonly Scope[];
  /** Time of the reads for the attempt, by the clock of the database. */
  readonly readAt: string;
  /** Pause before the next attempt; null without one. */
  readonly nextMs: number | null;
}

/** What the stored attempts mean for endpoints. */
export interface Recorded {
  readonly ids: readonly string[];
  /** Endpoints that failed for five days. */
  readonly failing: readonly string[];
}

const batchMax = 500;
/** Attempts that end within this time are stored together. */
const gatherMs = 10;
const retryMs = 1_000;
const failingDays = 5;

/** Held shared while attempts are stored, and exclusively while texts are removed (excerpt-removal.ts). */
export const excerptsLock = sql`hashtextextended('webhook_attempt.excerpts', 0)`;

const rowOf = ({ id, endpointId, outcome, message, scopes, readAt, nextMs }: EndedAttempt, index: number) => {
  const { retryAfter: _, ...attempt } = outcome;
  const { excerpt: request = null, mentions = [] } = message ?? {};
  return { ...attempt, id, endpointId, request, mentions, scopes: readScopesOf(scopes), readAt, nextMs, number: index };
};

/** A delivery that is recorded twice keeps its success. An endpoint without success has failed since its first failure. */
async function store(database: Database, ended: readonly EndedAttempt[]): Promise<string[]> {
  const rows = JSON.stringify(ended.map(rowOf));
  return database.transaction(async (transaction) => {
    await transaction.query(sql`/* webhooks.lockExcerpts */ select pg_advisory_xact_lock_shared(${excerptsLock})`);
    const failing = await transaction.query<{ id: string }>(sql`/* webhooks.record */
      with ended as materialized (
        select * from jsonb_to_recordset(${rows}::jsonb) as e(id uuid, "endpointId" uuid, at timestamptz, status int, "durationMs" int, error text,
          detail text, request text, response text, mentions uuid[], scopes text[], "readAt" timestamptz, "nextMs" float8, number int)
      ), delivery as (
        update webhook_delivery d set attempts = d.attempts + 1, last_attempt_at = e.at,
          status = case when e.error is null or d.status = 'SUCCEEDED' then 'SUCCEEDED' when e."nextMs" is null then 'FAILED' else 'PENDING' end,
          next_attempt_at = case when e.error is not null and d.status <> 'SUCCEEDED' then now() + e."nextMs" * interval '1 millisecond' end
        from ended e where d.id = e.id returning d.id, d.attempts, d.event_id
      ), attempt as (
        insert into webhook_attempt (delivery_id, number, at, status, duration_ms, error, detail, request, response, mentions, scopes)
        select d.id, d.attempts, e.at, e.status, e."durationMs", e.error, e.detail,
          case when not r.removed then e.request end, case when not r.removed then e.response end, e.mentions, e.scopes
        from delivery d join ended e on e.id = d.id cross join lateral (
          select exists (select from webhook_removal r where r.resource_id = any(e.mentions) and r.at >= e."readAt"
            and r.event_id <> d.event_id) as removed
        ) r on conflict do nothing
      ), health as (
        insert into webhook_health as h (endpoint_id, failing_since, last_success_at)
        select w.id, case when g.last then null when g.any then g.latest else g.earliest end, g.success
        from (
          select "endpointId", (array_agg(error is null order by number desc))[1] as last, bool_or(error is null) as any,
            min(at) as earliest, max(at) as latest, max(at) filter (where error is null) as success
          from ended group by "endpointId"
        ) g join webhook_endpoint w on w.id = g."endpointId" order by w.id
        on conflict (endpoint_id) do update set last_success_at = coalesce(excluded.last_success_at, h.last_success_at),
          failing_since = case when excluded.failing_since is null or excluded.last_success_at is not null then excluded.failing_since
            else coalesce(h.failing_since, excluded.failing_since) end
        returning h.endpoint_id, h.failing_since
      )
      select endpoint_id as id from health where failing_since <= now() - ${failingDays} * interval '1 day'`);
    return failing.map(({ id }) => id);
  });
}

/** Removes deliveries of events that the account cannot read: those without an attempt were never visible. */
function drop(database: Database, ids: readonly string[]): Promise<object[]> {
  return database.query(sql`/* webhooks.drop */
    with unsent as (delete from webhook_delivery where id = any(${[...ids]}::uuid[]) and attempts = 0)
    update webhook_delivery set status = 'DROPPED', next_attempt_at = null where id = any(${[...ids]}::uuid[]) and attempts > 0`);
}

/** Stores attempts in the background; a failed statement is repeated. `onRecorded` is called after each batch. */
export function createRecorder(database: Database, log: Logger, onRecorded: (recorded: Recorded) => void) {
  let ended: EndedAttempt[] = [];
  let dropped: string[] = [];
  let flushing: Promise<void> | null = null;
  let closed = false;

  async function flushOnce(): Promise<void> {
    const batch = ended.slice(0, batchMax);
    const drops = dropped;
    const failing = batch.length > 0 ? await store(database, batch) : [];
    ended = ended.slice(batch.length);
    onRecorded({ ids: batch.map(({ id }) => id), failing });
    if (drops.length > 0) await drop(database, drops);
    dropped = dropped.slice(drops.length);
    onRecorded({ ids: drops, failing: [] });
  }

  async function flushAll(): Promise<void> {
    await sleep(gatherMs);
    while (ended.length > 0 || dropped.length > 0) {
      try {
        await flushOnce();
      } catch (error) {
        log.warn({ err: error }, 'webhook attempts not stored');
        // what is lost at the end is sent again
        if (closed) return;
        await sleep(retryMs);
      }
    }
  }

  function schedule(): void {
    flushing ??= flushAll().finally(() => {
      flushing = null;
      if (!closed && (ended.length > 0 || dropped.length > 0)) schedule();
    });
  }

  return {
    add(attempt: EndedAttempt): void {
      ended.push(attempt);
      schedule();
    },
    drop(id: string): void {
      dropped.push(id);
      schedule();
    },
    /** Stores what has ended. */
    async close(): Promise<void> {
      closed = true;
      await flushing;
      if (ended.length > 0 || dropped.length > 0) await flushAll();
    },
  };
}
