/** Contact requests: the SQL of their reads. The two sides see them, and nobody else knows of them. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { sortBy, type Page } from '../../../platform/lists/page.ts';
import { requireAccount, type Resource, type ResourceRow } from '../../../platform/writes/resource.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import { hasFullAccess } from '../../../schema/viewer.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import { actorsOf } from './lifecycle.ts';
import type { ContactRequestSide, ContactRequestStatus, QueryContactRequestsArgs } from '../resolvers.generated.ts';

export interface ContactRequestRow extends ResourceRow {
  readonly ownerAccountId: string;
  /** Who is asked for now. */
  readonly athleteId: string;
  /** The id that the sender gave: of a profile that may have become one with another since. */
  readonly namedId: string;
  readonly organizationId: string | null;
  /** As it was written; what is shown is contact-steps.ts statusAt. */
  readonly status: ContactRequestStatus;
  readonly message: string;
  readonly answer: string | null;
  readonly answeredAt: string | null;
  readonly expiresAt: string;
}

export type ContactRequestPage = Page<ContactRequestRow>;

export const contactRequests = table<ContactRequestRow>('contact_request', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  ownerAccountId: 'plain',
  athleteId: 'plain',
  namedId: 'plain',
  organizationId: 'plain',
  status: 'plain',
  message: 'plain',
  answer: 'plain',
  answeredAt: 'plain',
  expiresAt: 'plain',
});

export const contactRequestResource: Resource<ContactRequestRow> = {
  type: 'contact_request',
  table: contactRequests,
  created: 'contact_request.created',
  updated: 'contact_request.status_changed',
  deleted: 'contact_request.deleted',
  required: [],
  isPublic: () => false,
  hasRegistryIds: false,
};

const newest = sortBy(contactRequests, 'createdAt', 'timestamptz', 'desc');

/** contact-steps.ts statusAt, in SQL. */
const statusNow = sql`case when contact_request.status = 'SENT' and contact_request.expires_at <= now() then 'EXPIRED' else contact_request.status end`;

/** Whether an account asked for contact with an athlete, and the request waits or is accepted. */
export async function hasContact(queryable: Queryable, accountId: string, athleteId: string): Promise<boolean> {
  const rows = await queryable.query(sql`/* contactRequests.inTouch */ select from contact_request
    where account_id = ${accountId} and athlete_id = ${athleteId} and ${statusNow} in ('SENT', 'ACCEPTED') limit 1`);
  return rows.length > 0;
}

function ofSide(accountId: string, side: ContactRequestSide | null | undefined): Sql {
  const [sent, received] = [sql`contact_request.account_id = ${accountId}`, sql`contact_request.owner_account_id = ${accountId}`];
  if (side) return side === 'SENDER' ? sent : received;
  return sql`(${sent} or ${received})`;
}

/** Reads of contact requests over the area's database. A minor may be meant by any of them: no cache keeps what is said of them. */
export function createContactRequestReads({ database, cursors }: ListServices) {
  const byId: BatchRead<string, ContactRequestRow | null> = async (ids, { viewer, notes }) => {
    notes.minor = true;
    const rows = await database.query<ContactRequestRow>(
      sql`/* contactRequests.byIds */ select ${contactRequests.columns} from contact_request where id = any(${[...ids]}::uuid[])`,
    );
    return inOrder(
      ids,
      rows.filter((row) => actorsOf(viewer, row).length > 0 || hasFullAccess(viewer)),
      (row) => row.id,
    );
  };

  /** All that is held of athletes: for the export, whose reader owns the athlete. */
  const pagesOfAthletes: BatchRead<PageKey, ContactRequestPage> = (keys) => {
    const list = { name: 'contactRequests.ofAthletes', columns: contactRequests.columns, table: 'contact_request' };
    return readPages(database, cursors, { ...list, owner: 'athlete_id', where: [], sort: newest }, keys);
  };

  return {
    byId,
    pagesOfAthletes,
    /** Throws Problem api_key_missing (401) without a key. */
    list({ viewer, notes }: Context, args: QueryContactRequestsArgs): Promise<ContactRequestPage> {
      notes.minor = true;
      const { side, status } = args.filter ?? {};
      const where = [ofSide(requireAccount(viewer), side)];
      if (status) where.push(sql`${statusNow} = any(${status})`);
      const list = { name: 'contactRequests.list', resource: contactRequestResource, where, sort: newest };
      return readList({ database, cursors }, list, viewer, { ...args, filter: { ...args.filter, mine: true } });
    },
  };
}

export type ContactRequestReads = ReturnType<typeof createContactRequestReads>;
