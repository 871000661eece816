/** Sign-in with a setup link: the first owner, an invited administrator, or a password reset. */
import { sql } from '../../../platform/database/database.ts';
import { rejectInvalid } from '../../../schema/errors.ts';
import { SYSTEM } from '../../../schema/viewer.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { insertAdministrator, lockAdministrator, lockAdministrators } from '../administrators/row-changes.ts';
import { profileViolations } from '../administrators/rules.ts';
import { findLink, hasOwner, insertLink, useLink, type CreatedLink, type SetupLinkRow } from '../administrators/setup-links.ts';
import type { CompleteSetupInput, SignInClient } from '../generated/resolvers.ts';
import { hashPassword, passwordViolations } from './password.ts';
import { setPassword } from './password-sign-in.ts';
import { actingAs, newAdministratorId, startSession, writeResult, type NewSession } from './session-start.ts';

/** Setup links over the area's database. */
export function createSetup({ database, writer }: AreaServices) {
  return {
    /** Creates the link for the first owner; null if there is an owner. */
    createLink(): Promise<CreatedLink | null> {
      return writeResult(writer, { viewer: SYSTEM, notes: {} }, async (transaction) => {
        await lockAdministrators(transaction);
        const [row] = await transaction.query<{ has: boolean }>(sql`/* setup.hasOwner */ select ${hasOwner} as has`);
        return row?.has === true ? null : insertLink(transaction, 'FIRST_OWNER', null);
      });
    },
    /** Throws Problem gone (410). */
    findLink: (token: string): Promise<SetupLinkRow> => findLink(database, token),
    /** Sets the password and starts a session. Throws Problem gone (410: used, expired or replaced) or validation_failed (422). */
    async complete({ token, password, ...given }: CompleteSetupInput, client: SignInClient): Promise<NewSession> {
      const link = await findLink(database, token);
      const profile = { name: link.name ?? given.name ?? '', email: link.email ?? given.email ?? '' };
      const isFirstOwner = link.administratorId === null;
      rejectInvalid([...(isFirstOwner ? profileViolations(profile) : []), ...passwordViolations(password, profile)]);
      const hash = await hashPassword(password);
      const id = link.administratorId ?? (await newAdministratorId(database));
      return writeResult(writer, actingAs({ id, role: link.role }, client.address), async (transaction) => {
        await lockAdministrators(transaction);
        await useLink(transaction, token);
        const action = link.purpose === 'RESET' ? 'password_reset' : 'set_up';
        const values = { id, ...profile, role: link.role, status: 'ACTIVE' } as const;
        const row = isFirstOwner
          ? await insertAdministrator(transaction, values, { action }, { password_hash: sql`${hash}` })
          : await setPassword(transaction, await lockAdministrator(transaction, id), hash, { action });
        return startSession(transaction, row, client, 'PASSWORD');
      });
    },
  };
}
