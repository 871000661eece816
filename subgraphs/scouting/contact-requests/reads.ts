/** SQL reads of contact requests. A request is visible to its two sides only. */
import { hasFullAccess } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { sortBy } from '../../../platform/lists/page.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { createAdministratorReads } from '../../clients/administrator-reads.ts';
import { visibleAthletes } from '../../clients/visible-athletes.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ContactRequestSide, QueryContactRequestsArgs } from '../generated/resolvers.ts';
import { actorsOf } from './lifecycle.ts';
import { contactRequestResource, contactRequests, type ContactRequestPage, type ContactRequestRow } from './rows.ts';

const newestFirst = sortBy(contactRequests, 'createdAt', 'timestamptz', 'desc');

/** `statusAt` of lifecycle.ts in SQL. */
const currentStatus = sql`case when contact_request.status = 'SENT' and contact_request.expires_at <= now() then 'EXPIRED' else contact_request.status end`;

/** Whether an account has a pending or accepted contact request for an athlete. */
export async function hasContact(queryable: Queryable, accountId: string, athleteId: string): Promise<boolean> {
  const rows = await queryable.query(sql`/* contactRequests.hasContact */ select from contact_request
    where account_id = ${accountId} and athlete_id = ${athleteId} and ${currentStatus} in ('SENT', 'ACCEPTED') limit 1`);
  return rows.length > 0;
}

function ofSide(accountId: string, side: ContactRequestSide | null | undefined): Sql {
  const [sent, received] = [sql`contact_request.account_id = ${accountId}`, sql`contact_request.owner_account_id = ${accountId}`];
  if (side) return side === 'SENDER' ? sent : received;
  return sql`(${sent} or ${received})`;
}

/** Only a viewer that can read an athlete finds requests for another profile, which has been merged into it. */
async function forAthletes(context: Context, ids: readonly string[]): Promise<Sql> {
  const visible = await visibleAthletes(context, ids);
  const named = oneOf(sql`contact_request.named_id`, ids);
  if (visible.size === 0) return named;
  return sql`(${oneOf(sql`contact_request.athlete_id`, [...visible.keys()])} or ${named})`;
}

const administratorReads = createAdministratorReads<ContactRequestRow>('SCOUTING', ({ athleteId }) => [athleteId]);

/** Requests can concern minors, so `notes.minor` prevents caching of every response with one. */
export function createContactRequestReads({ database, cursors }: ListServices) {
  const byId: BatchRead<string, ContactRequestRow | null> = async (ids, context) => {
    const { viewer, notes } = context;
    notes.minor = true;
    const rows = await database.query<ContactRequestRow>(
      sql`/* contactRequests.byIds */ select ${contactRequests.columns} from contact_request where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    const visible = rows.filter((row) => actorsOf(viewer, row).length > 0 || hasFullAccess(viewer));
    return inOrder(ids, await administratorReads.rows(context, visible), (row) => row.id);
  };

  /** All requests for athletes, for the export. The export checks that the viewer owns the athlete. */
  const pagesOfAthletes: BatchRead<PageKey, ContactRequestPage> = (keys) => {
    const list = { name: 'contactRequests.ofAthletes', columns: contactRequests.columns, table: 'contact_request' };
    return readPages(database, cursors, { ...list, owner: 'athlete_id', where: [], sort: newestFirst }, keys);
  };

  return {
    byId,
    pagesOfAthletes,
    /** Throws Problem api_key_missing (401). */
    async list(context: Context, args: QueryContactRequestsArgs): Promise<ContactRequestPage> {
      const { viewer, notes } = context;
      notes.minor = true;
      const { side, status, athleteId } = args.filter ?? {};
      const where = [ofSide(requireAccount(viewer), side)];
      if (status) where.push(sql`${currentStatus} = any(${status})`);
      if (athleteId) where.push(await forAthletes(context, athleteId));
      const list = { name: 'contactRequests.list', resource: contactRequestResource, where, sort: newestFirst };
      return readList({ database, cursors }, list, viewer, { ...args, filter: { ...args.filter, mine: true } });
    },
  };
}

export type ContactRequestReads = ReturnType<typeof createContactRequestReads>;
