/** Setup links, with which administrators set a password: usable once and for a limited time. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { Problem } from '../../../schema/errors.ts';
import type { Role } from '../../../schema/roles.ts';
import type { AdministratorStatus, SetupPurpose } from '../generated/resolvers.ts';
import { createToken, hashToken } from './sessions.ts';

/** A valid link; `administratorId` is null for the first owner, which the link creates. */
export interface SetupLinkRow {
  readonly purpose: SetupPurpose;
  readonly administratorId: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role;
  readonly expiresAt: string;
}

/** A created link. Its token is not stored. */
export interface CreatedLink {
  readonly setupPath: string;
  readonly expiresAt: string;
}

const lifetimes: Readonly<Record<SetupPurpose, string>> = {
  FIRST_OWNER: '30 minutes',
  INVITATION: '24 hours',
  RESET: '30 minutes',
};

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

/** Deletes the unused links of an administrator, or those for the first owner. */
export async function voidLinks(transaction: Queryable, administratorId: string | null): Promise<void> {
  await transaction.query(
    sql`/* setupLinks.void */ delete from setup_link where administrator_id is not distinct from ${administratorId}::uuid and used_at is null`,
  );
}

/** Creates a link and deletes earlier ones. */
export async function insertLink(
  transaction: Queryable,
  purpose: SetupPurpose,
  administratorId: string | null,
): Promise<CreatedLink> {
  await voidLinks(transaction, administratorId);
  const { token, hash } = createToken();
  const [row] = await transaction.query<{ expiresAt: string }>(sql`/* setupLinks.insert */
    insert into setup_link (token_hash, purpose, administrator_id, expires_at)
    values (${hash}, ${purpose}, ${administratorId}, now() + ${lifetimes[purpose]}::interval) returning expires_at as "expiresAt"`);
  if (!row) throw new Error('insert into setup_link returned no row');
  return { setupPath: `/admin/setup#${token}`, expiresAt: row.expiresAt };
}

/** Whether there is an active or invited owner. Other roles from an identity provider do not prevent the setup of the first owner. */
export const hasOwner = sql`exists (select from administrator where role = 'OWNER' and status <> 'DISABLED')`;

const invalidLink = (): Problem =>
  new Problem('gone', 'This link was used, has expired or was replaced. Request a new one, or create one with npm run admin.');

/** Finds a valid link, locked if `lock` is given. Throws Problem gone (410). */
export async function findLink(queryable: Queryable, token: string, lock = sql``): Promise<SetupLinkRow> {
  const [row] = await queryable.query<SetupLinkRow>(sql`/* setupLinks.find */
    select l.purpose, l.administrator_id as "administratorId", a.email, a.name, coalesce(a.role, 'OWNER') as role, l.expires_at as "expiresAt"
    from setup_link l left join administrator a on a.id = l.administrator_id
    where l.token_hash = ${hashToken(token)} and l.used_at is null and l.expires_at > now()
      and case l.purpose when 'FIRST_OWNER' then not ${hasOwner}
        when 'INVITATION' then a.status = ${statuses.INVITATION} else a.status = ${statuses.RESET} end ${lock}`);
  if (!row) throw invalidLink();
  return row;
}

/** Marks a link as used; only one of several concurrent requests succeeds. Throws Problem gone (410). */
export async function useLink(transaction: Queryable, token: string): Promise<SetupLinkRow> {
  const link = await findLink(transaction, token, sql`for update of l`);
  await transaction.query(sql`/* setupLinks.use */ update setup_link set used_at = now() where token_hash = ${hashToken(token)}`);
  return link;
}
