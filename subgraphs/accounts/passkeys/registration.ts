/** Registration and removal of passkeys by their owner, with the open session. */
import { randomBytes } from 'node:crypto';
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type {
  MutationConfirmPasskeyArgs,
  MutationPreparePasskeyArgs,
  MutationRemovePasskeyArgs,
  QueryPasskeysArgs,
} from '../generated/resolvers.ts';
import { signInFailed } from '../sign-in/credentials.ts';
import type { PasswordSignIn } from '../sign-in/password-sign-in.ts';
import type { Population } from '../sign-in/population.ts';
import { nameViolations } from '../sign-in/profile.ts';
import { actingAs, writeResult } from '../sign-in/session-start.ts';
import { hashToken } from '../sign-in/sessions.ts';
import { passkeysMax, type PasskeyRow } from './passkey-table.ts';
import { creationOptions, verifyRegistration } from './webauthn.ts';

const challengeBytes = 32;
const nameMax = 100;

const tooMany = (): Problem =>
  new Problem('conflict', `You have ${passkeysMax} passkeys. Remove one before you register another one.`);

/** Each function returns null if the session has expired. */
export function createPasskeyRegistration({ database, writer }: AreaServices, population: Population, passwords: PasswordSignIn) {
  const { name: populationName, passkeys, sessions } = population;
  return {
    async list({ token }: QueryPasskeysArgs): Promise<PasskeyRow[] | null> {
      const session = await sessions.open(database, token);
      return session && passkeys.ofPerson(database, session.personId);
    },
    /**
     * Checks the password, and the code of a person with a second factor: otherwise a stolen session with the password could replace it.
     * Throws Problem sign_in_failed (401), second_factor_required (401), rate_limited (429) or conflict (409: too many passkeys).
     */
    async prepare({ token, current, code, address, relyingParty }: MutationPreparePasskeyArgs) {
      const found = await passwords.credentialsOfSession(token);
      if (!found) return null;
      const { id, name, email } = found.row;
      await passwords.check(found, { email, password: current, code: code ?? null }, address, 'Wrong current password.');
      const registered = await passkeys.credentialIds(database, id);
      if (registered.length >= passkeysMax) throw tooMany();
      const challenge = randomBytes(challengeBytes);
      await passkeys.startRegistration(database, id, hashToken(token), challenge.toString('base64url'));
      return creationOptions(relyingParty, { population: populationName, id, name, email }, challenge, registered);
    },
    /** Throws Problem sign_in_failed (401: rejected, or not started), validation_failed (422) or conflict (409: registered, or too many). */
    async confirm({ token, input, address, relyingParty }: MutationConfirmPasskeyArgs): Promise<PasskeyRow | null> {
      const found = await passwords.credentialsOfSession(token);
      if (!found) return null;
      const { row } = found;
      const name = input.name.trim();
      rejectInvalid(nameViolations(name, { max: nameMax }));
      const challenge = await passkeys.takeRegistration(database, row.id, hashToken(token));
      const credential = challenge === null ? null : await verifyRegistration(relyingParty, input, challenge);
      if (credential === null) throw signInFailed('The passkey was not accepted. Start again.');
      return writeResult(writer, actingAs(population, row, address), async (transaction) => {
        await population.lock(transaction, row.id);
        if ((await sessions.open(transaction, token)) === null) return null;
        if ((await passkeys.credentialIds(transaction, row.id)).length >= passkeysMax) throw tooMany();
        const passkey = await passkeys.insert(transaction, row.id, name, credential);
        population.record(transaction, row, { action: 'passkey_registered' });
        return passkey;
      });
    },
    /** Ends all other sessions, which the passkey may have started. Throws Problem not_found (404). */
    async remove({ token, id, address }: MutationRemovePasskeyArgs): Promise<boolean | null> {
      const found = await passwords.credentialsOfSession(token);
      if (!found) return null;
      const { row } = found;
      return writeResult(writer, actingAs(population, row, address), async (transaction) => {
        if (!(await passkeys.remove(transaction, row.id, id)))
          throw new Problem('not_found', `You have no passkey with the ID ${id}.`);
        await sessions.endOfPerson(transaction, row.id, hashToken(token));
        population.record(transaction, row, { action: 'passkey_removed' });
        return true;
      });
    },
  };
}
