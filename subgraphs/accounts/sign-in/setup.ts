/** Administrators come in by a link: the first owner, who was invited, who lost a password. */
import { sql, type Database } from '../../../platform/database/database.ts';
import { SYSTEM } from '../../../schema/viewer.ts';
import { rejectInvalid } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { profileViolations } from '../administrators/rules.ts';
import { hashPassword, passwordViolations } from './password.ts';
import type { CompleteSetupInput, SignInClient } from '../resolvers.generated.ts';
import { insertAdministrator, lockAdministrators } from '../administrators/writes.ts';
import { lockAdministrator } from '../administrators/reads.ts';
import { actingAs, startSession, writeResult, type Started } from './session-start.ts';
import { hasOwner, insertLink, lookUp, takeLink, type Created, type LookedUp } from '../administrators/setup-links.ts';
import { setPassword } from './password-sign-in.ts';

/** An id for who is not there yet, and is said to have made the own account. */
export async function newId(database: Database): Promise<string> {
  const [row] = await database.query<{ id: string }>(sql`/* administrators.newId */ select uuidv7() as id`);
  if (!row) throw new Error('uuidv7 gave nothing');
  return row.id;
}

/** Links and what is done with them over the area's database. */
export function createSetup({ database, writer }: AreaServices) {
  return {
    /** The link for the first owner; null when there is one. */
    createLink(): Promise<Created | null> {
      return writeResult(writer, { viewer: SYSTEM, notes: {} }, async (transaction) => {
        await lockAdministrators(transaction);
        const [row] = await transaction.query<{ has: boolean }>(sql`/* setup.hasOwner */ select ${hasOwner} as has`);
        return row?.has === true ? null : insertLink(transaction, 'FIRST_OWNER', null);
      });
    },
    /** Throws Problem gone (410). */
    lookUp: (token: string): Promise<LookedUp> => lookUp(database, token),
    /** Throws Problem gone (410: used, over or void) or validation_failed (422). */
    async complete({ token, password, ...given }: CompleteSetupInput, client: SignInClient): Promise<Started> {
      const link = await lookUp(database, token);
      const profile = { name: link.name ?? given.name ?? '', email: link.email ?? given.email ?? '' };
      const isFirst = link.administratorId === null;
      rejectInvalid([...(isFirst ? profileViolations(profile) : []), ...passwordViolations(password, profile)]);
      const hash = await hashPassword(password);
      const id = link.administratorId ?? (await newId(database));
      return writeResult(writer, actingAs({ id, role: link.role }, client.address), async (transaction) => {
        await lockAdministrators(transaction);
        await takeLink(transaction, token);
        const action = link.purpose === 'RESET' ? 'password_reset' : 'set_up';
        const row = isFirst
          ? await insertAdministrator(
              transaction,
              { id, ...profile, role: link.role, status: 'ACTIVE' },
              { action },
              { password_hash: sql`${hash}` },
            )
          : await setPassword(transaction, await lockAdministrator(transaction, id), hash, { action });
        return startSession(transaction, row, client, 'PASSWORD');
      });
    },
  };
}
