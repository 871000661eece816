/** Erasure: everything that this area holds of a person is destroyed; what is left is an id that says it was somebody. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { idsOf, type Consumer } from '../../../platform/events/relay.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import { updateRow } from '../../../platform/database/table.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { athleteTransitions, removedStates } from './rules.ts';
import { athleteResource, athletes, type AthleteRow } from './rows.ts';
import { removeFromLists, erasedProfile } from './erased-profile.ts';
import { consentResource } from '../consents/rows.ts';
import { statisticsResource } from '../statistics/rows.ts';

/** Throws Problem gone (410) for who is erased or is being erased, conflict (409) for a second profile of somebody: neither is changed any more. */
export function rejectRemoved({ status }: Pick<AthleteRow, 'status'>): void {
  if (!removedStates.includes(status)) return;
  if (status === 'MERGED') throw new Problem('conflict', 'This profile is one with another by now: write that one.');
  throw new Problem('gone', 'This athlete is erased.');
}

/** Hides a locked athlete from everybody, with all second profiles; the destruction follows by itself. */
export async function requestErasure(transaction: WriteTransaction, row: AthleteRow, reason: string | null): Promise<AthleteRow> {
  const seconds = await transaction.query<AthleteRow>(sql`/* athletes.lockMerged */ select ${athletes.columns} from athlete
    where merged_into = ${row.id} order by id for update`);
  const hide = (each: AthleteRow, data: Readonly<Record<string, unknown>>): Promise<AthleteRow> => {
    const status = nextState(athleteTransitions, 'erase', each.status, ['OWNER']);
    const moved = { action: 'erase', event: 'athlete.status_changed', data } as const;
    return changeRow(transaction, athleteResource, each, { status, mergedInto: null }, moved);
  };
  for (const second of seconds) await hide(second, {});
  return hide(row, reason ? { reason } : {});
}

/** Ids of what belongs to athletes. */
export async function idsIn(
  transaction: Queryable,
  table: 'consent' | 'statistics',
  athleteIds: readonly string[],
): Promise<string[]> {
  const name = table === 'consent' ? sql`consent` : sql`statistics`;
  const rows = await transaction.query<{ id: string }>(
    sql`/* athletes.idsOfErased */ select id from ${name} where athlete_id = any(${[...athleteIds]}::uuid[])`,
  );
  return rows.map(({ id }) => id);
}

/** Destroys what this area holds of athletes whose erasure is requested, but for the state: that waits for the other areas. */
async function destroy(transaction: Queryable, writer: Writer, some: readonly string[]): Promise<void> {
  const rows = await transaction.query<AthleteRow>(sql`/* athletes.lockErased */ select ${athletes.columns} from athlete
    where id = any(${[...some]}::uuid[]) and status = 'ERASURE_REQUESTED' order by id for update`);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  const [consents, statistics] = [await idsIn(transaction, 'consent', ids), await idsIn(transaction, 'statistics', ids)];
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) await changeRow(work, athleteResource, row, erasedProfile, { action: 'emptied', event: null });
  });
  // what everybody saw left its tombstone when it was hidden, by the request at the latest
  await transaction.query(sql`/* athletes.destroyStatistics */
    with gone as (delete from statistics where athlete_id = any(${ids}::uuid[]) returning id, account_id)
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select ${statisticsResource.type}, id, account_id, false, statement_timestamp() from gone
    on conflict (resource_type, resource_id) do update set at = excluded.at`);
  await transaction.query(sql`/* athletes.destroyParts */
    with consents as (delete from consent where athlete_id = any(${ids}::uuid[])),
    looks as (delete from minor_access where athlete_id = any(${ids}::uuid[]))
    delete from membership where athlete_id = any(${ids}::uuid[])`);
  await removeFromLists(transaction, ids);
  await eraseTraces(transaction, athleteResource.type, ids);
  await eraseTraces(transaction, consentResource.type, consents);
  await eraseTraces(transaction, statisticsResource.type, statistics);
}

const portion = 500;

/** Writes down that nothing is left, of those whose erasure every area has heard of: the last one has destroyed its part. */
async function finish(database: Database, writer: Writer, consumed: number): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<AthleteRow>(sql`/* athletes.lockDestroyed */ select ${athletes.columns} from athlete
      where status = 'ERASURE_REQUESTED' and not exists (select from outbox o
        where o.resource_type = 'athlete' and o.resource_id = athlete.id and (o.position is null or o.position > ${consumed}))
      order by id limit ${portion} for update`);
    await writer.writeWithin(transaction, async (work) => {
      for (const before of rows) {
        const status = nextState(athleteTransitions, 'destroy', before.status, ['TIMER']);
        await work.query(updateRow(athletes, before, { status }));
        // told as a deletion: owners who synchronize get the tombstone
        work.record({ action: 'destroy', event: 'athlete.status_changed', before, after: null });
      }
    });
    return rows.length === portion;
  });
}

/** The area's own projection of its events: what was asked to be erased is destroyed. */
export function erasureConsumer(database: Database, writer: Writer): Consumer {
  return {
    name: 'erasure',
    source: 'athletes',
    database,
    async apply(events, transaction) {
      const ids = idsOf(
        events.filter(({ type }) => type === 'athlete.status_changed'),
        'athlete',
      );
      if (ids.length > 0) await destroy(transaction, writer, ids);
    },
    refresh: async (_, consumed) => finish(database, writer, await consumed('athletes')),
  };
}
