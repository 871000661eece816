/** Sign-in with a passkey. The authenticator verified the person, so it counts as password and second factor. */
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { MutationSignInByPasskeyArgs, PasskeyAssertion, RelyingParty, SignInClient } from '../generated/resolvers.ts';
import { signInFailed } from '../sign-in/credentials.ts';
import type { PersonRow, Population } from '../sign-in/population.ts';
import { actingAs, startSession, writeResult, type NewSession } from '../sign-in/session-start.ts';
import { recordAttempt } from '../sign-in/throttle.ts';
import type { Challenges } from './challenges.ts';
import type { StoredPasskey } from './passkey-table.ts';
import { requestOptions, verifyAssertion } from './webauthn.ts';

/** One text for each reason, so that it does not reveal which credentials and persons exist. */
const rejected = 'The passkey was not accepted. Try again, or sign in with your password.';

/** A passkey with its owner. */
interface Candidate {
  readonly passkey: StoredPasskey;
  readonly row: PersonRow;
}

/** A verified assertion. */
interface Proof {
  readonly counter: number;
  readonly challengedAtMs: number;
}

export function createPasskeySignIn({ database, writer }: AreaServices, population: Population, challenges: Challenges) {
  const { passkeys } = population;

  async function find({ id }: PasskeyAssertion): Promise<Candidate | null> {
    const passkey = await passkeys.find(database, id);
    const person = passkey && (await population.credentials(database, sql`id = ${passkey.personId}`));
    return passkey && person && { passkey, row: person.row };
  }

  async function verify(
    { passkey, row }: Candidate,
    { input, challenge: token, relyingParty }: MutationSignInByPasskeyArgs,
  ): Promise<Proof | null> {
    const pending = challenges.open(token);
    if (pending === null || row.status !== 'ACTIVE') return null;
    const owner = { population: population.name, id: row.id };
    const counter = await verifyAssertion(relyingParty, input, pending.challenge, owner, passkey);
    return counter === null ? null : { counter, challengedAtMs: pending.createdAtMs };
  }

  /** Starts the session; null if the passkey was used with this challenge or a later one, or if the person cannot sign in. */
  const start = ({ passkey, row }: Candidate, proof: Proof, client: SignInClient): Promise<NewSession | null> =>
    writeResult(writer, actingAs(population, row, client.address), async (transaction) => {
      const locked = await population.credentials(transaction, sql`id = ${row.id} and status = 'ACTIVE' for update`);
      if (locked === null) return null;
      if (!(await passkeys.use(transaction, passkey.id, proof.counter, proof.challengedAtMs))) return null;
      return startSession(transaction, population, locked.row, client, 'PASSKEY');
    });

  return {
    /** A challenge with the options for the browser. Stores nothing. */
    challenge(relyingParty: RelyingParty) {
      const { challenge, token } = challenges.create();
      return { token, options: requestOptions(relyingParty, challenge) };
    },
    /** Throws Problem sign_in_failed (401) for each reason, or rate_limited (429). */
    async signIn(args: MutationSignInByPasskeyArgs): Promise<NewSession> {
      const { input, client } = args;
      const found = await find(input);
      // as for passwords: the attempt counts before the check
      const attempt = await recordAttempt(database, population, found?.row.email ?? `passkey ${input.id}`, client.address);
      const proof = found && (await verify(found, args));
      const session = found && proof && (await start(found, proof, client));
      if (session === null) {
        if (found !== null)
          await writeResult(writer, actingAs(population, found.row, client.address), async (transaction) => {
            population.record(transaction, found.row, { action: 'sign_in_failed' });
            await Promise.resolve();
          });
        throw signInFailed(rejected);
      }
      await attempt.clear();
      return session;
    },
  };
}
