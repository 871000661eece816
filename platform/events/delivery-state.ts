/** The state of an area's event delivery, as operators read it: outbox, consumers and dead letters. */
import type { Area } from '../../schema/areas.ts';
import { Problem } from '../../schema/errors.ts';
import { hasFullAccess, type Viewer } from '../../schema/viewer.ts';
import { join, sql, type Queryable } from '../database/database.ts';
import type { Consumer } from './consumer.ts';

/** Events without a position that are counted. */
const unstampedMax = 1_000;

/** What identifies a consumer of an area. */
export type ConsumerName = Pick<Consumer, 'name' | 'source'>;

export interface ConsumerState {
  readonly name: string;
  readonly publishedBy: Area;
  readonly position: number;
  readonly updatedAt: string | null;
  readonly deadLetters: number;
}

export interface DeliveryState {
  readonly last: number;
  readonly unstamped: number;
  readonly consumers: readonly ConsumerState[];
}

/** An event that a consumer failed to apply; `id` is the id of the event. */
export interface DeadLetter {
  readonly id: string;
  readonly type: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly version: number;
  readonly position: number;
  readonly at: string;
  readonly error: string;
  readonly attempts: number;
  readonly failedAt: string;
  readonly retryRequested: boolean;
}

export interface DeadLetterArguments {
  readonly consumer: string;
  readonly first: number;
  readonly before?: { readonly at: string; readonly id: string } | null | undefined;
  readonly ids?: readonly string[] | null | undefined;
}

function requireAdministrator(viewer: Viewer): void {
  if (!hasFullAccess(viewer)) throw new Problem('insufficient_scope', 'Only administrators can read the event delivery.');
}

/**
 * Reads of the area's own tables. All throw Problem insufficient_scope (403) unless the viewer is an administrator or the platform.
 * @param consumers the consumers of the area that apply events
 */
export function createDeliveryState(database: Queryable, consumers: readonly ConsumerName[]) {
  return {
    async read(viewer: Viewer): Promise<DeliveryState> {
      requireAdministrator(viewer);
      const names = JSON.stringify(consumers.map(({ name, source }) => ({ name, source })));
      const [[outbox], states] = await Promise.all([
        database.query<Pick<DeliveryState, 'last' | 'unstamped'>>(sql`/* eventDelivery.outbox */
          select coalesce((select position from outbox where position is not null order by position desc limit 1), 0) as last,
            (select count(*) from (select from outbox where position is null limit ${unstampedMax + 1}::int) o) as unstamped`),
        database.query<ConsumerState>(sql`/* eventDelivery.consumers */
          select c.name, c.source as "publishedBy", coalesce(i.position, 0) as position, i.updated_at as "updatedAt",
            (select count(*) from dead_letter d where d.consumer = c.name) as "deadLetters"
          from jsonb_to_recordset(${names}::jsonb) as c(name text, source text) left join inbox i on i.source = c.name order by c.name`),
      ]);
      return { last: outbox?.last ?? 0, unstamped: outbox?.unstamped ?? 0, consumers: states };
    },

    /** For each position, the age in seconds of the oldest event after it; null if there is none. */
    async waitingSeconds(viewer: Viewer, after: readonly number[]): Promise<(number | null)[]> {
      requireAdministrator(viewer);
      const rows = await database.query<{ seconds: number | null }>(sql`/* eventDelivery.waiting */
        select greatest(0, floor(extract(epoch from now() - coalesce(
          (select at from outbox where position > p.after order by position limit 1),
          (select at from outbox where position is null order by id limit 1)))))::int as seconds
        from unnest(${[...after]}::bigint[]) with ordinality as p(after, number) order by number`);
      return rows.map(({ seconds }) => seconds);
    },

    /** The dead letters of a consumer, newest first. Throws Problem not_found (404) for an unknown consumer. */
    async deadLetters(viewer: Viewer, { consumer, first, before, ids }: DeadLetterArguments): Promise<DeadLetter[]> {
      requireAdministrator(viewer);
      if (!consumers.some(({ name }) => name === consumer))
        throw new Problem('not_found', `There is no consumer with the name "${consumer}".`);
      const where = [sql`consumer = ${consumer}`];
      if (before) where.push(sql`(failed_at, event_id) < (${before.at}::timestamptz, ${before.id}::uuid)`);
      if (ids) where.push(sql`event_id = any(${[...ids]}::uuid[])`);
      return database.query<DeadLetter>(sql`/* eventDelivery.deadLetters */
        select event_id as id, type, resource_type as "resourceType", resource_id as "resourceId", version, position, at, error, attempts,
          failed_at as "failedAt", retry as "retryRequested"
        from dead_letter where ${join(where, ' and ')} order by failed_at desc, event_id desc limit ${first}`);
    },
  };
}
