/** Reads and stamps the outboxes of areas: a committed event gets a gap-free position. */
import type { Area } from '../../schema/areas.ts';
import { join, raw, sql, type Queryable } from '../database/database.ts';
import type { RelayedEvent } from './consumer.ts';

/** Events that a consumer receives at once. */
export const batchSize = 500;

/** Events that get positions at once. */
const stampedMax = 5_000;

/** Gives positions to newly committed events, per resource in the order of its versions. Returns the number of events. */
export async function stamp(database: Queryable, area: Area): Promise<number> {
  const outbox = raw(`${area}.outbox`);
  const rows = await database.query<{ id: string }>(sql`/* relay.unnumbered */
    with oldest as (select id, version, resource_id from ${outbox} where position is null order by id limit ${stampedMax}),
    fresh as (select id, version, min(id::text) over (partition by resource_id) as first from oldest)
    select id from fresh order by first, version, id`);
  if (rows.length === 0) return 0;
  // With one statement, PostgreSQL joins the numbers row by row: it does not know how many there are.
  await database.query(sql`/* relay.stamp */
    update ${outbox} o set position = n.number + (select coalesce(max(position), 0) from ${outbox})
    from unnest(${rows.map(({ id }) => id)}::uuid[]) with ordinality n (id, number) where o.id = n.id and o.position is null`);
  return rows.length;
}

/** The state of an area's outbox: its last position, and whether committed events wait for one. */
export interface OutboxState {
  readonly area: Area;
  readonly last: number;
  readonly waits: boolean;
}

/** The states of the outboxes, in one statement. */
export function readOutboxStates(database: Queryable, areas: readonly Area[]): Promise<OutboxState[]> {
  const parts = areas.map((area) => {
    const outbox = raw(`${area}.outbox`);
    return sql`select ${area} as area, coalesce((select position from ${outbox} where position is not null order by position desc limit 1), 0) as last,
      exists (select from ${outbox} where position is null) as waits`;
  });
  return database.query<OutboxState>(sql`/* relay.outboxStates */ ${join(parts, ' union all ')}`);
}

/** The columns of an event, of an outbox or of dead letters, without its id. */
export const eventColumns =
  raw(`type, resource_type as "resourceType", resource_id as "resourceId", version, account_id as "accountId",
  data, at, position, subject_id as "subjectId", sports, competition_id as "competitionId", organization_id as "organizationId", audience,
  was_public as "wasPublic"`);

/** The events after a position, in order. */
export function readEvents(database: Queryable, area: Area, after: number, limit: number): Promise<RelayedEvent[]> {
  return database.query<RelayedEvent>(sql`/* relay.read */
    select id, ${eventColumns} from ${raw(`${area}.outbox`)} where position > ${after} order by position limit ${limit}`);
}

/** The id of the event at a position; null if it was deleted or never existed. */
export async function eventAt(database: Queryable, area: Area, position: number): Promise<string | null> {
  const [row] = await database.query<{ id: string }>(
    sql`/* relay.eventAt */ select id from ${raw(`${area}.outbox`)} where position = ${position}`,
  );
  return row?.id ?? null;
}
