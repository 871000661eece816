/** Administrators as a population of the sign-in. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { administratorViewer } from '../../../schema/viewer.ts';
import type { AdministratorStatus, SetupPurpose } from '../generated/resolvers.ts';
import { createPasskeyTable } from '../passkeys/passkey-table.ts';
import { createRecordedRows } from '../recorded-rows.ts';
import { readCredentials, signInFailed } from '../sign-in/credentials.ts';
import { emailOf } from '../sign-in/email.ts';
import type { Population, SetupLinkRow } from '../sign-in/population.ts';
import { nameOfIdentity, profileViolations } from '../sign-in/profile.ts';
import { createSessionTable, hashToken } from '../sign-in/sessions.ts';
import { createLinkTable, invalidLink } from '../sign-in/setup-links.ts';
import { administrators } from './rows.ts';

/** The rows of administrators. No event: administrators are not visible to accounts. */
export const administratorRows = createRecordedRows(administrators, 'administrator');

export const administratorSessions = createSessionTable({
  population: 'ADMINISTRATORS',
  name: 'administrator_session',
  owner: 'administrator_id',
  persons: 'administrator',
});

export const administratorLinks = createLinkTable({ name: 'setup_link', owner: 'administrator_id', path: '/admin/setup' });

export const administratorPasskeys = createPasskeyTable('ADMINISTRATORS');

/** Locks all administrators for a change of owners: otherwise two owners who remove each other concurrently would leave none. */
export async function lockAdministrators(transaction: Queryable): Promise<void> {
  await transaction.query(sql`/* administrators.lockAll */ select pg_advisory_xact_lock(hashtextextended('administrators', 0))`);
}

/** The required status of the administrator: an invitation that was accepted in another way is invalid. */
const statuses: Readonly<Record<Exclude<SetupPurpose, 'FIRST_OWNER'>, AdministratorStatus>> = {
  INVITATION: 'INVITED',
  RESET: 'ACTIVE',
};

/** The purpose of a new link. Throws Problem conflict (409) for a disabled administrator. */
export function purposeFor({ status, email }: { readonly status: AdministratorStatus; readonly email: string }): SetupPurpose {
  if (status === 'DISABLED')
    throw new Problem('conflict', `${email} is disabled. Enable the administrator before you create a link.`);
  return status === 'INVITED' ? 'INVITATION' : 'RESET';
}

/** Whether there is an active or invited owner. Other roles from an identity provider do not prevent the setup of the first owner. */
export const hasOwner = sql`exists (select from administrator where role = 'OWNER' and status <> 'DISABLED')`;

async function findLink(queryable: Queryable, token: string, isLocked = false): Promise<SetupLinkRow> {
  const [row] = await queryable.query<SetupLinkRow>(sql`/* setupLinks.find */
    select l.purpose, l.administrator_id as "personId", a.email, a.name, coalesce(a.role, 'OWNER') as role, null as "memberRole",
      null as "accountName", false as "isKnownUser", l.expires_at as "expiresAt",
      l.purpose = 'RESET' and exists (select from second_factor f where f.population = 'ADMINISTRATORS' and f.person_id = a.id
        and f.confirmed_at is not null) as "requiresCode"
    from setup_link l left join administrator a on a.id = l.administrator_id
    where l.token_hash = ${hashToken(token)} and l.used_at is null and l.expires_at > now()
      and case l.purpose when 'FIRST_OWNER' then not ${hasOwner}
        when 'INVITATION' then a.status = ${statuses.INVITATION} else a.status = ${statuses.RESET} end
    ${isLocked ? sql`for update of l` : sql``}`);
  if (!row) throw invalidLink();
  return row;
}

const identityOf = ({ issuer, subject }: { readonly issuer: string; readonly subject: string }) => ({
  oidc_issuer: sql`${issuer}`,
  oidc_subject: sql`${subject}`,
});

export const administratorPopulation: Population = {
  name: 'ADMINISTRATORS',
  noun: 'administrator',
  table: 'administrator',
  sessions: administratorSessions,
  links: administratorLinks,
  passkeys: administratorPasskeys,
  lockAll: lockAdministrators,
  lock: (transaction, id) => administratorRows.lock(transaction, id),
  credentials: (queryable, where) => readCredentials(queryable, administrators, where),
  async change(transaction, before, values, record, computed) {
    return administratorRows.change(transaction, await administratorRows.lock(transaction, before.id), values, record, computed);
  },
  record: (transaction, row, record) => administratorRows.recordUnchanged(transaction, row, record),
  viewerOf: ({ id, role }, address) => administratorViewer({ id, role: role ?? 'VIEWER', address }),
  throttledAs: (email) => emailOf(email).toLowerCase(),
  actedAs: sql`h.actor ->> 'kind' = 'ADMINISTRATOR' and h.actor ->> 'administratorId' = p.id::text`,
  findLink,
  useLink: (transaction, token) => administratorLinks.use(transaction, token),
  insertByLink(transaction, person, { purpose, role }, passwordHash) {
    const values = { ...person, role: role ?? 'VIEWER', status: 'ACTIVE' } as const;
    const action = purpose === 'RESET' ? 'password_reset' : 'set_up';
    return administratorRows.insert(transaction, values, { action }, { password_hash: sql`${passwordHash}` });
  },
  async bind(transaction, { id }, identity) {
    await administratorLinks.voidOf(transaction, id);
    const before = await administratorRows.lock(transaction, id);
    const record = { action: 'identity_bound' };
    return administratorRows.change(transaction, before, { status: 'ACTIVE' }, record, identityOf(identity));
  },
  admit(transaction, id, identity) {
    const { name, newcomerRole: role } = identity;
    if (!identity.email) throw signInFailed('The identity provider returned no verified email address.');
    const email = emailOf(identity.email);
    if (!role) throw signInFailed('There is no invitation for this email address.');
    const values = {
      id,
      name: nameOfIdentity(name, email),
      email,
      role,
      status: 'ACTIVE',
    } as const;
    rejectInvalid(profileViolations(values));
    return administratorRows.insert(transaction, values, { action: 'created' }, identityOf(identity));
  },
};
