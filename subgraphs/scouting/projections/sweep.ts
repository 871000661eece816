/** Projections that are filled from the beginning: a sweep walks all ids of another area, however long ago their events were. */
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';

export type SweepName = 'athletes' | 'opportunities';

export interface Sweep {
  readonly name: SweepName;
  /** The next ids of the other area, at most 1000, after an id; none: all were read. */
  readonly idsAfter: (after: string | null) => Promise<readonly string[]>;
  readonly project: (transaction: Queryable, ids: readonly string[]) => Promise<void>;
}

/** Takes a step of the sweep that was asked for first. Returns whether there is more to do. */
export async function sweep(database: Database, { name, idsAfter, project }: Sweep): Promise<boolean> {
  const [asked] = await database.query<{ id: string; after: string | null; last: string }>(sql`/* scouting.sweepAsked */
    select id, after, (select max(id) from projection_sweep where name = ${name}) as last from projection_sweep where name = ${name} order by id limit 1`);
  if (!asked) return false;
  const ids = await idsAfter(asked.after);
  await database.transaction(async (transaction) => {
    // whoever asked before it begins is answered by this one
    if (asked.after === null)
      await transaction.query(
        sql`/* scouting.sweepOnce */ delete from projection_sweep where name = ${name} and id > ${asked.id} and id <= ${asked.last}`,
      );
    if (ids.length > 0) await project(transaction, ids);
    await transaction.query(
      ids.length > 0
        ? sql`/* scouting.sweepOn */ update projection_sweep set after = ${ids.at(-1)} where id = ${asked.id}`
        : sql`/* scouting.sweepDone */ delete from projection_sweep where id = ${asked.id}`,
    );
  });
  return true;
}
