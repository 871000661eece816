/** Erasure of athletes: hides the profile at once, destroys all personal data of this area, and keeps only the id and the status. */
import { Problem } from '../../../schema/errors.ts';
import { raw, sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { updateRow } from '../../../platform/database/table.ts';
import { idsOf, type Consumer } from '../../../platform/events/consumer.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { absenceResource } from '../absences/rows.ts';
import { consentResource } from '../consents/rows.ts';
import { statisticsResource } from '../statistics/rows.ts';
import { eraseMinorAccess } from './minor-access.ts';
import { athleteResource, athletes, erasedProfile, type AthleteRow } from './rows.ts';
import { athleteTransitions, removedStates } from './rules.ts';

/** Throws Problem gone (410) for an athlete whose erasure was requested, and conflict (409) for a merged duplicate. */
export function rejectRemoved({ status }: Pick<AthleteRow, 'status'>): void {
  if (!removedStates.includes(status)) return;
  if (status === 'MERGED') throw new Problem('conflict', 'This profile was merged into another one. Write to that profile.');
  throw new Problem('gone', 'This athlete has been erased.');
}

/** Hides a locked athlete and its duplicates from all viewers. The projection `erasure` then destroys the data. */
export async function requestErasure(transaction: WriteTransaction, row: AthleteRow, reason: string | null): Promise<AthleteRow> {
  const duplicates = await transaction.query<AthleteRow>(sql`/* athletes.lockDuplicates */ select ${athletes.columns} from athlete
    where merged_into = ${row.id} order by id for update`);
  const hide = (each: AthleteRow, data: Readonly<Record<string, unknown>>): Promise<AthleteRow> => {
    const status = nextState(athleteTransitions, 'erase', each.status, ['OWNER']);
    const note = { action: 'erase', event: 'athlete.status_changed', data } as const;
    return changeRow(transaction, athleteResource, each, { status, mergedInto: null }, note);
  };
  for (const duplicate of duplicates) await hide(duplicate, {});
  return hide(row, reason ? { reason } : {});
}

/** Ids of the rows of athletes. */
export async function idsOfAthletes(
  transaction: Queryable,
  table: 'absence' | 'consent' | 'statistics',
  athleteIds: readonly string[],
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(
    sql`/* athletes.idsOfAthletes */ select id from ${raw(table)} where athlete_id = any(${[...athleteIds]}::uuid[])`,
  );
  return rows.map(({ id }) => id);
}

/** Removes athletes from the tables that lists read in addition to `athlete`. */
export async function removeFromLists(transaction: Queryable, athleteIds: readonly string[]): Promise<void> {
  await transaction.query(sql`/* athletes.removeFromLists */
    with rises as (delete from athlete_rise where athlete_id = any(${[...athleteIds]}::uuid[]))
    delete from athlete_sport where athlete_id = any(${[...athleteIds]}::uuid[])`);
}

/** Deletes rows of athletes. Public rows left their public tombstones when they were hidden, at the latest by the erasure request. */
async function destroyRows(
  transaction: Queryable,
  table: 'absence' | 'statistics',
  athleteIds: readonly string[],
): Promise<void> {
  await transaction.query(sql`/* athletes.destroyRows */
    with removed as (delete from ${raw(table)} where athlete_id = any(${[...athleteIds]}::uuid[]) returning id, account_id)
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select ${table}, id, account_id, false, statement_timestamp() from removed
    on conflict (resource_type, resource_id) do update set at = excluded.at`);
}

/** Destroys the data of athletes whose erasure was requested. The status changes later, when all areas have destroyed theirs. */
async function destroy(transaction: Queryable, writer: Writer, athleteIds: readonly string[]): Promise<void> {
  const rows = await transaction.query<AthleteRow>(sql`/* athletes.lockErased */ select ${athletes.columns} from athlete
    where id = any(${[...athleteIds]}::uuid[]) and status = 'ERASURE_REQUESTED' order by id for update`);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  const consents = await idsOfAthletes(transaction, 'consent', ids);
  const statistics = await idsOfAthletes(transaction, 'statistics', ids);
  const absences = await idsOfAthletes(transaction, 'absence', ids);
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) await changeRow(work, athleteResource, row, erasedProfile, { action: 'emptied', event: null });
  });
  await destroyRows(transaction, 'statistics', ids);
  await destroyRows(transaction, 'absence', ids);
  await transaction.query(sql`/* athletes.destroyRelated */
    with consents as (delete from consent where athlete_id = any(${ids}::uuid[]))
    delete from membership where athlete_id = any(${ids}::uuid[])`);
  await eraseMinorAccess(transaction, ids);
  await removeFromLists(transaction, ids);
  await eraseTraces(transaction, athleteResource.type, ids);
  await eraseTraces(transaction, consentResource.type, consents);
  await eraseTraces(transaction, statisticsResource.type, statistics);
  await eraseTraces(transaction, absenceResource.type, absences);
}

/** Athletes per transaction. */
const batchSize = 500;

/** Sets ERASED once every area has consumed the events of an athlete, and so destroyed its data. Returns whether there may be more. */
async function finish(database: Database, writer: Writer, consumed: number): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<AthleteRow>(sql`/* athletes.lockDestroyed */ select ${athletes.columns} from athlete
      where status = 'ERASURE_REQUESTED' and not exists (select from outbox o
        where o.resource_type = 'athlete' and o.resource_id = athlete.id and (o.position is null or o.position > ${consumed}))
      order by id limit ${batchSize} for update`);
    await writer.writeWithin(transaction, async (work) => {
      for (const before of rows) {
        const status = nextState(athleteTransitions, 'destroy', before.status, ['TIMER']);
        await work.query(updateRow(athletes, before, { status }));
        // recorded as a deletion, so that owners who synchronize receive the tombstone
        work.record({ action: 'destroy', event: 'athlete.status_changed', before, after: null });
      }
    });
    return rows.length === batchSize;
  });
}

/** The projection of the area's own events that destroys the data of erased athletes. */
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
    async catchUp(_, consumed) {
      const waiting = await database.query(
        sql`/* athletes.erasuresInProgress */ select from athlete where status = 'ERASURE_REQUESTED' limit 1`,
      );
      return waiting.length > 0 && finish(database, writer, await consumed('athletes'));
    },
  };
}
