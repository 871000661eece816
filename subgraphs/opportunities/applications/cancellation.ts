/** Ends the applications to a canceled opportunity. */
import { sql } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { expireOffer } from './expiry.ts';
import { activeStates, admittedStates, applicationTransitions, statusAt } from './lifecycle.ts';
import { applicationResource, applications, eventDataOf, type ApplicationRow } from './rows.ts';

/**
 * Ends the applications to a locked opportunity: rescinds offers and acceptances, and rejects the other active applications. Enrolled
 * athletes and drafts are not affected. Returns the number of released openings.
 */
export async function cancelApplications(transaction: WriteTransaction, opportunityId: string): Promise<number> {
  const ending = activeStates.filter((state) => state !== 'ENROLLED');
  const rows =
    await transaction.query<ApplicationRow>(sql`/* applications.lockOfOpportunity */ select ${applications.columns} from application
    where opportunity_id = ${opportunityId} and status = any(${ending}) order by id for update`);
  const decision = { reasonCode: 'OPPORTUNITY_CANCELLED', message: null } as const;
  for (const row of rows) {
    if (statusAt(row) === 'EXPIRED') {
      await expireOffer(transaction, row);
      continue;
    }
    const action = row.status === 'OFFERED' || row.status === 'ACCEPTED' ? 'rescind' : 'reject';
    const note = { action, event: 'application.status_changed', data: eventDataOf(row) } as const;
    await changeRow(transaction, applicationResource, row, { status: applicationTransitions[action].to, decision }, note);
  }
  return rows.filter(({ status }) => admittedStates.includes(status)).length;
}
