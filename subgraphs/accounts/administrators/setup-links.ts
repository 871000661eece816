/** Links by which administrators come in: good once, and for a while. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { Problem } from '../../../schema/errors.ts';
import type { Role } from '../../../schema/roles.ts';
import type { AdministratorStatus, SetupPurpose } from '../resolvers.generated.ts';
import { createToken, hashToken } from './sessions.ts';

/** What a link is good for; `administratorId` is null for the first owner, who is made by it. */
export interface LookedUp {
  readonly purpose: SetupPurpose;
  readonly administratorId: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role;
  readonly expiresAt: string;
}

/** A link that was made: its token is here and nowhere else. */
export interface Created {
  readonly setupPath: string;
  readonly expiresAt: string;
}

const lifetimes: Readonly<Record<SetupPurpose, string>> = {
  FIRST_OWNER: '30 minutes',
  INVITATION: '24 hours',
  RESET: '30 minutes',
};

/** Who may use which link: an invitation that was accepted in another way is over. */
const statuses: Readonly<Record<Exclude<SetupPurpose, 'FIRST_OWNER'>, AdministratorStatus>> = {
  INVITATION: 'INVITED',
  RESET: 'ACTIVE',
};

/** The purpose of a link for somebody who is there. Throws Problem conflict (409) for who may not enter. */
export function purposeFor({ status, email }: { readonly status: AdministratorStatus; readonly email: string }): SetupPurpose {
  if (status === 'DISABLED') throw new Problem('conflict', `${email} is disabled, and gets no link. Enable it first.`);
  return status === 'INVITED' ? 'INVITATION' : 'RESET';
}

/** Voids the links of an administrator, or those of the first owner. */
export async function voidLinks(transaction: Queryable, administratorId: string | null): Promise<void> {
  await transaction.query(
    sql`/* setupLinks.void */ delete from setup_link where administrator_id is not distinct from ${administratorId}::uuid and used_at is null`,
  );
}

/** Makes a link, and voids the one before. */
export async function insertLink(
  transaction: Queryable,
  purpose: SetupPurpose,
  administratorId: string | null,
): Promise<Created> {
  await voidLinks(transaction, administratorId);
  const { token, hash } = createToken();
  const [row] = await transaction.query<{ expiresAt: string }>(sql`/* setupLinks.insert */
    insert into setup_link (token_hash, purpose, administrator_id, expires_at)
    values (${hash}, ${purpose}, ${administratorId}, now() + ${lifetimes[purpose]}::interval) returning expires_at as "expiresAt"`);
  if (!row) throw new Error('insert into setup_link returned no row');
  return { setupPath: `/admin/setup#${token}`, expiresAt: row.expiresAt };
}

/** Whether somebody is an owner or was invited to be: who comes from a provider as less keeps the first owner out in no way. */
export const hasOwner = sql`exists (select from administrator where role = 'OWNER' and status <> 'DISABLED')`;

const gone = (): Problem =>
  new Problem('gone', 'This link was used, is over, or another took its place. Ask for a new one, or make one: npm run admin.');

/** What a link is good for; in a transaction that means to use it, locked. Throws Problem gone (410). */
export async function lookUp(queryable: Queryable, token: string, lock = sql``): Promise<LookedUp> {
  const [row] = await queryable.query<LookedUp>(sql`/* setupLinks.lookUp */
    select l.purpose, l.administrator_id as "administratorId", a.email, a.name, coalesce(a.role, 'OWNER') as role, l.expires_at as "expiresAt"
    from setup_link l left join administrator a on a.id = l.administrator_id
    where l.token_hash = ${hashToken(token)} and l.used_at is null and l.expires_at > now()
      and case l.purpose when 'FIRST_OWNER' then not ${hasOwner}
        when 'INVITATION' then a.status = ${statuses.INVITATION} else a.status = ${statuses.RESET} end ${lock}`);
  if (!row) throw gone();
  return row;
}

/** Uses a link up: of several who try at once, one. Throws Problem gone (410). */
export async function takeLink(transaction: Queryable, token: string): Promise<LookedUp> {
  const link = await lookUp(transaction, token, sql`for update of l`);
  await transaction.query(
    sql`/* setupLinks.take */ update setup_link set used_at = now() where token_hash = ${hashToken(token)}`,
  );
  return link;
}
