/** Sign-in with an OpenID identity: the identity that is bound to an administrator, or the verified address of one. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { rejectInvalid } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { changeAdministrator, insertAdministrator, lockAdministrators } from '../administrators/row-changes.ts';
import type { AdministratorRow } from '../administrators/rows.ts';
import { profileViolations } from '../administrators/rules.ts';
import type { IdentityInput, SignInClient } from '../generated/resolvers.ts';
import {
  actingAs,
  newAdministratorId,
  readCredentials,
  signInFailed,
  startSession,
  writeResult,
  type NewSession,
} from './session-start.ts';
import { voidLinks } from '../administrators/setup-links.ts';

interface IdentityMatch {
  readonly row: AdministratorRow;
  readonly isBound: boolean;
}

/** The administrator to which the identity is bound, or else the one with its verified address and without an identity of this provider. Throws Problem sign_in_failed (401). */
async function findByIdentity(queryable: Queryable, { issuer, subject, email }: IdentityInput): Promise<IdentityMatch | null> {
  const bound = await readCredentials(queryable, sql`oidc_issuer = ${issuer} and oidc_subject = ${subject}`);
  const unbound = sql`lower(email) = lower(${email}) and oidc_issuer is distinct from ${issuer}`;
  const byEmail = bound || !email ? null : await readCredentials(queryable, unbound);
  const found = bound ?? byEmail;
  if (found?.row.status === 'DISABLED') throw signInFailed('This administrator is disabled.');
  return found && { row: found.row, isBound: bound !== null };
}

/** Sign-in with identities over the area's database. */
export function createIdentitySignIn({ database, writer }: AreaServices) {
  async function admit(transaction: WriteTransaction, id: string, input: IdentityInput): Promise<AdministratorRow> {
    const found = await findByIdentity(transaction, input);
    if (found?.isBound) return found.row;
    const identity = { oidc_issuer: sql`${input.issuer}`, oidc_subject: sql`${input.subject}` };
    if (found) {
      await voidLinks(transaction, found.row.id);
      return changeAdministrator(transaction, found.row, { status: 'ACTIVE' }, { action: 'identity_bound' }, identity);
    }
    const { email, name, newcomerRole: role } = input;
    if (!email) throw signInFailed('The identity provider returned no verified email address.');
    if (!role) throw signInFailed('There is no invitation for this email address.');
    const values = { id, name: name?.trim().slice(0, 200) || email.slice(0, 200), email, role, status: 'ACTIVE' } as const;
    rejectInvalid(profileViolations(values));
    return insertAdministrator(transaction, values, { action: 'created' }, identity);
  }

  return {
    /** Throws Problem sign_in_failed (401: not invited, or disabled), or conflict (409: the address has another identity). */
    async signIn(input: IdentityInput, client: SignInClient): Promise<NewSession> {
      const known = await findByIdentity(database, input);
      const id = known?.row.id ?? (await newAdministratorId(database));
      const role = known?.row.role ?? input.newcomerRole ?? 'VIEWER';
      return writeResult(writer, actingAs({ id, role }, client.address), async (transaction) => {
        await lockAdministrators(transaction);
        return startSession(transaction, await admit(transaction, id, input), client, 'OIDC');
      });
    },
  };
}
