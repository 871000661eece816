/** Expiry of contact requests: the timer stores the status EXPIRED. */
import { sql, type Database } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { contactRequestTransitions, statusAt } from './lifecycle.ts';
import { contactRequestResource, contactRequests, statusNote, type ContactRequestRow } from './rows.ts';

const batchSize = 500;

/** Stores the expiry of a locked request, if it has expired. */
export async function expireIfDue(transaction: WriteTransaction, row: ContactRequestRow): Promise<ContactRequestRow> {
  if (row.status !== 'SENT' || statusAt(row) === 'SENT') return row;
  const status = nextState(contactRequestTransitions, 'expire', row.status, ['TIMER']);
  return changeRow(transaction, contactRequestResource, row, { status }, statusNote('expire', row));
}

/** Stores which requests have expired. Returns whether there are more. */
export async function expireContactRequests(database: Database, writer: Writer): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<ContactRequestRow>(sql`/* contactRequests.lockExpired */
      select ${contactRequests.columns} from contact_request where status = 'SENT' and expires_at <= now() order by expires_at limit ${batchSize} for update`);
    await writer.writeWithin(transaction, async (work) => {
      for (const row of rows) await expireIfDue(work, row);
    });
    return rows.length === batchSize;
  });
}
