/** Reads of the event log: the events of all accounts without their data, newest first. */
import { join, raw, sql, type Sql } from '../../../platform/database/database.ts';
import { fingerprintOf } from '../../../platform/lists/cursor.ts';
import { pageOf, type Page, type Sort } from '../../../platform/lists/page.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { conditionsOf } from '../events/filter.ts';
import { eventColumns, type EventRow } from '../events/rows.ts';
import type { EventLogFilter, QueryEventLogArgs } from '../generated/resolvers.ts';

export type EventLogPage = Page<EventRow>;

/** A sequence has one event, so the cursor needs no tie-breaker. */
const lastFirst: Sort<EventRow> = {
  column: raw('sequence'),
  type: 'int',
  direction: 'desc',
  value: ({ sequence }) => sequence,
};

function logConditions({ accountId, afterSequence, resourceId, ...filter }: EventLogFilter): Sql[] {
  const where = conditionsOf({ ...filter, resourceId: resourceId ? [resourceId] : null });
  if (accountId) where.push(sql`account_id = ${accountId}`);
  if (afterSequence !== null && afterSequence !== undefined) where.push(sql`sequence > ${afterSequence}`);
  return where;
}

/** Reads over the area's database. The caller must check that the viewer is an administrator. */
export function createEventLogReads({ database, cursors }: Pick<AreaServices, 'database' | 'cursors'>) {
  return {
    /** Throws Problem cursor_invalid (400), or parameter_invalid (400) for an unknown type. */
    async list({ first = 20, after, filter }: QueryEventLogArgs): Promise<EventLogPage> {
      const fingerprint = fingerprintOf('eventLog.list', filter ?? {}, null);
      const where = logConditions(filter ?? {});
      if (after) where.push(sql`sequence < ${Number(cursors.open(after, fingerprint)[0])}`);
      const rows = await database.query<EventRow>(
        sql`/* eventLog.list */ select ${eventColumns} from event where ${join([sql`true`, ...where], ' and ')}
          order by sequence desc limit ${first + 1}`,
        'PAGE',
      );
      return pageOf(cursors, lastFirst, fingerprint, { first, after }, rows);
    },
  };
}
