/** What accounts keep about athletes who are no more under their ids: of who is erased it is destroyed, of a second profile it is the first one's. */
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { idsOf, type Consumer } from '../../../platform/events/relay.ts';
import { changeRow, removeRow } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { removedAthletes, followAgain } from '../../clients/removed-athletes.ts';
import { contactRequestResource, contactRequests, type ContactRequestRow } from '../contact-requests/reads.ts';
import { expireContactRequests } from '../contact-requests/writes.ts';
import { entries, entryResource, type ShortlistEntryRow } from '../shortlist-entries/reads.ts';
import { deleteFeedback, mergeFeedback } from '../recommendations/feedback.ts';
import { eraseReports } from '../shortlists/writes.ts';

function lockEntries(transaction: Queryable, athleteIds: readonly string[]): Promise<ShortlistEntryRow[]> {
  return transaction.query<ShortlistEntryRow>(sql`/* shortlistEntries.lockOfAthletes */ select ${entries.columns} from shortlist_entry
    where athlete_id = any(${[...athleteIds]}::uuid[]) order by id for update`);
}

function lockRequests(transaction: Queryable, athleteIds: readonly string[]): Promise<ContactRequestRow[]> {
  return transaction.query<ContactRequestRow>(sql`/* contactRequests.lockOfAthletes */ select ${contactRequests.columns} from contact_request
    where athlete_id = any(${[...athleteIds]}::uuid[]) order by id for update`);
}

const idsIn = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

async function destroy(transaction: Queryable, writer: Writer, athleteIds: readonly string[]): Promise<void> {
  const gone = await lockEntries(transaction, athleteIds);
  const requests = await lockRequests(transaction, athleteIds);
  await writer.writeWithin(transaction, async (work) => {
    await eraseReports(work, idsIn(gone));
    for (const row of gone) await removeRow(work, entryResource, row, { shortlistId: row.shortlistId });
    for (const row of requests) await removeRow(work, contactRequestResource, row);
  });
  await deleteFeedback(transaction, athleteIds);
  await eraseTraces(transaction, entryResource.type, idsIn(gone));
  await eraseTraces(transaction, contactRequestResource.type, idsIn(requests));
}

/** An account that had both on one list keeps the first one's entry, with the notes and reports of the other. */
async function join(work: WriteTransaction, second: ShortlistEntryRow, first: ShortlistEntryRow): Promise<void> {
  await work.query(
    sql`/* scoutingReports.moveMerged */ update scouting_report set entry_id = ${first.id} where entry_id = ${second.id}`,
  );
  const notes = [first.notes, second.notes].filter((text) => text !== null).join('\n\n') || null;
  const data = { shortlistId: first.shortlistId };
  await removeRow(work, entryResource, second, data);
  await changeRow(work, entryResource, first, { notes }, { action: 'merged', event: 'shortlist_entry.updated', data });
}

/** The id that the account gave stays: where it leads is told by the athlete alone, to who may know of both profiles. */
async function move(transaction: Queryable, writer: Writer, id: string, intoId: string, accountId: string): Promise<void> {
  await mergeFeedback(transaction, id, intoId);
  const rows = await lockEntries(transaction, [id, intoId]);
  const firsts = new Map(rows.flatMap((row) => (row.athleteId === intoId ? [[row.shortlistId, row] as const] : [])));
  const requests = await lockRequests(transaction, [id, intoId]);
  const waiting = new Set(requests.flatMap((row) => (row.athleteId === intoId && row.status === 'SENT' ? [row.accountId] : [])));
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows.filter(({ athleteId }) => athleteId === id)) {
      const first = firsts.get(row.shortlistId);
      const data = { shortlistId: row.shortlistId };
      const moved = { action: 'merged', event: 'shortlist_entry.updated', data } as const;
      if (first) await join(work, row, first);
      else await changeRow(work, entryResource, row, { athleteId: intoId }, moved);
    }
    for (const row of requests.filter(({ athleteId }) => athleteId === id)) {
      // who asked for both waits for one answer
      const doubled = row.status === 'SENT' && waiting.has(row.accountId);
      const values = { athleteId: intoId, ownerAccountId: accountId, status: doubled ? 'EXPIRED' : row.status } as const;
      const data = { athleteId: intoId, ownerAccountId: accountId };
      const moved = { action: 'merged', event: 'contact_request.status_changed', data } as const;
      await changeRow(work, contactRequestResource, row, values, moved);
    }
  });
}

async function follow(transaction: Queryable, writer: Writer, graph: Graph, ids: readonly string[]): Promise<void> {
  const { erased, merged } = await removedAthletes(graph, ids);
  if (erased.length > 0) await destroy(transaction, writer, erased);
  for (const { id, intoId, accountId } of merged) await move(transaction, writer, id, intoId, accountId);
}

/** Follows again who was written of within a day. */
async function followLate(database: Database, writer: Writer, graph: Graph): Promise<void> {
  const rows = await database.query<{ id: string }>(sql`/* scouting.writtenOfLately */
    select athlete_id as id from shortlist_entry where created_at > now() - interval '1 day'
    union select athlete_id from contact_request where created_at > now() - interval '1 day'
    union select case when subject_type = 'ATHLETE' then subject_id else recipient_id end from recommendation_feedback
      where given_at > now() - interval '1 day'`);
  await followAgain(database, idsIn(rows), (transaction, ids) => follow(transaction, writer, graph, ids));
}

/** Follows what the athletes area says of ids now, and writes down which contact requests nobody answered in time. */
export function removedAthletesConsumer({
  database,
  writer,
}: {
  readonly database: Database;
  readonly writer: Writer;
}): Consumer {
  return {
    name: 'athletes-kept',
    source: 'athletes',
    database,
    async apply(events, transaction, graph) {
      const ids = idsOf(events, 'athlete');
      if (ids.length > 0) await follow(transaction, writer, graph, ids);
    },
    async refresh(graph) {
      await followLate(database, writer, graph);
      return false;
    },
    catchUp: () => expireContactRequests(database, writer),
  };
}
