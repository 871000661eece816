/** Reads of credentials. The password hash must not leave the sign-in code. */
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { Table } from '../../../platform/database/table.ts';
import { Problem } from '../../../schema/errors.ts';
import type { Credentials, PersonRow } from './population.ts';

export const signInFailed = (detail: string): Problem => new Problem('sign_in_failed', detail);

/** A person with the password hash; null if there is none. */
export async function readCredentials(
  queryable: Queryable,
  { name, columns }: Pick<Table<PersonRow>, 'name' | 'columns'>,
  where: Sql,
): Promise<Credentials | null> {
  const [found] = await queryable.query<PersonRow & { readonly passwordHash: string | null }>(
    sql`${raw(`/* ${name}.credentials */`)} select ${columns}, password_hash as "passwordHash" from ${raw(name)} where ${where}`,
  );
  if (!found) return null;
  const { passwordHash, ...row } = found;
  return { row, passwordHash };
}
