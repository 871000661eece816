/** Writes of administrators: invite, reset, update, disable, enable, and end their sessions. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { InviteAdministratorInput, UpdateAdministratorInput } from '../generated/resolvers.ts';
import { changeAdministrator, insertAdministrator, lockAdministrator, lockAdministrators, recordHistory } from './row-changes.ts';
import type { AdministratorRow } from './rows.ts';
import { profileViolations } from './rules.ts';
import { deleteSessions } from './sessions.ts';
import { insertLink, purposeFor, voidLinks, type CreatedLink } from './setup-links.ts';

export interface Invitation extends CreatedLink {
  readonly administrator: AdministratorRow;
}

/** Throws Problem conflict (409) for the last active owner. */
async function requireOtherOwner(transaction: Queryable, { id, role, status }: AdministratorRow): Promise<void> {
  if (role !== 'OWNER' || status !== 'ACTIVE') return;
  const [other] = await transaction.query(
    sql`/* administrators.otherOwner */ select 1 as one from administrator where role = 'OWNER' and status = 'ACTIVE' and id <> ${id} limit 1`,
  );
  if (!other)
    throw new Problem(
      'conflict',
      'This administrator is the last active owner. Give another administrator the role OWNER first.',
    );
}

/** Invitations and password resets: both create a setup link. */
function createInvitations(writer: Writer) {
  /** A write that also creates a link, which is returned but not stored. */
  async function withLink(context: Context, work: (transaction: WriteTransaction) => Promise<Invitation>): Promise<Invitation> {
    const created: { link: CreatedLink | null } = { link: null };
    const administrator = await writer.write(context, async (transaction) => {
      const { administrator: row, ...link } = await work(transaction);
      created.link = link;
      return row;
    });
    if (created.link === null) throw new Error('The write created no link');
    return { administrator, ...created.link };
  }

  return {
    /** Throws Problem validation_failed (422), or conflict (409) if the email address is in use. */
    invite(context: Context, input: InviteAdministratorInput): Promise<Invitation> {
      rejectInvalid(profileViolations(input));
      return withLink(context, async (transaction) => {
        await lockAdministrators(transaction);
        const administrator = await insertAdministrator(transaction, { ...input, status: 'INVITED' }, { action: 'invited' });
        return { administrator, ...(await insertLink(transaction, 'INVITATION', administrator.id)) };
      });
    },
    /** Creates a new link. Throws Problem not_found (404), or conflict (409) for a disabled administrator. */
    reset(context: Context, id: string): Promise<Invitation> {
      return withLink(context, async (transaction) => {
        const administrator = await lockAdministrator(transaction, id);
        const link = await insertLink(transaction, purposeFor(administrator), id);
        recordHistory(transaction, administrator, administrator, { action: 'link_made' });
        return { administrator, ...link };
      });
    },
  };
}

/** Writes of administrators over the area's database. */
export function createAdministratorWrites({ writer }: AreaServices) {
  /** Locks all administrators, then one, and runs the change. */
  const change = (
    context: Context,
    id: string,
    work: (transaction: WriteTransaction, before: AdministratorRow) => Promise<AdministratorRow>,
  ): Promise<AdministratorRow> =>
    writer.write(context, async (transaction) => {
      await lockAdministrators(transaction);
      return work(transaction, await lockAdministrator(transaction, id));
    });

  return {
    ...createInvitations(writer),
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
        if (before.status === 'DISABLED') throw new Problem('invalid_transition', `${before.email} is already disabled.`);
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
        return recordHistory(transaction, before, before, { action: 'sessions_ended' });
      });
    },
    /** Throws Problem not_found (404). */
    endSession(context: Context, sessionId: string): Promise<AdministratorRow> {
      return writer.write(context, async (transaction) => {
        const [administratorId] = await deleteSessions(transaction, sql`id = ${sessionId}`);
        if (administratorId === undefined) throw new Problem('not_found', `There is no session with the ID ${sessionId}.`);
        const row = await lockAdministrator(transaction, administratorId);
        return recordHistory(transaction, row, row, { action: 'session_ended' });
      });
    },
  };
}
