/** Sign-in with a password and the second factor, sign-out and password changes. */
import { sql } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { rejectInvalid } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { MutationChangePasswordArgs, MutationEndSessionArgs, SignInClient, SignInInput } from '../generated/resolvers.ts';
import type { HistoryRecord } from '../recorded-rows.ts';
import { signInFailed } from './credentials.ts';
import { emailOf } from './email.ts';
import { hashPassword, matchesPassword } from './password.ts';
import { passwordViolations } from './password-rules.ts';
import type { Credentials, PersonRow, Population } from './population.ts';
import type { SecondFactors } from './second-factors.ts';
import { actingAs, startSession, writeResult, type NewSession } from './session-start.ts';
import { hashToken } from './sessions.ts';
import { recordAttempt, type Attempt } from './throttle.ts';

/** Sets a password, ends all other sessions and voids the setup links. */
export async function setPassword(
  transaction: WriteTransaction,
  population: Population,
  before: PersonRow,
  hash: string,
  record: HistoryRecord,
  currentSession: Buffer | null = null,
): Promise<PersonRow> {
  await population.sessions.endOfPerson(transaction, before.id, currentSession);
  await population.links.voidOf(transaction, before.id);
  return population.change(transaction, before, { status: 'ACTIVE' }, record, { password_hash: sql`${hash}` });
}

const wrongCredentials = 'Wrong email address or password.';

/** The ID of an address without a person. */
const nobody = '00000000-0000-0000-0000-000000000000';

interface Proof {
  readonly email: string;
  readonly password: string;
  /** Code of the second factor; undefined: the password is sufficient. */
  readonly code?: string | null | undefined;
}

/** Password sign-in of a population over the area's database. */
export function createPasswordSignIn(services: AreaServices, population: Population, factors: SecondFactors) {
  const { database, writer } = services;
  const { sessions } = population;

  /** Records a failure of a person. An address without one has no history, but takes the same statements and the same time. */
  async function recordFailure(found: Credentials | null, attempt: Attempt, address: string): Promise<void> {
    const { row } = found ?? { row: null };
    await writeResult(writer, actingAs(population, row ?? { id: nobody }, address), async (transaction) => {
      await attempt.rewrite(transaction);
      if (row !== null) population.record(transaction, row, { action: 'sign_in_failed' });
      else
        transaction.record({ action: 'sign_in_failed', event: null, resourceType: population.table, before: null, after: null });
    });
  }

  /**
   * Checks a password, and the second factor unless `code` is undefined. Throws Problem rate_limited (429), second_factor_required (401) or
   * sign_in_failed (401), which does not reveal whether the address exists.
   */
  async function check(found: Credentials | null, proof: Proof, address: string, detail: string): Promise<Credentials> {
    // The attempt counts before the password is checked, so that concurrent attempts are limited too.
    // The stored spelling of the address identifies it, however the request spells it.
    const attempt = await recordAttempt(database, population, found?.row.email ?? proof.email, address);
    const matches = await matchesPassword(proof.password, found?.passwordHash ?? null);
    if (found === null || !matches || found.row.status !== 'ACTIVE') {
      await recordFailure(found, attempt, address);
      throw signInFailed(detail);
    }
    if (proof.code !== undefined) {
      const isAccepted = await factors.accept(found.row.id, proof.code);
      if (!isAccepted) {
        await recordFailure(found, attempt, address);
        throw signInFailed('Wrong code. Enter the current code of your authenticator app, or an unused recovery code.');
      }
    }
    // a password without the code of a second factor keeps its attempt: otherwise it would reset the count of wrong codes
    const [needsCode] = proof.code === undefined ? await factors.areEnrolled([found.row.id]) : [false];
    if (needsCode !== true) await attempt.clear();
    return found;
  }

  async function credentialsOfSession(token: string): Promise<Credentials | null> {
    const session = await sessions.open(database, token);
    return session && population.credentials(database, sql`id = ${session.personId}`);
  }

  return {
    check,
    credentialsOfSession,
    /** Throws Problem sign_in_failed (401), also for an unknown address, second_factor_required (401) or rate_limited (429). */
    async signIn({ email, password, code }: SignInInput, client: SignInClient): Promise<NewSession> {
      const found = await population.credentials(database, sql`lower(email) = lower(${emailOf(email)})`);
      const proof = { email, password, code: code ?? null };
      const { row, passwordHash } = await check(found, proof, client.address, wrongCredentials);
      return writeResult(writer, actingAs(population, row, client.address), async (transaction) => {
        // the password may have changed since the check
        const unchanged = sql`id = ${row.id} and status = 'ACTIVE' and password_hash = ${passwordHash} for update`;
        const locked = await population.credentials(transaction, unchanged);
        if (locked === null) throw signInFailed(wrongCredentials);
        return startSession(transaction, population, locked.row, client, 'PASSWORD');
      });
    },
    /** Returns null if the session has expired. Throws Problem sign_in_failed (401), rate_limited (429) or validation_failed (422). */
    async changePassword({ token, current, next, address }: MutationChangePasswordArgs): Promise<true | null> {
      const found = await credentialsOfSession(token);
      if (!found) return null;
      const { row } = found;
      await check(found, { email: row.email, password: current }, address, 'Wrong current password.');
      rejectInvalid(passwordViolations(next, row).map((violation) => ({ ...violation, pointer: '/next' })));
      const hash = await hashPassword(next);
      return writeResult(writer, actingAs(population, row, address), async (transaction) => {
        const before = await population.lock(transaction, row.id);
        if ((await sessions.open(transaction, token)) === null) return null;
        await setPassword(transaction, population, before, hash, { action: 'password_changed' }, hashToken(token));
        return true;
      });
    },
    /** Returns false if the session had already ended. */
    async endSession({ token, everywhere, address }: MutationEndSessionArgs): Promise<boolean> {
      const found = await credentialsOfSession(token);
      if (!found) return false;
      const { row } = found;
      const action = everywhere ? 'signed_out_everywhere' : 'signed_out';
      return writeResult(writer, actingAs(population, row, address), async (transaction) => {
        const ended = everywhere
          ? await sessions.endOfPerson(transaction, row.id)
          : await sessions.endOfToken(transaction, token);
        if (ended.length > 0) population.record(transaction, row, { action });
        return ended.length > 0;
      });
    },
  };
}

export type PasswordSignIn = ReturnType<typeof createPasswordSignIn>;
