/** Writes of administrators: invite, reset, update, disable, enable, erase, and end their sessions. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { InviteAdministratorInput, UpdateAdministratorInput } from '../generated/resolvers.ts';
import { createErasedBlocks, type ErasedBlocks } from '../sign-in/erased-blocks.ts';
import { deleteCredentials, erasedColumns, erasedValues, rejectErased, requireDisabled } from '../sign-in/erased-person.ts';
import { nameViolations, profileViolations, trimmed } from '../sign-in/profile.ts';
import type { SecondFactors } from '../sign-in/second-factors.ts';
import type { CreatedLink } from '../sign-in/setup-links.ts';
import {
  administratorLinks as links,
  administratorPasskeys as passkeys,
  administratorPopulation,
  administratorRows as rows,
  administratorSessions as sessions,
  lockAdministrators,
  purposeFor,
} from './population.ts';
import type { AdministratorRow } from './rows.ts';

const { noun } = administratorPopulation;

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
function createInvitations(writer: Writer, blocks: ErasedBlocks) {
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
        await blocks.lift(transaction, administratorPopulation, input.email);
        const administrator = await rows.insert(transaction, trimmed({ ...input, status: 'INVITED' as const }), {
          action: 'invited',
        });
        return { administrator, ...(await links.insert(transaction, 'INVITATION', administrator.id)) };
      });
    },
    /** Creates a new link. Throws Problem not_found (404), gone (410), or conflict (409) for a disabled administrator. */
    reset(context: Context, id: string): Promise<Invitation> {
      return withLink(context, async (transaction) => {
        const administrator = await rows.lock(transaction, id);
        rejectErased(administrator, noun);
        const link = await links.insert(transaction, purposeFor(administrator), id);
        rows.recordUnchanged(transaction, administrator, { action: 'link_made' });
        return { administrator, ...link };
      });
    },
  };
}

/** Writes of administrators over the area's database. */
export function createAdministratorWrites(services: AreaServices, factors: SecondFactors) {
  const { writer } = services;
  const blocks = createErasedBlocks(services);
  /** Locks all administrators, then one, and runs the change. Throws Problem gone (410) for an erased administrator. */
  const change = (
    context: Context,
    id: string,
    work: (transaction: WriteTransaction, before: AdministratorRow) => Promise<AdministratorRow>,
  ): Promise<AdministratorRow> =>
    writer.write(context, async (transaction) => {
      await lockAdministrators(transaction);
      const before = await rows.lock(transaction, id);
      rejectErased(before, noun);
      return work(transaction, before);
    });

  return {
    ...createInvitations(writer, blocks),
    /** Throws Problem not_found (404), precondition_failed (412), validation_failed (422) or conflict (409: the last owner). */
    update(context: Context, id: string, { name, role }: UpdateAdministratorInput, ifMatch: string): Promise<AdministratorRow> {
      return change(context, id, async (transaction, before) => {
        requireVersion(ifMatch, before.version);
        const next = { name: name === undefined ? before.name : (name ?? '').trim(), role: role ?? before.role };
        rejectInvalid(nameViolations(next.name));
        if (next.role === before.role && next.name === before.name) return before;
        if (next.role !== 'OWNER') await requireOtherOwner(transaction, before);
        return rows.change(transaction, before, next, { action: 'updated' });
      });
    },
    /** Throws Problem not_found (404), invalid_transition (409) or conflict (409: the last owner). */
    disable(context: Context, id: string, reason: string | null | undefined): Promise<AdministratorRow> {
      return change(context, id, async (transaction, before) => {
        if (before.status === 'DISABLED') throw new Problem('invalid_transition', `${before.email} is already disabled.`);
        await requireOtherOwner(transaction, before);
        await sessions.endOfPerson(transaction, id);
        await links.voidOf(transaction, id);
        return rows.change(transaction, before, { status: 'DISABLED' }, { action: 'disabled', reason });
      });
    },
    /** Throws Problem not_found (404) or invalid_transition (409). */
    enable(context: Context, id: string): Promise<AdministratorRow> {
      return change(context, id, async (transaction, before) => {
        if (before.status !== 'DISABLED') throw new Problem('invalid_transition', `${before.email} is not disabled.`);
        const status = before.signsInBy === null ? 'INVITED' : 'ACTIVE';
        return rows.change(transaction, before, { status }, { action: 'enabled' });
      });
    },
    /** Replaces the personal data and deletes the credentials. Throws Problem not_found (404), gone (410) or invalid_transition (409: not disabled). */
    erase(context: Context, id: string): Promise<AdministratorRow> {
      return change(context, id, async (transaction, before) => {
        requireDisabled(before, noun);
        await blocks.add(transaction, administratorPopulation, before);
        await deleteCredentials(transaction, administratorPopulation, factors, id);
        return rows.erase(transaction, before, erasedValues(id, noun), erasedColumns);
      });
    },
    /**
     * Removes a lost second factor and the passkeys of another administrator and ends all sessions. Throws Problem not_found (404), invalid_transition (409) or
     * conflict (409: one's own factor, which a stolen session could remove without password and code).
     */
    removeSecondFactor(context: Context, id: string): Promise<AdministratorRow> {
      if (context.viewer.administrator?.id === id)
        throw new Problem('conflict', 'Remove your own second factor at "Your account", with your password and a code.');
      return change(context, id, async (transaction, before) => {
        const removed = [await factors.remove(transaction, id), await passkeys.removeAll(transaction, id)];
        if (!removed.includes(true))
          throw new Problem('invalid_transition', `${before.email} has no second factor and no passkey.`);
        await sessions.endOfPerson(transaction, id);
        return rows.record(transaction, before, before, { action: 'second_factor_removed' });
      });
    },
    /** Throws Problem not_found (404). */
    endSessions(context: Context, id: string): Promise<AdministratorRow> {
      return change(context, id, async (transaction, before) => {
        await sessions.endOfPerson(transaction, id);
        return rows.record(transaction, before, before, { action: 'sessions_ended' });
      });
    },
    /** Throws Problem not_found (404). */
    endSession(context: Context, sessionId: string): Promise<AdministratorRow> {
      return writer.write(context, async (transaction) => {
        const [administratorId] = await sessions.endById(transaction, sessionId);
        if (administratorId === undefined) throw new Problem('not_found', `There is no session with the ID ${sessionId}.`);
        const row = await rows.lock(transaction, administratorId);
        return rows.record(transaction, row, row, { action: 'session_ended' });
      });
    },
  };
}
