/** Dead letters: events that a consumer failed to apply. They do not block the events of other resources. */
import { Problem, temporaryCodes } from '../../schema/errors.ts';
import type { Graph } from '../../schema/entry-point.ts';
import { isUnavailable } from '../database/database-error.ts';
import { sql, type Queryable } from '../database/database.ts';
import { errorCode, hasErrorCode } from '../error-code.ts';
import type { ApplyingConsumer, RelayedEvent } from './consumer.ts';
import { batchSize, eventColumns } from './outbox-reads.ts';

/** Whether a later attempt can succeed without a change of the event or of the code: an unavailable dependency, a deadlock. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof Problem) return temporaryCodes.has(error.code);
  return isUnavailable(error) || hasErrorCode(error, '40P01', '40001');
}

/** The code or class of an error. Its message could contain personal data. */
const errorName = (error: unknown): string => errorCode(error) ?? (error instanceof Error ? error.name : 'unknown');

async function store(
  transaction: Queryable,
  { name, source }: ApplyingConsumer,
  events: readonly RelayedEvent[],
  error: unknown,
): Promise<void> {
  // without the reason, the only free text: erasure does not reach the copy of an event
  const rows = events.map(({ data: { reason: _, ...ids }, ...event }) => ({ ...event, data: JSON.stringify(ids) }));
  await transaction.query(sql`/* deadLetters.store */
    insert into dead_letter (consumer, area, event_id, position, type, resource_type, resource_id, version, account_id, data, at, error, subject_id,
      sports, competition_id, organization_id, audience, was_public)
    select ${name}, ${source}, id, position, type, "resourceType", "resourceId", version, "accountId", data::jsonb, at, ${errorName(error)},
      "subjectId", sports, "competitionId", "organizationId", audience, "wasPublic"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(id uuid, position bigint, type text, "resourceType" text, "resourceId" uuid,
      version int, "accountId" uuid, data text, at timestamptz, "subjectId" uuid, sports text[], "competitionId" uuid, "organizationId" uuid,
      audience uuid[], "wasPublic" boolean)
    on conflict (consumer, event_id) do update set error = excluded.error, attempts = dead_letter.attempts + 1, failed_at = now(), retry = false`);
}

/** Deletes the dead letters of resources whose current state was applied. */
export async function resolveDeadLetters(
  transaction: Queryable,
  { name }: ApplyingConsumer,
  events: readonly RelayedEvent[],
): Promise<void> {
  const resources = events.map(({ resourceType, resourceId }) => ({ resourceType, resourceId }));
  await transaction.query(sql`/* deadLetters.resolve */
    delete from dead_letter d using jsonb_to_recordset(${JSON.stringify(resources)}::jsonb) as r("resourceType" text, "resourceId" uuid)
    where d.consumer = ${name} and d.resource_type = r."resourceType" and d.resource_id = r."resourceId"`);
}

/** Whether a dependency did not respond in time: because it hangs, or because the work is too large. */
export const isTimeout = (error: unknown): boolean => error instanceof Problem && error.code === 'upstream_timeout';

/** Runs work that is undone when it fails for good. Returns its error, or null. Throws temporary errors. */
async function attempt(transaction: Queryable, work: () => Promise<void>, timesOut: boolean): Promise<unknown> {
  await transaction.query(sql`/* deadLetters.savepoint */ savepoint event`);
  try {
    await work();
    await transaction.query(sql`/* deadLetters.keep */ release savepoint event`);
    return null;
  } catch (error) {
    if (isTemporary(error) && !(timesOut && isTimeout(error))) throw error;
    await transaction.query(sql`/* deadLetters.undo */ rollback to savepoint event; release savepoint event`);
    return error ?? new Error('unknown');
  }
}

/**
 * Applies events resource by resource in one transaction; those that fail become dead letters.
 * @param timesOut whether an event that times out again becomes a dead letter
 * @returns the error of each failed resource
 */
export async function applySeparately(
  consumer: ApplyingConsumer,
  events: readonly RelayedEvent[],
  transaction: Queryable,
  graph: Graph,
  timesOut = false,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  const byResource = Map.groupBy(events, ({ resourceType, resourceId }) => `${resourceType} ${resourceId}`);
  for (const own of byResource.values()) {
    const error = await attempt(transaction, () => consumer.apply(own, transaction, graph), timesOut);
    if (error === null) await resolveDeadLetters(transaction, consumer, own);
    else {
      errors.push(error);
      await store(transaction, consumer, own, error);
    }
  }
  return errors;
}

/** Applies one batch of the dead letters again that are marked for a retry. Returns their number, and the errors of those that failed again. */
export async function retryDeadLetters(
  consumer: ApplyingConsumer,
  graph: Graph,
): Promise<{ readonly events: number; readonly errors: readonly unknown[] }> {
  return consumer.database.transaction(async (transaction) => {
    const events = await transaction.query<RelayedEvent>(sql`/* deadLetters.due */
      select event_id as id, ${eventColumns} from dead_letter where consumer = ${consumer.name} and retry
      order by position limit ${batchSize} for update skip locked`);
    const errors = events.length === 0 ? [] : await applySeparately(consumer, events, transaction, graph);
    return { events: events.length, errors };
  });
}
