/** What time alone asks for: rows that nobody needs any more are deleted, projections that depend on the day are renewed. */
import type { Area } from '../schema/areas.ts';
import type { Graph } from '../schema/door.ts';
import { raw, sql, type Queryable } from './database.ts';
import type { Consumer } from './relay.ts';

const rowsMax = 5_000;

/** How far every consumer of an area's events has come; without one, nobody waits for them. */
async function consumedOf(area: Area, consumers: readonly Consumer[]): Promise<number> {
  const positions = await Promise.all(
    consumers
      .filter(({ source }) => source === area)
      .map(async ({ name, database }) => {
        const [place] = await database.query<{ position: number }>(
          sql`/* upkeep.position */ select position from inbox where source = ${name}`,
        );
        return place?.position ?? 0;
      }),
  );
  return Math.min(Number.MAX_SAFE_INTEGER, ...positions);
}

/** Runs an area's functions `prune_*(consumed, limit)`. Returns how many rows they deleted. */
async function prune(database: Queryable, area: Area, consumed: number): Promise<number> {
  const functions = await database.query<{ name: string }>(sql`/* upkeep.functions */
    select p.oid::regproc::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = ${area} and p.proname like 'prune\\_%'`);
  let deleted = 0;
  for (const { name } of functions) {
    const [row] = await database.query<{ count: number }>(
      sql`/* upkeep.prune */ select ${raw(name)}(${consumed}, ${rowsMax}) as count`,
    );
    deleted += row?.count ?? 0;
  }
  return deleted;
}

/** One step for every area and projection, of bounded size. Returns whether it found so much that there may be more. */
export async function upkeep(
  database: Queryable,
  areas: readonly Area[],
  consumers: readonly Consumer[],
  graph: Graph,
): Promise<boolean> {
  let more = false;
  const consumed = (area: Area): Promise<number> => consumedOf(area, consumers);
  for (const area of areas) {
    more = (await prune(database, area, await consumed(area))) >= rowsMax || more;
  }
  for (const consumer of consumers) more = ((await consumer.renew?.(graph, consumed)) ?? false) || more;
  return more;
}
