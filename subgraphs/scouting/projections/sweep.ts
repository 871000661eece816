/** Sweeps: they fill a projection from all ids of another area, regardless of its events. */
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';

export type SweepName = 'athletes' | 'opportunities';

export interface Sweep {
  readonly name: SweepName;
  /** The next ids of the other area after an id, at most 1000. Empty at the end. */
  readonly idsAfter: (after: string | null) => Promise<readonly string[]>;
  readonly project: (transaction: Queryable, ids: readonly string[]) => Promise<void>;
}

/** Projects the next ids of the oldest requested sweep. Returns whether there is more to do. */
export async function sweep(database: Database, { name, idsAfter, project }: Sweep): Promise<boolean> {
  const [request] = await database.query<{ id: string; after: string | null; last: string }>(sql`/* scouting.nextSweep */
    select id, after, (select max(id) from projection_sweep where name = ${name}) as last from projection_sweep where name = ${name} order by id limit 1`);
  if (!request) return false;
  const ids = await idsAfter(request.after);
  await database.transaction(async (transaction) => {
    // A sweep also serves all requests that were made before it starts.
    if (request.after === null)
      await transaction.query(
        sql`/* scouting.mergeSweeps */ delete from projection_sweep where name = ${name} and id > ${request.id} and id <= ${request.last}`,
      );
    if (ids.length > 0) await project(transaction, ids);
    await transaction.query(
      ids.length > 0
        ? sql`/* scouting.advanceSweep */ update projection_sweep set after = ${ids.at(-1)} where id = ${request.id}`
        : sql`/* scouting.finishSweep */ delete from projection_sweep where id = ${request.id}`,
    );
  });
  return true;
}
