/** The state of the changes of an area: kept responses are valid while it stays the same (docs/decisions/0047-response-cache.md). */
import { sql, type Queryable } from '../database/database.ts';

/** Events without a position that are counted. With more, the relay is behind. */
const unnumberedMax = 1_000;

/**
 * A text that differs after each commit that wrote events, or applied the events of other areas: the last position, the events without one,
 * and the positions of the consumers. Null with more than 1,000 events without a position, because then they are not counted.
 */
export async function readChangeState(database: Queryable): Promise<string | null> {
  const [row] = await database.query<{ state: string | null }>(sql`/* changeState.read */
    with unnumbered as materialized (select id from outbox where position is null order by id desc limit ${unnumberedMax + 1}::int),
    counted as (select count(*) as events, max(id::text) as last from unnumbered)
    select case when events <= ${unnumberedMax}::int then concat_ws(' ', events, last,
      (select position from outbox where position is not null order by position desc limit 1), (select sum(position) from inbox)) end as state
    from counted`);
  return row?.state ?? null;
}
