/** How applications end by no step of their sides: the opportunity is called off, an offer expires, the athlete is no more. */
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { changeRow, removeRow } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { removedAthletes, followAgain } from '../../clients/removed-athletes.ts';
import { applicationTransitions, activeStates, statusAt, admittedStates } from '../applications/lifecycle.ts';
import { eventDataOf, applicationResource, applications, type ApplicationRow } from '../applications/rows.ts';
import { lockOpportunity, consumeOpenings } from '../opportunities/openings.ts';

const portion = 500;

function expire(transaction: WriteTransaction, row: ApplicationRow): Promise<ApplicationRow> {
  const moved = { action: 'expire', event: 'application.status_changed', data: eventDataOf(row) } as const;
  return changeRow(transaction, applicationResource, row, { status: applicationTransitions.expire.to }, moved);
}

/** Writes down which offers have expired. Returns whether there are more. */
export async function expireOffers(database: Database, writer: Writer): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows =
      await transaction.query<ApplicationRow>(sql`/* applications.lockExpired */ select ${applications.columns} from application
      where id in (select id from application where status = 'OFFERED' and offer_expires_at <= now() order by offer_expires_at, id limit ${portion})
      order by id for update`);
    // who answered meanwhile was in time
    const over = rows.filter((row) => row.status === 'OFFERED' && statusAt(row) === 'EXPIRED');
    await writer.writeWithin(transaction, async (work) => {
      for (const row of over) await expire(work, row);
    });
    return rows.length === portion;
  });
}

/**
 * Ends the applications to a locked opportunity that is called off: offers and acceptances are rescinded, what was not offered is rejected.
 * Who is enrolled stays so, and drafts stay with their owners. Returns how many openings are free again.
 */
export async function cancelApplications(transaction: WriteTransaction, opportunityId: string): Promise<number> {
  const ending = activeStates.filter((state) => state !== 'ENROLLED');
  const rows =
    await transaction.query<ApplicationRow>(sql`/* applications.lockOfOpportunity */ select ${applications.columns} from application
    where opportunity_id = ${opportunityId} and status = any(${ending}) order by id for update`);
  const decision = { reasonCode: 'OPPORTUNITY_CANCELLED', message: null } as const;
  for (const row of rows) {
    if (statusAt(row) === 'EXPIRED') {
      await expire(transaction, row);
      continue;
    }
    const action = row.status === 'OFFERED' || row.status === 'ACCEPTED' ? 'rescind' : 'reject';
    const moved = { action, event: 'application.status_changed', data: eventDataOf(row) } as const;
    await changeRow(transaction, applicationResource, row, { status: applicationTransitions[action].to, decision }, moved);
  }
  return rows.filter(({ status }) => admittedStates.includes(status)).length;
}

/** Locks the applications of an athlete, after their opportunities. */
async function lockOf(transaction: Queryable, athleteIds: readonly string[]): Promise<ApplicationRow[]> {
  await transaction.query(sql`/* applications.holdOpportunitiesOf */ select from opportunity
    where id in (select opportunity_id from application where athlete_id = any(${[...athleteIds]}::uuid[])) order by id for update`);
  return transaction.query<ApplicationRow>(sql`/* applications.lockOfAthletes */ select ${applications.columns} from application
    where athlete_id = any(${[...athleteIds]}::uuid[]) order by id for update`);
}

/** Takes everything personal out of an application that the other side knows of, and gives its opening back: that there was one stays. A draft is destroyed. */
async function blank(transaction: WriteTransaction, row: ApplicationRow): Promise<void> {
  if (row.status === 'DRAFT') return removeRow(transaction, applicationResource, row);
  if (admittedStates.includes(row.status))
    await consumeOpenings(transaction, await lockOpportunity(transaction, row.opportunityId, 'CHANGE'), -1);
  const status = activeStates.includes(row.status) ? 'WITHDRAWN' : row.status;
  const values = { status, athleteId: null, answers: [], decision: null };
  const moved = { action: 'ended', event: 'application.status_changed', data: { opportunityId: row.opportunityId } } as const;
  await changeRow(transaction, applicationResource, row, values, moved);
}

async function blankAll(transaction: Queryable, writer: Writer, rows: readonly ApplicationRow[]): Promise<void> {
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) await blank(work, row);
  });
  await eraseTraces(
    transaction,
    applicationResource.type,
    rows.map(({ id }) => id),
  );
}

/** How far an application has come: of two of one person the one that is further counts. */
const rank = ({ status }: ApplicationRow): number => activeStates.indexOf(status);

/** What is of a second profile is the first one's; where both applied to one opportunity, the application that has come further stays. */
async function move(transaction: Queryable, writer: Writer, id: string, intoId: string, accountId: string): Promise<void> {
  const rows = await lockOf(transaction, [id, intoId]);
  const firsts = new Map(rows.filter(({ athleteId }) => athleteId === intoId).map((row) => [row.opportunityId, row]));
  const doubled: ApplicationRow[] = [];
  const moving: ApplicationRow[] = [];
  for (const row of rows.filter(({ athleteId }) => athleteId === id)) {
    const first = firsts.get(row.opportunityId);
    const further = !first || rank(row) > rank(first);
    if (further) moving.push(row);
    if (first) doubled.push(further ? first : row);
  }
  await blankAll(transaction, writer, doubled);
  const moved = { action: 'merged', event: 'application.updated' } as const;
  await writer.writeWithin(transaction, async (work) => {
    for (const row of moving) {
      const data = eventDataOf({ ...row, athleteId: intoId });
      await changeRow(work, applicationResource, row, { athleteId: intoId, accountId }, { ...moved, data });
    }
  });
}

/** Follows what the athletes area says of ids now; `deleted` are drafts of athletes, of which applications are drafts as well. */
export async function followRemovedAthletes(
  transaction: Queryable,
  writer: Writer,
  graph: Graph,
  athleteIds: readonly string[],
  deleted: readonly string[],
): Promise<void> {
  const { erased, merged } = await removedAthletes(graph, athleteIds);
  const gone = [...erased, ...deleted];
  if (gone.length > 0) await blankAll(transaction, writer, await lockOf(transaction, gone));
  for (const { id, intoId, accountId } of merged) await move(transaction, writer, id, intoId, accountId);
}

/** Follows again who applied within a day. */
export async function followRecentApplicants(database: Database, writer: Writer, graph: Graph): Promise<void> {
  // the time of a row is in its id
  const rows = await database.query<{
    id: string;
  }>(sql`/* applications.madeLately */ select distinct athlete_id as id from application
    where id > (select uuidv7(interval '-1 day')) and athlete_id is not null`);
  const made = rows.map(({ id }) => id);
  await followAgain(database, made, (transaction, ids) => followRemovedAthletes(transaction, writer, graph, ids, []));
}
