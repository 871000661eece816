/** Projection of removed athletes: the applications of erased and merged athletes. */
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { changeRow, removeRow } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { removedAthletes, followAgain } from '../../clients/removed-athletes.ts';
import { activeStates, admittedStates } from '../applications/lifecycle.ts';
import { applicationResource, applications, eventDataOf, type ApplicationRow } from '../applications/rows.ts';
import { consumeOpenings, lockOpportunity } from '../opportunities/openings.ts';

/** Locks the applications of athletes, after their opportunities. */
async function lockApplications(transaction: Queryable, athleteIds: readonly string[]): Promise<ApplicationRow[]> {
  await transaction.query(sql`/* applications.lockOpportunitiesOf */ select from opportunity
    where id in (select opportunity_id from application where athlete_id = any(${[...athleteIds]}::uuid[])) order by id for update`);
  return transaction.query<ApplicationRow>(sql`/* applications.lockOfAthletes */ select ${applications.columns} from application
    where athlete_id = any(${[...athleteIds]}::uuid[]) order by id for update`);
}

/** Erases the personal data of an application and releases its opening. The opportunity's side keeps an anonymous application. Deletes a draft. */
async function anonymize(transaction: WriteTransaction, row: ApplicationRow): Promise<void> {
  if (row.status === 'DRAFT') return removeRow(transaction, applicationResource, row);
  if (admittedStates.includes(row.status))
    await consumeOpenings(transaction, await lockOpportunity(transaction, row.opportunityId, 'CHANGE'), -1);
  const status = activeStates.includes(row.status) ? 'WITHDRAWN' : row.status;
  const values = { status, athleteId: null, answers: [], decision: null };
  const note = { action: 'ended', event: 'application.status_changed', data: { opportunityId: row.opportunityId } } as const;
  await changeRow(transaction, applicationResource, row, values, note);
}

async function anonymizeAll(transaction: Queryable, writer: Writer, rows: readonly ApplicationRow[]): Promise<void> {
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) await anonymize(work, row);
  });
  await eraseTraces(
    transaction,
    applicationResource.type,
    rows.map(({ id }) => id),
  );
}

/** The progress of an application. An ended application ranks lowest. */
const progressOf = ({ status }: ApplicationRow): number => activeStates.indexOf(status);

/**
 * Moves the applications of a merged athlete to the profile that remains. If both applied to one opportunity, the application with more
 * progress remains and the other is anonymized.
 */
async function mergeApplications(
  transaction: Queryable,
  writer: Writer,
  { id, intoId, accountId }: { readonly id: string; readonly intoId: string; readonly accountId: string },
): Promise<void> {
  const rows = await lockApplications(transaction, [id, intoId]);
  const existing = new Map(rows.filter(({ athleteId }) => athleteId === intoId).map((row) => [row.opportunityId, row]));
  const duplicates: ApplicationRow[] = [];
  const moving: ApplicationRow[] = [];
  for (const row of rows.filter(({ athleteId }) => athleteId === id)) {
    const other = existing.get(row.opportunityId);
    const prevails = !other || progressOf(row) > progressOf(other);
    if (prevails) moving.push(row);
    if (other) duplicates.push(prevails ? other : row);
  }
  await anonymizeAll(transaction, writer, duplicates);
  await writer.writeWithin(transaction, async (work) => {
    for (const row of moving) {
      const note = { action: 'merged', event: 'application.updated', data: eventDataOf({ ...row, athleteId: intoId }) } as const;
      await changeRow(work, applicationResource, row, { athleteId: intoId, accountId }, note);
    }
  });
}

/**
 * Applies erasures and merges, as the athletes area reports them now.
 * @param deleted ids of deleted draft athletes, whose applications are drafts too
 */
export async function followRemovedAthletes(
  transaction: Queryable,
  writer: Writer,
  graph: Graph,
  athleteIds: readonly string[],
  deleted: readonly string[],
): Promise<void> {
  const { erased, merged } = await removedAthletes(graph, athleteIds);
  const removed = [...erased, ...deleted];
  if (removed.length > 0) await anonymizeAll(transaction, writer, await lockApplications(transaction, removed));
  for (const merge of merged) await mergeApplications(transaction, writer, merge);
}

/** Checks the applicants of the last day again: an application can be committed after the removal of its athlete was processed. */
export async function followRecentApplicants(database: Database, writer: Writer, graph: Graph): Promise<void> {
  // Application ids are version 7 UUIDs, which contain the time of creation.
  const rows = await database.query<{
    id: string;
  }>(sql`/* applications.recentApplicants */ select distinct athlete_id as id from application
    where id > (select uuidv7(interval '-1 day')) and athlete_id is not null`);
  const athleteIds = rows.map(({ id }) => id);
  await followAgain(database, athleteIds, (transaction, ids) => followRemovedAthletes(transaction, writer, graph, ids, []));
}
