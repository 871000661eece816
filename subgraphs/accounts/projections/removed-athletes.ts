/** Reports about removed athletes: deleted for an erased athlete, moved to the remaining profile for a merged one. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { projectChanged, type Consumer } from '../../../platform/events/consumer.ts';
import { changeRow, removeRow } from '../../../platform/writes/resource.ts';
import type { Writer } from '../../../platform/writes/write.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { applyRemovals, followAgain } from '../../clients/removed-athletes.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { reportResource, reports, type ReportRow } from '../reports/rows.ts';

function lockReports(transaction: Queryable, athleteIds: readonly string[]): Promise<ReportRow[]> {
  return transaction.query<ReportRow>(sql`/* reports.lockOfAthletes */ select ${reports.columns} from report
    where subject_type = 'ATHLETE' and subject_id = any(${[...athleteIds]}::uuid[]) order by id for update`);
}

async function deleteReports(transaction: Queryable, writer: Writer, rows: readonly ReportRow[]): Promise<void> {
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) await removeRow(work, reportResource, row);
  });
  await eraseTraces(
    transaction,
    reportResource.type,
    rows.map(({ id }) => id),
  );
}

/** Moves reports to the remaining profile. Of two open reports by an account with the same category only one remains. */
async function moveReports(transaction: Queryable, writer: Writer, id: string, intoId: string): Promise<void> {
  const rows = await lockReports(transaction, [id, intoId]);
  const keyOf = ({ accountId, category }: ReportRow): string => `${accountId} ${category}`;
  const isOpen = ({ status }: ReportRow): boolean => status === 'OPEN';
  const openKeys = new Set(rows.filter((row) => isOpen(row) && row.subjectId === intoId).map(keyOf));
  const isDuplicate = (row: ReportRow): boolean => isOpen(row) && openKeys.has(keyOf(row));
  const { duplicates = [], others = [] } = Object.groupBy(
    rows.filter((row) => row.subjectId === id),
    (row) => (isDuplicate(row) ? 'duplicates' : 'others'),
  );
  await deleteReports(transaction, writer, duplicates);
  await writer.writeWithin(transaction, async (work) => {
    for (const row of others)
      await changeRow(work, reportResource, row, { subjectId: intoId }, { action: 'merged', event: null });
  });
}

function updateReports(transaction: Queryable, writer: Writer, graph: Graph, ids: readonly string[]): Promise<void> {
  return applyRemovals(graph, ids, {
    erase: async (erased) => deleteReports(transaction, writer, await lockReports(transaction, erased)),
    merge: ({ id, intoId }) => moveReports(transaction, writer, id, intoId),
  });
}

/** Updates reports after athlete events, and once more for athletes that were reported within a day. */
export function removedAthleteReports({ database, writer }: AreaServices): Consumer {
  return {
    name: 'reported-athletes',
    source: 'athletes',
    database,
    apply: projectChanged('athlete', (ids, transaction, graph) => updateReports(transaction, writer, graph, ids)),
    async refresh(graph) {
      const rows = await database.query<{ id: string }>(sql`/* reports.recentAthletes */
        select distinct subject_id as id from report where subject_type = 'ATHLETE' and created_at > now() - interval '1 day'`);
      const ids = rows.map(({ id }) => id);
      await followAgain(database, ids, (transaction, some) => updateReports(transaction, writer, graph, some));
      return false;
    },
  };
}
