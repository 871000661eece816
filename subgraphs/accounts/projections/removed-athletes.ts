/** Reports about athletes who are no more under their ids: of who is erased they are destroyed, of a second profile they are about the first one. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { idsOf, type Consumer } from '../../../platform/events/relay.ts';
import { changeRow, removeRow } from '../../../platform/writes/resource.ts';
import type { Writer } from '../../../platform/writes/write.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { removedAthletes, followAgain } from '../../clients/removed-athletes.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { reportResource, reports, type ReportRow } from '../reports/reads.ts';

function lockReports(transaction: Queryable, athleteIds: readonly string[]): Promise<ReportRow[]> {
  return transaction.query<ReportRow>(sql`/* reports.lockOfAthletes */ select ${reports.columns} from report
    where subject_type = 'ATHLETE' and subject_id = any(${[...athleteIds]}::uuid[]) order by id for update`);
}

async function destroy(transaction: Queryable, writer: Writer, rows: readonly ReportRow[]): Promise<void> {
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) await removeRow(work, reportResource, row);
  });
  await eraseTraces(
    transaction,
    reportResource.type,
    rows.map(({ id }) => id),
  );
}

/** An account that reported both keeps one report that waits. */
async function move(transaction: Queryable, writer: Writer, id: string, intoId: string): Promise<void> {
  const rows = await lockReports(transaction, [id, intoId]);
  const nameOf = ({ accountId, category }: ReportRow): string => `${accountId} ${category}`;
  const isOpen = ({ status }: ReportRow): boolean => status === 'OPEN';
  const waiting = new Set(rows.filter((row) => isOpen(row) && row.subjectId === intoId).map(nameOf));
  const [doubled, moved] = [
    rows.filter((row) => row.subjectId === id && isOpen(row) && waiting.has(nameOf(row))),
    rows.filter((row) => row.subjectId === id && !(isOpen(row) && waiting.has(nameOf(row)))),
  ];
  await destroy(transaction, writer, doubled);
  await writer.writeWithin(transaction, async (work) => {
    for (const row of moved) await changeRow(work, reportResource, row, { subjectId: intoId }, { action: 'merged', event: null });
  });
}

async function follow(transaction: Queryable, writer: Writer, graph: Graph, ids: readonly string[]): Promise<void> {
  const { erased, merged } = await removedAthletes(graph, ids);
  if (erased.length > 0) await destroy(transaction, writer, await lockReports(transaction, erased));
  for (const { id, intoId } of merged) await move(transaction, writer, id, intoId);
}

/** Follows what the athletes area says of ids now; once more of those who were reported within a day. */
export function reportedAthletes({ database, writer }: AreaServices): Consumer {
  return {
    name: 'reported-athletes',
    source: 'athletes',
    database,
    async apply(events, transaction, graph) {
      const ids = idsOf(events, 'athlete');
      if (ids.length > 0) await follow(transaction, writer, graph, ids);
    },
    async refresh(graph) {
      const rows = await database.query<{ id: string }>(sql`/* reports.athletesOfLate */
        select distinct subject_id as id from report where subject_type = 'ATHLETE' and created_at > now() - interval '1 day'`);
      const ids = rows.map(({ id }) => id);
      await followAgain(database, ids, (transaction, some) => follow(transaction, writer, graph, some));
      return false;
    },
  };
}
