/** The timer of opportunities: it writes down what a deadline has closed (docs/decisions/0014-deadlines-take-effect-at-once.md). */
import { sql, type Database } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { Writer } from '../../../platform/writes/write.ts';
import { opportunityTransitions } from './lifecycle.ts';
import { opportunityResource, type OpportunityRow } from './reads.ts';

const portion = 500;

/** Closes what is past its deadline. Returns whether there is more. */
export async function closeExpired(database: Database, writer: Writer): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const { columns } = opportunityResource.table;
    const rows = await transaction.query<OpportunityRow>(sql`/* opportunities.lockOverdue */ select ${columns} from opportunity
      where status in ('PUBLISHED', 'PAUSED') and application_deadline <= now() order by application_deadline, id limit ${portion} for update`);
    await writer.writeWithin(transaction, async (work) => {
      for (const row of rows) {
        const moved = {
          action: 'close',
          event: 'opportunity.status_changed',
          data: { organizationId: row.organizationId },
        } as const;
        await changeRow(work, opportunityResource, row, { status: opportunityTransitions.close.to }, moved);
      }
    });
    return rows.length === portion;
  });
}
