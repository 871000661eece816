/** Meter events for administrators: the list, and decisions on events that cannot continue. */
import { Problem } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import { readPage, sortBy } from '../../../platform/lists/page.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { MeterEventOutcome, MutationSettleMeterEventArgs, QueryMeterEventsArgs } from '../generated/resolvers.ts';
import { meterEventRows as rows, meterEvents, meterEventStatus, type MeterEventPage, type MeterEventRow } from './rows.ts';

const confirmed = { sent_at: sql`now()`, unknown_since: sql`null`, rejection: sql`null` };

/** Sent again, with another idempotency key and the same identifier. */
const due = {
  next_attempt_at: sql`now()`,
  key_number: sql`key_number + 1`,
  unknown_since: sql`null`,
  rejection: sql`null`,
};

/** Throws Problem conflict (409) for an event that needs no decision, or that can no longer be sent. */
function requireDecidable({ status }: MeterEventRow, outcome: MeterEventOutcome): void {
  if (status === 'SENT' || status === 'WAITING')
    throw new Problem('conflict', `The meter event needs no decision: its status is ${status}.`);
  if (status === 'EXPIRED' && outcome === 'MISSING')
    throw new Problem(
      'conflict',
      'The day of the meter event is too old for Stripe. Bill its units in Stripe, then settle it as COUNTED.',
    );
}

/** Reads and writes over the area's database. */
export function createMeterEventAdministration({ database, cursors, writer }: AreaServices) {
  return {
    list({ first, after, filter }: QueryMeterEventsArgs): Promise<MeterEventPage> {
      const where = [
        ...(filter?.accountId ? [sql`meter_event.account_id = ${filter.accountId}`] : []),
        ...(filter?.status ? [sql`${meterEventStatus} = any(${filter.status})`] : []),
        // for the index of these events
        ...(filter?.status && !filter.status.includes('SENT') ? [sql`meter_event.sent_at is null`] : []),
      ];
      const list = {
        name: 'meterEvents.list',
        columns: meterEvents.columns,
        from: sql`meter_event`,
        id: sql`meter_event.id`,
        where,
        sort: sortBy(meterEvents, 'createdAt', 'timestamptz', 'desc'),
        filter: filter ?? {},
      };
      return readPage(database, cursors, list, { first: first ?? 20, after });
    },
    /** Throws Problem not_found (404) or conflict (409). */
    settle(context: Context, { id, outcome, reason }: MutationSettleMeterEventArgs): Promise<MeterEventRow> {
      return writer.write(context, async (transaction) => {
        const before = await rows.lock(transaction, id);
        requireDecidable(before, outcome);
        return rows.change(transaction, before, {}, { action: 'settled', reason }, outcome === 'COUNTED' ? confirmed : due);
      });
    },
  };
}
