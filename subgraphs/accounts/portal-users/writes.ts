/** Writes of portal users: the own profile and sessions, and what administrators do for users. */
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { eraseFromAccounts } from '../members/person-erasure.ts';
import { createErasedBlocks } from '../sign-in/erased-blocks.ts';
import {
  deleteCredentials,
  erasedColumns,
  erasedEmail,
  erasedValues,
  rejectErased,
  requireDisabled,
} from '../sign-in/erased-person.ts';
import { nameViolations } from '../sign-in/profile.ts';
import type { SecondFactors } from '../sign-in/second-factors.ts';
import type { CreatedLink } from '../sign-in/setup-links.ts';
import { userLinks, userPasskeys, userPopulation, userRows, userSessions } from './population.ts';
import type { PortalUserRow } from './rows.ts';

const { noun } = userPopulation;

export interface UserLink extends CreatedLink {
  readonly user: PortalUserRow;
}

/** Writes of portal users over the area's database. */
export function createPortalUserWrites(services: AreaServices, factors: SecondFactors) {
  const { writer } = services;
  const blocks = createErasedBlocks(services);

  /** Locks a user and runs the change. Throws Problem gone (410) for an erased user. */
  const change = (
    context: Context,
    id: string,
    work: (transaction: WriteTransaction, before: PortalUserRow) => Promise<PortalUserRow>,
  ): Promise<PortalUserRow> =>
    writer.write(context, async (transaction) => {
      const before = await userRows.lock(transaction, id);
      rejectErased(before, noun);
      return work(transaction, before);
    });

  return {
    /** Throws Problem validation_failed (422). */
    rename(context: Context, id: string, name: string): Promise<PortalUserRow> {
      return change(context, id, async (transaction, before) => {
        const next = { name: name.trim() };
        rejectInvalid(nameViolations(next.name));
        return next.name === before.name ? before : userRows.change(transaction, before, next, { action: 'updated' });
      });
    },
    /** Ends a session of the user. Throws Problem not_found (404), also for a session of another user. */
    endSession(context: Context, id: string, sessionId: string): Promise<PortalUserRow> {
      return change(context, id, async (transaction, before) => {
        const ended = await userSessions.endById(transaction, sessionId, id);
        if (ended.length === 0) throw new Problem('not_found', `There is no session with the ID ${sessionId}.`);
        return userRows.record(transaction, before, before, { action: 'session_ended' });
      });
    },
    /** Ends all sessions of the user. Throws Problem not_found (404). */
    endSessions(context: Context, id: string): Promise<PortalUserRow> {
      return change(context, id, async (transaction, before) => {
        await userSessions.endOfPerson(transaction, id);
        return userRows.record(transaction, before, before, { action: 'sessions_ended' });
      });
    },
    /** Creates a link for a new password. Throws Problem not_found (404) or conflict (409: disabled). */
    async reset(context: Context, id: string): Promise<UserLink> {
      const created: { link: CreatedLink | null } = { link: null };
      const user = await change(context, id, async (transaction, before) => {
        if (before.status === 'DISABLED') throw new Problem('conflict', `${before.email} is disabled. Enable the user first.`);
        created.link = await userLinks.insert(transaction, 'RESET', id);
        return userRows.record(transaction, before, before, { action: 'link_made' });
      });
      if (created.link === null) throw new Error('The write created no link');
      return { user, ...created.link };
    },
    /** Throws Problem not_found (404) or invalid_transition (409). */
    disable(context: Context, id: string, reason: string | null | undefined): Promise<PortalUserRow> {
      return change(context, id, async (transaction, before) => {
        if (before.status === 'DISABLED') throw new Problem('invalid_transition', `${before.email} is already disabled.`);
        await userSessions.endOfPerson(transaction, id);
        await userLinks.voidOf(transaction, id);
        return userRows.change(transaction, before, { status: 'DISABLED' }, { action: 'disabled', reason });
      });
    },
    /** Throws Problem not_found (404) or invalid_transition (409). */
    enable(context: Context, id: string): Promise<PortalUserRow> {
      return change(context, id, async (transaction, before) => {
        if (before.status === 'ACTIVE') throw new Problem('invalid_transition', `${before.email} is not disabled.`);
        return userRows.change(transaction, before, { status: 'ACTIVE' }, { action: 'enabled' });
      });
    },
    /** Replaces the personal data, deletes the credentials and removes the user from all accounts. Throws Problem not_found (404), gone (410) or invalid_transition (409: not disabled). */
    erase(context: Context, id: string): Promise<PortalUserRow> {
      return change(context, id, async (transaction, before) => {
        requireDisabled(before, noun);
        await blocks.add(transaction, userPopulation, before);
        await deleteCredentials(transaction, userPopulation, factors, id);
        await eraseFromAccounts(transaction, before, erasedEmail(id));
        return userRows.erase(transaction, before, { ...erasedValues(id, noun), emailVerifiedAt: null }, erasedColumns);
      });
    },
    /** Removes a lost second factor and the passkeys, and ends all sessions. Throws Problem not_found (404) or invalid_transition (409). */
    removeSecondFactor(context: Context, id: string): Promise<PortalUserRow> {
      return change(context, id, async (transaction, before) => {
        const removed = [await factors.remove(transaction, id), await userPasskeys.removeAll(transaction, id)];
        if (!removed.includes(true))
          throw new Problem('invalid_transition', `${before.email} has no second factor and no passkey.`);
        await userSessions.endOfPerson(transaction, id);
        return userRows.record(transaction, before, before, { action: 'second_factor_removed' });
      });
    },
  };
}
