/** Administrators come in by an OpenID provider: by the identity they are bound to, or by the address they were invited by. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { rejectInvalid } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { profileViolations } from '../administrators/rules.ts';
import type { IdentityInput, SignInClient } from '../resolvers.generated.ts';
import { insertAdministrator, lockAdministrators } from '../administrators/writes.ts';
import { changeAdministrator, type AdministratorRow } from '../administrators/reads.ts';
import { actingAs, readSecret, signInFailed, startSession, writeResult, type Started } from './session-start.ts';
import { newId } from './setup.ts';
import { voidLinks } from '../administrators/setup-links.ts';

interface Found {
  readonly row: AdministratorRow;
  readonly isBound: boolean;
}

/** Whom the identity is bound to, otherwise whom its verified address belongs to and who has no identity at this provider yet. Throws Problem sign_in_failed (401). */
async function find(queryable: Queryable, { issuer, subject, email }: IdentityInput): Promise<Found | null> {
  const bound = await readSecret(queryable, sql`oidc_issuer = ${issuer} and oidc_subject = ${subject}`);
  const unbound = sql`lower(email) = lower(${email}) and oidc_issuer is distinct from ${issuer}`;
  const byEmail = bound || !email ? null : await readSecret(queryable, unbound);
  const found = bound ?? byEmail;
  if (found?.row.status === 'DISABLED') throw signInFailed('This administrator may not enter.');
  return found && { row: found.row, isBound: bound !== null };
}

/** Sign-in by identities over the area's database. */
export function createIdentities({ database, writer }: AreaServices) {
  async function admit(transaction: WriteTransaction, id: string, input: IdentityInput): Promise<AdministratorRow> {
    const found = await find(transaction, input);
    if (found?.isBound) return found.row;
    const identity = { oidc_issuer: sql`${input.issuer}`, oidc_subject: sql`${input.subject}` };
    if (found) {
      await voidLinks(transaction, found.row.id);
      return changeAdministrator(transaction, found.row, { status: 'ACTIVE' }, { action: 'identity_bound' }, identity);
    }
    const { email, name, newcomerRole: role } = input;
    if (!email) throw signInFailed('The provider has not verified an address of mail.');
    if (!role) throw signInFailed('Nobody with this address was invited.');
    const values = { id, name: name?.trim().slice(0, 200) || email.slice(0, 200), email, role, status: 'ACTIVE' } as const;
    rejectInvalid(profileViolations(values));
    return insertAdministrator(transaction, values, { action: 'created' }, identity);
  }

  return {
    /** Throws Problem sign_in_failed (401): nobody was invited, or may not enter; conflict (409): the address has another identity. */
    async signIn(input: IdentityInput, client: SignInClient): Promise<Started> {
      const known = await find(database, input);
      const id = known?.row.id ?? (await newId(database));
      const role = known?.row.role ?? input.newcomerRole ?? 'VIEWER';
      return writeResult(writer, actingAs({ id, role }, client.address), async (transaction) => {
        await lockAdministrators(transaction);
        return startSession(transaction, await admit(transaction, id, input), client, 'OIDC');
      });
    },
  };
}
