/** Users of the portal as a population of the sign-in. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { rejectInvalid } from '../../../schema/errors.ts';
import { userViewer } from '../../../schema/viewer.ts';
import type { IdentityInput } from '../generated/resolvers.ts';
import {
  acceptInvitationsOfOperator,
  findInvitation,
  inviterOf,
  joinByInvitation,
  lockInvitation,
} from '../members/acceptance.ts';
import { createOwnAccount } from '../members/own-account.ts';
import { createPasskeyTable } from '../passkeys/passkey-table.ts';
import { createRecordedRows } from '../recorded-rows.ts';
import { readCredentials, signInFailed } from '../sign-in/credentials.ts';
import { emailOf } from '../sign-in/email.ts';
import type { NewPerson, Population, SetupLinkRow } from '../sign-in/population.ts';
import { nameOfIdentity, profileViolations } from '../sign-in/profile.ts';
import { createSessionTable, hashToken } from '../sign-in/sessions.ts';
import { createLinkTable, invalidLink } from '../sign-in/setup-links.ts';
import { portalUsers, type PortalUserRow } from './rows.ts';

export const userRows = createRecordedRows(portalUsers, 'portal_user');

export const userSessions = createSessionTable({
  population: 'USERS',
  name: 'portal_session',
  owner: 'user_id',
  persons: 'portal_user',
});

export const userLinks = createLinkTable({ name: 'portal_link', owner: 'user_id', path: '/portal/setup' });

export const userPasskeys = createPasskeyTable('USERS');

/** The link for a new password, or the invitation to an account. */
async function findLink(queryable: Queryable, token: string, isLocked = false): Promise<SetupLinkRow> {
  const [reset] = await queryable.query<SetupLinkRow>(sql`/* portalLinks.find */
    select l.purpose, l.user_id as "personId", u.email, u.name, null as role, null as "memberRole", null as "accountName",
      false as "isKnownUser", l.expires_at as "expiresAt", exists (select from second_factor f where f.population = 'USERS'
        and f.person_id = u.id and f.confirmed_at is not null) as "requiresCode"
    from portal_link l join portal_user u on u.id = l.user_id
    where l.token_hash = ${hashToken(token)} and l.used_at is null and l.expires_at > now() and u.status = 'ACTIVE'
    ${isLocked ? sql`for update of l` : sql``}`);
  if (reset) return reset;
  const invitation = await findInvitation(queryable, token, isLocked);
  if (!invitation) throw invalidLink('Request a new one.');
  const { email, role, accountName, isKnownUser, expiresAt } = invitation;
  const isNew = { personId: null, name: null, role: null, requiresCode: false } as const;
  return { ...isNew, purpose: 'INVITATION', email, memberRole: role, accountName, isKnownUser, expiresAt };
}

/** Inserts a user with a password. */
export const insertUser = (transaction: WriteTransaction, person: NewPerson, passwordHash: string, isVerified: boolean) =>
  userRows.insert(
    transaction,
    person,
    { action: 'created' },
    { password_hash: sql`${passwordHash}`, email_verified_at: isVerified ? sql`now()` : sql`null` },
  );

const identityOf = ({ issuer, subject }: IdentityInput) => ({
  oidc_issuer: sql`${issuer}`,
  oidc_subject: sql`${subject}`,
  email_verified_at: sql`now()`,
});

/**
 * Removes what another person may have set up with an unconfirmed address: the password, the second factor, the passkeys and the sessions.
 * Otherwise that person would keep access after the owner of the address signs in.
 */
async function removeUnverified(transaction: WriteTransaction, user: PortalUserRow): Promise<void> {
  await userSessions.endOfPerson(transaction, user.id);
  await userPasskeys.removeAll(transaction, user.id);
  await transaction.query(
    sql`/* portalUsers.removeFactor */ delete from second_factor where population = 'USERS' and person_id = ${user.id}`,
  );
}

async function bind(transaction: WriteTransaction, id: string, identity: IdentityInput): Promise<PortalUserRow> {
  await userLinks.voidOf(transaction, id);
  const before = await userRows.lock(transaction, id);
  const isVerified = before.emailVerifiedAt !== null;
  if (!isVerified) await removeUnverified(transaction, before);
  const columns = { ...identityOf(identity), ...(!isVerified && { password_hash: sql`null` }) };
  return userRows.change(transaction, before, {}, { action: 'identity_bound' }, columns);
}

/**
 * Creates the user of a verified address: with the accounts to which the operator invited it, else with an own account where the operator allows it, else
 * without an account if members invited it.
 */
async function admit(transaction: WriteTransaction, id: string, identity: IdentityInput): Promise<PortalUserRow> {
  const { name, registers, admitsInvited } = identity;
  if (!identity.email) throw signInFailed('The identity provider returned no verified email address.');
  const email = emailOf(identity.email);
  const inviter = await inviterOf(transaction, email);
  const isAdmitted = inviter === 'OPERATOR' || registers === true || (inviter === 'MEMBER' && admitsInvited !== false);
  if (!isAdmitted) throw signInFailed('There is no invitation for this email address.');
  const person = { id, name: nameOfIdentity(name, email), email };
  rejectInvalid(profileViolations(person));
  const user = await userRows.insert(transaction, person, { action: 'created' }, identityOf(identity));
  if (inviter === 'OPERATOR') await acceptInvitationsOfOperator(transaction, user);
  else if (registers === true) await createOwnAccount(transaction, user.id, person.name, null);
  return user;
}

export const userPopulation: Population = {
  name: 'USERS',
  noun: 'user',
  table: 'portal_user',
  sessions: userSessions,
  links: userLinks,
  passkeys: userPasskeys,
  // unique indexes decide between concurrent requests
  lockAll: () => Promise.resolve(),
  lock: (transaction, id) => userRows.lock(transaction, id),
  credentials: (queryable, where) => readCredentials(queryable, portalUsers, where),
  async change(transaction, before, _, record, computed) {
    return userRows.change(transaction, await userRows.lock(transaction, before.id), {}, record, computed);
  },
  record: (transaction, row, record) => userRows.recordUnchanged(transaction, row, record),
  viewerOf: ({ id }, address) => userViewer({ userId: id, role: 'VIEWER', address }),
  // separate from the attempts for an administrator with the same address
  throttledAs: (email) => `portal ${emailOf(email).toLowerCase()}`,
  actedAs: sql`h.actor ->> 'kind' = 'MEMBER' and h.actor ->> 'userId' = p.id::text`,
  findLink,
  async useLink(transaction, token) {
    await userLinks.use(transaction, token);
  },
  async insertByLink(transaction, person, _link, passwordHash, token) {
    const invitation = await lockInvitation(transaction, token);
    const user = await insertUser(transaction, person, passwordHash, invitation.isByOperator);
    await joinByInvitation(transaction, invitation, user.id);
    return user;
  },
  bind: (transaction, { id }, identity) => bind(transaction, id, identity),
  admit,
};
