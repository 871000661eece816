/** Publishes everything that belongs to seasons, with one statement for each table. */
import { raw, sql, type Queryable } from '../../../platform/database/database.ts';
import { registerExternalIds } from '../../../platform/writes/external-id.ts';

/** Tables with a `season_id`. Each name is also the resource type. */
const seasonTables = ['contest', 'stage', 'participant', 'adjustment', 'tie_break_decision', 'match', 'result'] as const;

/** Tables with a `match_id`. */
const matchTables = ['match_participant', 'match_action'] as const;

/** Sets `updatedAt`, so that clients that synchronize by `updatedSince` receive the rows. A replay becomes public only if its own status is PUBLISHED. */
export async function publishSeasonParts(transaction: Queryable, seasonIds: readonly string[]): Promise<void> {
  if (seasonIds.length === 0) return;
  const seasons = sql`season_id = any(${[...seasonIds]}::uuid[])`;
  for (const table of seasonTables) {
    await transaction.query(sql`${raw(`/* ${table}.publish */`)} update ${raw(table)}
      set published = true, updated_at = statement_timestamp() where ${seasons} and not published`);
    await registerExternalIds(transaction, table, sql`resource_id in (select id from ${raw(table)} where ${seasons})`);
  }
  for (const table of matchTables) {
    const time = table === 'match_action' ? sql`, updated_at = statement_timestamp()` : sql``;
    await transaction.query(sql`${raw(`/* ${table}.publish */`)} update ${raw(table)} set published = true ${time}
      where not published and match_id in (select id from match where ${seasons})`);
  }
  await transaction.query(sql`/* replay.publish */ update replay set published = true, updated_at = statement_timestamp()
    where ${seasons} and status = 'PUBLISHED' and not published`);
  await registerExternalIds(transaction, 'replay', sql`resource_id in (select id from replay where ${seasons} and published)`);
}
