/** Administrators come in by a password, set another, and go. */
import { sql } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { rejectInvalid } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { hashPassword, matchesPassword, passwordViolations } from './password.ts';
import type { MutationChangePasswordArgs, MutationEndSessionArgs, SignInClient, SignInInput } from '../resolvers.generated.ts';
import { deleteSessions, hashToken, type SessionStore } from '../administrators/sessions.ts';
import { changeAdministrator, lockAdministrator, note, type AdministratorRow, type Happened } from '../administrators/reads.ts';
import {
  actingAs,
  readSecret,
  signInFailed,
  startSession,
  writeResult,
  type AdministratorSecret,
  type Started,
} from './session-start.ts';
import { voidLinks } from '../administrators/setup-links.ts';
import { noteAttempt } from './throttle.ts';

/** Sets a password: whoever had it before is signed out, and links are void. */
export async function setPassword(
  transaction: WriteTransaction,
  before: AdministratorRow,
  hash: string,
  happened: Happened,
  kept: Buffer | null = null,
): Promise<AdministratorRow> {
  await deleteSessions(transaction, sql`administrator_id = ${before.id} and token_hash is distinct from ${kept}`);
  await voidLinks(transaction, before.id);
  return changeAdministrator(transaction, before, { status: 'ACTIVE' }, happened, { password_hash: sql`${hash}` });
}

const wrong = 'The address or the password is not right.';

/** Sign-in, sign-out and change of passwords over the area's database. */
export function createSignIn({ database, writer }: AreaServices, sessions: SessionStore) {
  /** Checks a password. Throws Problem rate_limited (429), or sign_in_failed (401), which looks the same for who is unknown. */
  async function check(
    found: AdministratorSecret | null,
    { email, password }: SignInInput,
    address: string,
    detail: string,
  ): Promise<AdministratorSecret> {
    // before it is looked at: of many at once no more are let through than one after the other
    // as it is kept: however it is spelled, it is one
    const attempt = await noteAttempt(database, found?.row.email ?? email, address);
    const right = await matchesPassword(password, found?.passwordHash ?? null);
    if (found !== null && right && found.row.status === 'ACTIVE') {
      await attempt.forgive();
      return found;
    }
    if (found !== null) {
      const { row } = found;
      await writer.write(actingAs(row, address), (transaction) =>
        Promise.resolve(note(transaction, row, row, { action: 'sign_in_failed' })),
      );
    }
    throw signInFailed(detail);
  }

  return {
    /** Throws Problem sign_in_failed (401), the same for an unknown address, or rate_limited (429). */
    async signIn(input: SignInInput, client: SignInClient): Promise<Started> {
      const found = await readSecret(database, sql`lower(email) = lower(${input.email.trim()})`);
      const { row: who, passwordHash } = await check(found, input, client.address, wrong);
      return writeResult(writer, actingAs(who, client.address), async (transaction) => {
        // since it was looked at, the password may be another
        const unchanged = sql`id = ${who.id} and status = 'ACTIVE' and password_hash = ${passwordHash} for update`;
        const secret = await readSecret(transaction, unchanged);
        if (secret === null) throw signInFailed(wrong);
        return startSession(transaction, secret.row, client, 'PASSWORD');
      });
    },
    /** Null when the session is over. Throws Problem sign_in_failed (401), rate_limited (429) or validation_failed (422). */
    async changePassword({ token, current, next, address }: MutationChangePasswordArgs): Promise<true | null> {
      const session = await sessions.open(token);
      const found = session && (await readSecret(database, sql`id = ${session.administratorId}`));
      if (!found) return null;
      const { row } = found;
      await check(found, { email: row.email, password: current }, address, 'The password so far is not right.');
      rejectInvalid(passwordViolations(next, row).map((violation) => ({ ...violation, pointer: '/next' })));
      const hash = await hashPassword(next);
      return writeResult(writer, actingAs(row, address), async (transaction) => {
        const before = await lockAdministrator(transaction, row.id);
        if ((await sessions.open(token, transaction)) === null) return null;
        await setPassword(transaction, before, hash, { action: 'password_changed' }, hashToken(token));
        return true;
      });
    },
    /** False when it was over. */
    async endSession({ token, everywhere, address }: MutationEndSessionArgs): Promise<boolean> {
      const session = await sessions.open(token);
      const found = session && (await readSecret(database, sql`id = ${session.administratorId}`));
      if (!found) return false;
      const { row } = found;
      const action = everywhere ? 'signed_out_everywhere' : 'signed_out';
      return writeResult(writer, actingAs(row, address), async (transaction) => {
        const which = everywhere ? sql`administrator_id = ${row.id}` : sql`token_hash = ${hashToken(token)}`;
        const ended = await deleteSessions(transaction, which);
        if (ended.length > 0) note(transaction, row, row, { action });
        return ended.length > 0;
      });
    },
  };
}
