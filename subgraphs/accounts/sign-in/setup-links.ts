/** Links with which people set a password: usable once and for a limited time. The table has only the hash of the token. */
import { raw, sql, type Queryable } from '../../../platform/database/database.ts';
import { Problem } from '../../../schema/errors.ts';
import type { SetupPurpose } from '../generated/resolvers.ts';
import { createToken, hashToken } from './sessions.ts';

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

export const invalidLink = (detail = 'Request a new one, or create one with npm run admin.'): Problem =>
  new Problem('gone', `This link was used, has expired or was replaced. ${detail}`);

interface LinkTableNames {
  readonly name: string;
  /** Column of the person. */
  readonly owner: string;
  /** Path of the page that opens the link. */
  readonly path: string;
}

/** The links of one population. */
export function createLinkTable({ name, owner, path }: LinkTableNames) {
  const [from, person] = [raw(name), raw(owner)];

  async function voidOf(transaction: Queryable, personId: string | null): Promise<void> {
    await transaction.query(
      sql`/* setupLinks.void */ delete from ${from} where ${person} is not distinct from ${personId}::uuid and used_at is null`,
    );
  }

  return {
    /** Deletes the unused links of a person, or those for the first owner. */
    voidOf,
    /** Creates a link and deletes earlier ones. */
    async insert(transaction: Queryable, purpose: SetupPurpose, personId: string | null): Promise<CreatedLink> {
      await voidOf(transaction, personId);
      const { token, hash } = createToken();
      const [row] = await transaction.query<{ expiresAt: string }>(sql`/* setupLinks.insert */
        insert into ${from} (token_hash, purpose, ${person}, expires_at)
        values (${hash}, ${purpose}, ${personId}, now() + ${lifetimes[purpose]}::interval) returning expires_at as "expiresAt"`);
      if (!row) throw new Error(`insert into ${name} returned no row`);
      return { setupPath: `${path}#${token}`, expiresAt: row.expiresAt };
    },
    async use(transaction: Queryable, token: string): Promise<void> {
      await transaction.query(
        sql`/* setupLinks.use */ update ${from} set used_at = now() where token_hash = ${hashToken(token)}`,
      );
    },
  };
}

export type LinkTable = ReturnType<typeof createLinkTable>;
