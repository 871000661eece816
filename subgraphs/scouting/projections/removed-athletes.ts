/** Projection of removed athletes: the entries, requests, feedback and matches about erased and merged athletes. */
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { projectChanged, type Consumer } from '../../../platform/events/consumer.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { changeRow, removeRow } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { applyRemovals, followAgain, type MergedAthlete } from '../../clients/removed-athletes.ts';
import { expireContactRequests } from '../contact-requests/expiry.ts';
import { contactRequestResource, contactRequests, statusNote, type ContactRequestRow } from '../contact-requests/rows.ts';
import { deleteFeedback, mergeFeedback } from '../recommendations/feedback.ts';
import { eraseSubjects, mergeSubjects, recentSubjects } from '../saved-searches/matching-state.ts';
import { eraseReports } from '../scouting-reports/erasure.ts';
import { entries, entryResource, type ShortlistEntryRow } from '../shortlist-entries/rows.ts';

function lockEntries(transaction: Queryable, athleteIds: readonly string[]): Promise<ShortlistEntryRow[]> {
  return transaction.query<ShortlistEntryRow>(sql`/* shortlistEntries.lockOfAthletes */ select ${entries.columns} from shortlist_entry
    where athlete_id = any(${[...athleteIds]}::uuid[]) order by id for update`);
}

function lockRequests(transaction: Queryable, athleteIds: readonly string[]): Promise<ContactRequestRow[]> {
  return transaction.query<ContactRequestRow>(sql`/* contactRequests.lockOfAthletes */ select ${contactRequests.columns} from contact_request
    where athlete_id = any(${[...athleteIds]}::uuid[]) order by id for update`);
}

const idsIn = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Deletes everything about erased athletes. */
async function eraseAthletes(transaction: Queryable, writer: Writer, athleteIds: readonly string[]): Promise<void> {
  const erasedEntries = await lockEntries(transaction, athleteIds);
  const requests = await lockRequests(transaction, athleteIds);
  await writer.writeWithin(transaction, async (work) => {
    await eraseReports(work, idsIn(erasedEntries));
    for (const row of erasedEntries) await removeRow(work, entryResource, row, { shortlistId: row.shortlistId });
    for (const row of requests) await removeRow(work, contactRequestResource, row);
  });
  await deleteFeedback(transaction, athleteIds);
  await eraseSubjects(transaction, athleteIds);
  await eraseTraces(transaction, entryResource.type, idsIn(erasedEntries));
  await eraseTraces(transaction, contactRequestResource.type, idsIn(requests));
}

/** Joins two entries of one shortlist: the entry of the remaining profile gets the notes and reports of the other. */
async function joinEntries(work: WriteTransaction, merged: ShortlistEntryRow, remaining: ShortlistEntryRow): Promise<void> {
  await work.query(
    sql`/* scoutingReports.moveMerged */ update scouting_report set entry_id = ${remaining.id} where entry_id = ${merged.id}`,
  );
  const notes = [remaining.notes, merged.notes].filter((text) => text !== null).join('\n\n') || null;
  const data = { shortlistId: remaining.shortlistId };
  await removeRow(work, entryResource, merged, data);
  await changeRow(work, entryResource, remaining, { notes }, { action: 'merged', event: 'shortlist_entry.updated', data });
}

async function mergeEntries(
  work: WriteTransaction,
  rows: readonly ShortlistEntryRow[],
  { id, intoId }: MergedAthlete,
): Promise<void> {
  const remaining = new Map(rows.flatMap((row) => (row.athleteId === intoId ? [[row.shortlistId, row] as const] : [])));
  for (const row of rows.filter(({ athleteId }) => athleteId === id)) {
    const other = remaining.get(row.shortlistId);
    const note = { action: 'merged', event: 'shortlist_entry.updated', data: { shortlistId: row.shortlistId } } as const;
    if (other) await joinEntries(work, row, other);
    else await changeRow(work, entryResource, row, { athleteId: intoId }, note);
  }
}

async function mergeRequests(
  work: WriteTransaction,
  rows: readonly ContactRequestRow[],
  { id, intoId, accountId }: MergedAthlete,
): Promise<void> {
  const senders = new Set(rows.flatMap((row) => (row.athleteId === intoId && row.status === 'SENT' ? [row.accountId] : [])));
  for (const row of rows.filter(({ athleteId }) => athleteId === id)) {
    // An account with pending requests for both profiles keeps one of them.
    const isDuplicate = row.status === 'SENT' && senders.has(row.accountId);
    const moved = { athleteId: intoId, ownerAccountId: accountId };
    const values = { ...moved, status: isDuplicate ? 'EXPIRED' : row.status } as const;
    await changeRow(work, contactRequestResource, row, values, statusNote('merged', { ...row, ...moved }));
  }
}

/**
 * Moves everything about a merged athlete to the profile that remains. The rows keep the id that the account sent, because only accounts
 * that can read both profiles may learn of the merge.
 */
async function mergeAthlete(transaction: Queryable, writer: Writer, merge: MergedAthlete): Promise<void> {
  const { id, intoId } = merge;
  await mergeFeedback(transaction, id, intoId);
  await mergeSubjects(transaction, id, intoId);
  const lockedEntries = await lockEntries(transaction, [id, intoId]);
  const requests = await lockRequests(transaction, [id, intoId]);
  await writer.writeWithin(transaction, async (work) => {
    await mergeEntries(work, lockedEntries, merge);
    await mergeRequests(work, requests, merge);
  });
}

function follow(transaction: Queryable, writer: Writer, graph: Graph, ids: readonly string[]): Promise<void> {
  return applyRemovals(graph, ids, {
    erase: (erased) => eraseAthletes(transaction, writer, erased),
    merge: (merged) => mergeAthlete(transaction, writer, merged),
  });
}

/** Checks the athletes of the last day's rows again: a row can be committed after the removal of its athlete was processed. */
async function followRecent(database: Database, writer: Writer, graph: Graph): Promise<void> {
  const rows = await database.query<{ id: string }>(sql`/* scouting.recentAthletes */
    select athlete_id as id from shortlist_entry where created_at > now() - interval '1 day'
    union select athlete_id from contact_request where created_at > now() - interval '1 day'
    union select case when subject_type = 'ATHLETE' then subject_id else recipient_id end from recommendation_feedback
      where given_at > now() - interval '1 day'
    union ${recentSubjects}`);
  await followAgain(database, idsIn(rows), (transaction, ids) => follow(transaction, writer, graph, ids));
}

/** Applies erasures and merges, as the athletes area reports them now. Its timer expires contact requests. */
export function removedAthletesConsumer({
  database,
  writer,
}: {
  readonly database: Database;
  readonly writer: Writer;
}): Consumer {
  return {
    // The position of the consumer is stored under this name: do not change it.
    name: 'athletes-kept',
    source: 'athletes',
    database,
    apply: projectChanged('athlete', (ids, transaction, graph) => follow(transaction, writer, graph, ids)),
    async refresh(graph) {
      await followRecent(database, writer, graph);
      return false;
    },
    catchUp: () => expireContactRequests(database, writer),
  };
}
