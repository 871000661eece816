/** Reads of the event log: events without their data, newest first. */
import { join, raw, sql, type Sql } from '../../../platform/database/database.ts';
import { fingerprintOf } from '../../../platform/lists/cursor.ts';
import { filterPage, pageOf, type Page, type Sort } from '../../../platform/lists/page.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { conditionsOf, isForAccount, isOfAccount } from '../events/filter.ts';
import { withoutPrivateTypes, withReadableSubjects } from '../events/minors.ts';
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

/** Reads over the area's database. The caller must check that the viewer is an administrator or a member. */
export function createEventLogReads({ database, cursors }: Pick<AreaServices, 'database' | 'cursors'>) {
  return {
    /**
     * Administrators read all events, members those that name their account. Roles that do not read minors get short pages.
     * Throws Problem cursor_invalid (400), parameter_invalid (400) for an unknown type, or upstream_unavailable (503).
     */
    async list(context: Context, { first = 20, after, filter }: QueryEventLogArgs): Promise<EventLogPage> {
      const { viewer } = context;
      const fingerprint = fingerprintOf('eventLog.list', filter ?? {}, null);
      const where = [...logConditions(filter ?? {}), ...withoutPrivateTypes(viewer)];
      if (after) where.push(sql`sequence < ${Number(cursors.open(after, fingerprint)[0])}`);
      const latest = (...more: readonly Sql[]): Sql => sql`(select ${eventColumns} from event e
        where ${join([sql`true`, ...where, ...more], ' and ')} order by sequence desc limit ${first + 1})`;
      const rows = await database.query<EventRow>(
        sql`/* eventLog.list */ select * from ${eventsOf(viewer, latest)} log order by sequence desc limit ${first + 1}`,
        'PAGE',
      );
      const page = pageOf(cursors, lastFirst, fingerprint, { first, after }, rows);
      const readable = await withReadableSubjects(context, page.nodes);
      return filterPage(page, (row) => readable.has(row));
    },
  };
}

/** The latest events that a viewer reads. Two reads instead of one condition, because each has its own index. */
function eventsOf(viewer: Viewer, latest: (...more: readonly Sql[]) => Sql): Sql {
  if (hasFullAccess(viewer)) return latest();
  const accountId = sql`${requireAccount(viewer)}`;
  const asOther = latest(isForAccount(accountId), sql`e.account_id is distinct from ${accountId}`);
  return sql`(${latest(isOfAccount(accountId))} union all ${asOther})`;
}
