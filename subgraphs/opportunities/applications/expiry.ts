/** The expiry timer of offers: it stores the status EXPIRED. */
import { sql, type Database } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { applicationTransitions, statusAt } from './lifecycle.ts';
import { applicationResource, applications, eventDataOf, type ApplicationRow } from './rows.ts';

const batchSize = 500;

/** Stores that the offer of a locked application has expired. */
export function expireOffer(transaction: WriteTransaction, row: ApplicationRow): Promise<ApplicationRow> {
  const note = { action: 'expire', event: 'application.status_changed', data: eventDataOf(row) } as const;
  return changeRow(transaction, applicationResource, row, { status: applicationTransitions.expire.to }, note);
}

/** Stores which offers have expired. Returns whether there are more. */
export async function expireOffers(database: Database, writer: Writer): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows =
      await transaction.query<ApplicationRow>(sql`/* applications.lockExpired */ select ${applications.columns} from application
      where id in (select id from application where status = 'OFFERED' and offer_expires_at <= now() order by offer_expires_at, id limit ${batchSize})
      order by id for update`);
    // A concurrent answer can have been committed before the rows were locked.
    const expired = rows.filter((row) => row.status === 'OFFERED' && statusAt(row) === 'EXPIRED');
    await writer.writeWithin(transaction, async (work) => {
      for (const row of expired) await expireOffer(work, row);
    });
    return rows.length === batchSize;
  });
}
