/** All that belongs to seasons becomes public with them: in one statement a table, however large a season is. */
import { raw, sql, type Queryable } from '../../../platform/database/database.ts';
import { registerExternalIds } from '../../../platform/writes/external-id.ts';

/** Tables with a season of their own; each name is also the type of the resource. */
const ofSeason = ['contest', 'stage', 'participant', 'adjustment', 'tie_break_decision', 'match', 'result'] as const;

/** Tables that are a match's. */
const ofMatch = ['match_participant', 'match_action'] as const;

/** Whoever synchronizes finds them changed now. Replays are public where they are published themselves, too. */
export async function publishParts(transaction: Queryable, seasonIds: readonly string[]): Promise<void> {
  if (seasonIds.length === 0) return;
  const seasons = sql`season_id = any(${[...seasonIds]}::uuid[])`;
  for (const table of ofSeason) {
    await transaction.query(sql`${raw(`/* ${table}.publish */`)} update ${raw(table)}
      set published = true, updated_at = statement_timestamp() where ${seasons} and not published`);
    await registerExternalIds(transaction, table, sql`resource_id in (select id from ${raw(table)} where ${seasons})`);
  }
  for (const table of ofMatch) {
    const time = table === 'match_action' ? sql`, updated_at = statement_timestamp()` : sql``;
    await transaction.query(sql`${raw(`/* ${table}.publish */`)} update ${raw(table)} set published = true ${time}
      where not published and match_id in (select id from match where ${seasons})`);
  }
  await transaction.query(sql`/* replay.publish */ update replay set published = true, updated_at = statement_timestamp()
    where ${seasons} and status = 'PUBLISHED' and not published`);
  await registerExternalIds(transaction, 'replay', sql`resource_id in (select id from replay where ${seasons} and published)`);
}
