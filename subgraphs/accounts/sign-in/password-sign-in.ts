/** Sign-in with a password, sign-out and password changes. */
import { sql } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { rejectInvalid } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { changeAdministrator, lockAdministrator, recordHistory, type HistoryRecord } from '../administrators/row-changes.ts';
import type { AdministratorRow } from '../administrators/rows.ts';
import { deleteSessions, hashToken, type SessionReads } from '../administrators/sessions.ts';
import { voidLinks } from '../administrators/setup-links.ts';
import type { MutationChangePasswordArgs, MutationEndSessionArgs, SignInClient, SignInInput } from '../generated/resolvers.ts';
import { hashPassword, matchesPassword, passwordViolations } from './password.ts';
import {
  actingAs,
  readCredentials,
  signInFailed,
  startSession,
  writeResult,
  type AdministratorCredentials,
  type NewSession,
} from './session-start.ts';
import { recordAttempt } from './throttle.ts';

/** Sets a password, ends all other sessions and voids the setup links. */
export async function setPassword(
  transaction: WriteTransaction,
  before: AdministratorRow,
  hash: string,
  record: HistoryRecord,
  currentSession: Buffer | null = null,
): Promise<AdministratorRow> {
  const otherSessions = sql`administrator_id = ${before.id} and token_hash is distinct from ${currentSession}`;
  await deleteSessions(transaction, otherSessions);
  await voidLinks(transaction, before.id);
  return changeAdministrator(transaction, before, { status: 'ACTIVE' }, record, { password_hash: sql`${hash}` });
}

const wrongCredentials = 'Wrong email address or password.';

/** Checks a password. Throws Problem rate_limited (429) or sign_in_failed (401), which does not reveal whether the address exists. */
async function checkPassword(
  { database, writer }: AreaServices,
  found: AdministratorCredentials | null,
  { email, password }: SignInInput,
  address: string,
  detail: string,
): Promise<AdministratorCredentials> {
  // The attempt counts before the password is checked, so that concurrent attempts are limited too.
  // The stored spelling of the address identifies it, however the request spells it.
  const attempt = await recordAttempt(database, found?.row.email ?? email, address);
  const matches = await matchesPassword(password, found?.passwordHash ?? null);
  if (found !== null && matches && found.row.status === 'ACTIVE') {
    await attempt.clear();
    return found;
  }
  if (found !== null) {
    const { row } = found;
    await writer.write(actingAs(row, address), (transaction) =>
      Promise.resolve(recordHistory(transaction, row, row, { action: 'sign_in_failed' })),
    );
  }
  throw signInFailed(detail);
}

/** Password sign-in over the area's database. */
export function createPasswordSignIn(services: AreaServices, sessions: SessionReads) {
  const { database, writer } = services;

  async function credentialsOfSession(token: string): Promise<AdministratorCredentials | null> {
    const session = await sessions.open(token);
    return session && readCredentials(database, sql`id = ${session.administratorId}`);
  }

  return {
    /** Throws Problem sign_in_failed (401), also for an unknown address, or rate_limited (429). */
    async signIn(input: SignInInput, client: SignInClient): Promise<NewSession> {
      const found = await readCredentials(database, sql`lower(email) = lower(${input.email.trim()})`);
      const { row: administrator, passwordHash } = await checkPassword(services, found, input, client.address, wrongCredentials);
      return writeResult(writer, actingAs(administrator, client.address), async (transaction) => {
        // the password may have changed since the check
        const unchanged = sql`id = ${administrator.id} and status = 'ACTIVE' and password_hash = ${passwordHash} for update`;
        const locked = await readCredentials(transaction, unchanged);
        if (locked === null) throw signInFailed(wrongCredentials);
        return startSession(transaction, locked.row, client, 'PASSWORD');
      });
    },
    /** Returns null if the session has expired. Throws Problem sign_in_failed (401), rate_limited (429) or validation_failed (422). */
    async changePassword({ token, current, next, address }: MutationChangePasswordArgs): Promise<true | null> {
      const found = await credentialsOfSession(token);
      if (!found) return null;
      const { row } = found;
      await checkPassword(services, found, { email: row.email, password: current }, address, 'Wrong current password.');
      rejectInvalid(passwordViolations(next, row).map((violation) => ({ ...violation, pointer: '/next' })));
      const hash = await hashPassword(next);
      return writeResult(writer, actingAs(row, address), async (transaction) => {
        const before = await lockAdministrator(transaction, row.id);
        if ((await sessions.open(token, transaction)) === null) return null;
        await setPassword(transaction, before, hash, { action: 'password_changed' }, hashToken(token));
        return true;
      });
    },
    /** Returns false if the session had already ended. */
    async endSession({ token, everywhere, address }: MutationEndSessionArgs): Promise<boolean> {
      const found = await credentialsOfSession(token);
      if (!found) return false;
      const { row } = found;
      const action = everywhere ? 'signed_out_everywhere' : 'signed_out';
      return writeResult(writer, actingAs(row, address), async (transaction) => {
        const which = everywhere ? sql`administrator_id = ${row.id}` : sql`token_hash = ${hashToken(token)}`;
        const ended = await deleteSessions(transaction, which);
        if (ended.length > 0) recordHistory(transaction, row, row, { action });
        return ended.length > 0;
      });
    },
  };
}
