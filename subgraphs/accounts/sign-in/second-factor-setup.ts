/** Setup and removal of the second factor by its owner, with the open session and the password. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type {
  MutationConfirmSecondFactorArgs,
  MutationPrepareSecondFactorArgs,
  MutationRemoveSecondFactorArgs,
  PreparedSecondFactor,
} from '../generated/resolvers.ts';
import { signInFailed } from './credentials.ts';
import type { PasswordSignIn } from './password-sign-in.ts';
import type { Population } from './population.ts';
import type { SecondFactors } from './second-factors.ts';
import { actingAs, writeResult } from './session-start.ts';
import { hashToken } from './sessions.ts';
import { recordAttempt } from './throttle.ts';

/** Each function returns null if the session has expired. */
export function createSecondFactorSetup(
  { database, writer }: AreaServices,
  population: Population,
  factors: SecondFactors,
  passwords: PasswordSignIn,
) {
  return {
    /** Throws Problem sign_in_failed (401), rate_limited (429) or conflict (409: there is a second factor). */
    async prepare({ token, current, address }: MutationPrepareSecondFactorArgs): Promise<PreparedSecondFactor | null> {
      const found = await passwords.credentialsOfSession(token);
      if (!found) return null;
      const { row } = found;
      await passwords.check(found, { email: row.email, password: current }, address, 'Wrong current password.');
      return factors.prepare(database, row.id, row.email);
    },
    /** Ends all other sessions. Throws Problem sign_in_failed (401), rate_limited (429) or conflict (409: none to confirm). */
    async confirm({ token, code, address }: MutationConfirmSecondFactorArgs): Promise<string[] | null> {
      const found = await passwords.credentialsOfSession(token);
      if (!found) return null;
      const { row } = found;
      const attempt = await recordAttempt(database, population, row.email, address);
      const codes = await writeResult(writer, actingAs(population, row, address), async (transaction) => {
        const confirmed = await factors.confirm(transaction, row.id, code);
        if (confirmed === null) return null;
        await population.sessions.endOfPerson(transaction, row.id, hashToken(token));
        population.record(transaction, row, { action: 'second_factor_set_up' });
        return confirmed;
      });
      if (codes === null) throw signInFailed('Wrong code. Check the clock of your device and enter the current code.');
      await attempt.clear();
      return codes;
    },
    /** Throws Problem sign_in_failed (401), second_factor_required (401) or rate_limited (429). */
    async remove({ token, current, code, address }: MutationRemoveSecondFactorArgs): Promise<boolean | null> {
      const found = await passwords.credentialsOfSession(token);
      if (!found) return null;
      const { row } = found;
      await passwords.check(found, { email: row.email, password: current, code }, address, 'Wrong current password.');
      return writeResult(writer, actingAs(population, row, address), async (transaction) => {
        const isRemoved = await factors.remove(transaction, row.id);
        if (isRemoved) population.record(transaction, row, { action: 'second_factor_removed' });
        return isRemoved;
      });
    },
  };
}
