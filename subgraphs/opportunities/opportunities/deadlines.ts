/** The deadline timer of opportunities: it stores the status CLOSED (docs/decisions/0014-deadlines-take-effect-at-once.md). */
import { sql, type Database } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { Writer } from '../../../platform/writes/write.ts';
import { opportunityTransitions } from './lifecycle.ts';
import { opportunities, opportunityResource, type OpportunityRow } from './rows.ts';

const batchSize = 500;

/** Closes opportunities whose deadline has passed. Returns whether there are more. */
export async function closeExpired(database: Database, writer: Writer): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows =
      await transaction.query<OpportunityRow>(sql`/* opportunities.lockOverdue */ select ${opportunities.columns} from opportunity
      where status in ('PUBLISHED', 'PAUSED') and application_deadline <= now() order by application_deadline, id limit ${batchSize} for update`);
    await writer.writeWithin(transaction, async (work) => {
      for (const row of rows) {
        const note = {
          action: 'close',
          event: 'opportunity.status_changed',
          data: { organizationId: row.organizationId },
        } as const;
        await changeRow(work, opportunityResource, row, { status: opportunityTransitions.close.to }, note);
      }
    });
    return rows.length === batchSize;
  });
}
