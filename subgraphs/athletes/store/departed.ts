/** Athletes who are no more under their ids: who is told so, and where the id leads. */
import { sql, type Queryable } from '../../../platform/database.ts';
import { seesEverything, type Viewer } from '../../../schema/viewer.ts';
import type { AthleteRow } from './athlete-row.ts';

type Departed = Pick<AthleteRow, 'id' | 'status' | 'mergedInto'>;

/** Those of the ids that are merged or erased, as far as the viewer knew of them: everybody of what everybody once saw, an owner of the own. */
export async function departedSeen(database: Queryable, viewer: Viewer, ids: readonly string[]): Promise<Departed[]> {
  const known = seesEverything(viewer)
    ? sql`true`
    : sql`(account_id = ${viewer.accountId}::uuid
        or exists (select from tombstone t where t.resource_type = 'athlete' and t.resource_id = athlete.id and t.public))`;
  return database.query<Departed>(sql`/* athletes.departed */ select id, status, merged_into as "mergedInto" from athlete
    where id = any(${[...ids]}::uuid[]) and status in ('MERGED', 'ERASED') and ${known}`);
}

/** Where the facts of other areas still name a second profile, the first one is meant. */
export async function mergedInto(transaction: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await transaction.query<{ id: string; into: string }>(sql`/* athletes.mergedInto */
    select id, merged_into as into from athlete where id = any(${[...new Set(ids)]}::uuid[]) and merged_into is not null`);
  return new Map(rows.map(({ id, into }) => [id, into]));
}
