/** The position of a consumer in the events of an area. */
import type { Logger } from 'pino';
import { sql, type Database } from '../database/database.ts';
import { nameOf, type ApplyingConsumer } from './consumer.ts';
import { eventAt, readOutboxStates } from './outbox-reads.ts';

/**
 * Reads the position of a consumer. The event at the position must be the one that was applied: otherwise the publishing area was restored
 * to an earlier time, and its next events would get positions that count as applied. Then the consumer starts again with the oldest event.
 */
export async function readPosition(
  database: Database,
  consumer: ApplyingConsumer,
  log: Logger,
): Promise<{ position: number; hasDeadLetters: boolean }> {
  const [row] = await consumer.database.query<{ position: number; eventId: string | null; hasDeadLetters: boolean }>(
    sql`/* relay.position */ select position, event_id as "eventId", exists (select from dead_letter where consumer = ${consumer.name}) as "hasDeadLetters"
      from inbox where source = ${consumer.name}`,
  );
  if (!row || row.position === 0) return { position: 0, hasDeadLetters: row?.hasDeadLetters ?? false };
  const [state] = await readOutboxStates(database, [consumer.source]);
  const last = state?.last ?? 0;
  const found = await eventAt(database, consumer.source, row.position);
  const isKnown = row.eventId === null || found === row.eventId || (found === null && row.position < last);
  if (isKnown && row.position <= last) return row;
  log.error({ ...nameOf(consumer), position: row.position, last }, 'event positions went backwards: applying all events again');
  await consumer.database.query(sql`/* relay.rewind */
    update inbox set position = 0, event_id = null, updated_at = now() where source = ${consumer.name} and position = ${row.position}`);
  return { position: 0, hasDeadLetters: row.hasDeadLetters };
}
