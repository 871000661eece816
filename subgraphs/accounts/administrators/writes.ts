/** Administrators: invite, reset, change, disable, enable, and end their sessions. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { insertInto } from '../../../platform/database/table.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { Problem } from '../../../schema/errors.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { InviteAdministratorInput, UpdateAdministratorInput } from '../resolvers.generated.ts';
import { profileViolations } from './rules.ts';
import { rejectInvalid } from '../../../schema/errors.ts';
import { deleteSessions } from './sessions.ts';
import { administrators, changeAdministrator, lockAdministrator, note, type AdministratorRow, type Happened } from './reads.ts';
import { insertLink, purposeFor, voidLinks, type Created } from './setup-links.ts';

export interface Invited extends Created {
  readonly administrator: AdministratorRow;
}

/** Held by every write that decides who is an owner: two owners who remove one another at once would leave none. */
export async function lockAdministrators(transaction: Queryable): Promise<void> {
  await transaction.query(sql`/* administrators.lockAll */ select pg_advisory_xact_lock(hashtextextended('administrators', 0))`);
}

/** Throws Problem conflict (409) when nobody else would be an owner who may enter. */
async function requireOtherOwner(transaction: Queryable, { id, role, status }: AdministratorRow): Promise<void> {
  if (role !== 'OWNER' || status !== 'ACTIVE') return;
  const [other] = await transaction.query(
    sql`/* administrators.otherOwner */ select 1 as one from administrator where role = 'OWNER' and status = 'ACTIVE' and id <> ${id} limit 1`,
  );
  if (!other) throw new Problem('conflict', 'This is the last owner who may enter: make somebody else an owner first.');
}

/** Inserts an administrator and notes it. */
export async function insertAdministrator(
  transaction: WriteTransaction,
  values: Pick<AdministratorRow, 'name' | 'email' | 'role' | 'status'> & Partial<Pick<AdministratorRow, 'id'>>,
  happened: Happened,
  computed: Parameters<typeof insertInto>[2] = {},
): Promise<AdministratorRow> {
  const trimmed = { ...values, name: values.name.trim(), email: values.email.trim() };
  const [row] = await transaction.query<AdministratorRow>(insertInto(administrators, trimmed, computed));
  if (!row) throw new Error('insert into administrator returned no row');
  return note(transaction, null, row, happened);
}

/** Writes of administrators over the area's database. */
export function createAdministratorWrites({ writer }: AreaServices) {
  /** Locks all, then one, changes it, and returns it as it is then. */
  const change = (
    context: Context,
    id: string,
    work: (transaction: WriteTransaction, before: AdministratorRow) => Promise<AdministratorRow>,
  ): Promise<AdministratorRow> =>
    writer.write(context, async (transaction) => {
      await lockAdministrators(transaction);
      return work(transaction, await lockAdministrator(transaction, id));
    });

  /** A write that also makes a link, which is kept nowhere. */
  async function withLink(context: Context, work: (transaction: WriteTransaction) => Promise<Invited>): Promise<Invited> {
    const made: { link: Created | null } = { link: null };
    const administrator = await writer.write(context, async (transaction) => {
      const { administrator: row, ...link } = await work(transaction);
      made.link = link;
      return row;
    });
    if (made.link === null) throw new Error('a link was not made');
    return { administrator, ...made.link };
  }

  return {
    /** Throws Problem validation_failed (422), or conflict (409) when somebody has the address. */
    invite(context: Context, input: InviteAdministratorInput): Promise<Invited> {
      rejectInvalid(profileViolations(input));
      return withLink(context, async (transaction) => {
        await lockAdministrators(transaction);
        const administrator = await insertAdministrator(transaction, { ...input, status: 'INVITED' }, { action: 'invited' });
        return { administrator, ...(await insertLink(transaction, 'INVITATION', administrator.id)) };
      });
    },
    /** Throws Problem not_found (404), or conflict (409) for who is disabled. */
    reset(context: Context, id: string): Promise<Invited> {
      return withLink(context, async (transaction) => {
        const administrator = await lockAdministrator(transaction, id);
        const link = await insertLink(transaction, purposeFor(administrator), id);
        note(transaction, administrator, administrator, { action: 'link_made' });
        return { administrator, ...link };
      });
    },
    /** Throws Problem not_found (404), precondition_failed (412), validation_failed (422) or conflict (409: the last owner). */
    update(context: Context, id: string, { name, role }: UpdateAdministratorInput, ifMatch: string): Promise<AdministratorRow> {
      return change(context, id, async (transaction, before) => {
        requireVersion(ifMatch, before.version);
        const next = { name: name === undefined ? before.name : (name ?? '').trim(), role: role ?? before.role };
        rejectInvalid(profileViolations({ ...before, ...next }));
        if (next.role === before.role && next.name === before.name) return before;
        if (next.role !== 'OWNER') await requireOtherOwner(transaction, before);
        return changeAdministrator(transaction, before, next, { action: 'updated' });
      });
    },
    /** Throws Problem not_found (404), invalid_transition (409) or conflict (409: the last owner). */
    disable(context: Context, id: string, reason: string | null | undefined): Promise<AdministratorRow> {
      return change(context, id, async (transaction, before) => {
        if (before.status === 'DISABLED') throw new Problem('invalid_transition', `${before.email} is disabled already.`);
        await requireOtherOwner(transaction, before);
        await deleteSessions(transaction, sql`administrator_id = ${id}`);
        await voidLinks(transaction, id);
        return changeAdministrator(transaction, before, { status: 'DISABLED' }, { action: 'disabled', reason });
      });
    },
    /** Throws Problem not_found (404) or invalid_transition (409). */
    enable(context: Context, id: string): Promise<AdministratorRow> {
      return change(context, id, async (transaction, before) => {
        if (before.status !== 'DISABLED') throw new Problem('invalid_transition', `${before.email} is not disabled.`);
        const status = before.signsInBy === null ? 'INVITED' : 'ACTIVE';
        return changeAdministrator(transaction, before, { status }, { action: 'enabled' });
      });
    },
    /** Throws Problem not_found (404). */
    endSessions(context: Context, id: string): Promise<AdministratorRow> {
      return change(context, id, async (transaction, before) => {
        await deleteSessions(transaction, sql`administrator_id = ${id}`);
        return note(transaction, before, before, { action: 'sessions_ended' });
      });
    },
    /** Throws Problem not_found (404). */
    endSession(context: Context, sessionId: string): Promise<AdministratorRow> {
      return writer.write(context, async (transaction) => {
        const [owner] = await deleteSessions(transaction, sql`id = ${sessionId}`);
        if (owner === undefined) throw new Problem('not_found', `There is no session with the id ${sessionId}.`);
        const row = await lockAdministrator(transaction, owner);
        return note(transaction, row, row, { action: 'session_ended' });
      });
    },
  };
}
