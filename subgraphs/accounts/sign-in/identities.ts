/** Sign-in with an OpenID identity: the identity that is bound to a person, or the verified address of one. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { Problem } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { IdentityInput, SignInClient } from '../generated/resolvers.ts';
import { signInFailed } from './credentials.ts';
import { emailOf } from './email.ts';
import { createErasedBlocks } from './erased-blocks.ts';
import type { PersonRow, Population } from './population.ts';
import { actingAs, newPersonId, startSession, writeResult, type NewSession } from './session-start.ts';

interface IdentityMatch {
  readonly row: PersonRow;
  readonly isBound: boolean;
}

/** Sign-in of a population with identities, over the area's database. */
export function createIdentitySignIn(services: AreaServices, population: Population) {
  const { database, writer } = services;
  const blocks = createErasedBlocks(services);
  const disabled = (): Problem => signInFailed(`This ${population.noun} is disabled.`);

  /** The person with the identity. Without one, the person with its verified address and no identity of this provider. Throws Problem sign_in_failed (401). */
  async function find(queryable: Queryable, { issuer, subject, email }: IdentityInput): Promise<IdentityMatch | null> {
    const bound = await population.credentials(queryable, sql`oidc_issuer = ${issuer} and oidc_subject = ${subject}`);
    const unbound = sql`lower(email) = lower(${emailOf(email ?? '')}) and oidc_issuer is distinct from ${issuer}`;
    const byEmail = bound || !email ? null : await population.credentials(queryable, unbound);
    const found = bound ?? byEmail;
    if (found?.row.status === 'DISABLED') throw disabled();
    return found && { row: found.row, isBound: bound !== null };
  }

  async function admit(transaction: WriteTransaction, id: string, input: IdentityInput): Promise<PersonRow> {
    const found = await find(transaction, input);
    if (found?.isBound) return found.row;
    if (found) return population.bind(transaction, found.row, input);
    if (await blocks.has(transaction, population, input)) throw disabled();
    return population.admit(transaction, id, input);
  }

  return {
    /** Throws Problem sign_in_failed (401: not invited, or disabled), or conflict (409: the address has another identity). */
    async signIn(input: IdentityInput, client: SignInClient): Promise<NewSession> {
      const known = await find(database, input);
      const id = known?.row.id ?? (await newPersonId(database));
      const role = known?.row.role ?? input.newcomerRole ?? null;
      return writeResult(writer, actingAs(population, { id, role }, client.address), async (transaction) => {
        await population.lockAll(transaction);
        return startSession(transaction, population, await admit(transaction, id, input), client, 'OIDC');
      });
    },
  };
}
