/** The encrypted values of the area after a rotation of SECRET. The hashes of API keys follow when each key is used (router/admission/key-check.ts). */
import { openDatabase, raw, sql, type Queryable } from '../../platform/database/database.ts';
import { seal, unseal } from '../../platform/security/sealed-text.ts';
import type { Secrets } from '../../platform/security/secrets.ts';
import { secondFactorPurpose } from './sign-in/second-factors.ts';
import { webhookSecretPurpose } from './webhooks/endpoint-secrets.ts';

/** The columns with encrypted values, each with the owner that is authenticated with the value. */
const columns = [
  { table: 'accounts.webhook_secret', owner: 'endpoint_id::text', purpose: webhookSecretPurpose },
  { table: 'accounts.second_factor', owner: `population || ' ' || person_id`, purpose: secondFactorPurpose },
] as const;

const rowsMax = 500;

/** Encrypts the values of a column again. A value that was changed meanwhile is left to the next batch. Returns their number. */
async function resealBatch(
  database: Queryable,
  secrets: Secrets,
  version: number,
  column: (typeof columns)[number],
): Promise<number> {
  const { table, owner, purpose } = column;
  const key = { secrets, purpose };
  const rows = await database.query<{ owner: string; encrypted: Buffer }>(sql`/* secretRotation.read */
    select ${raw(owner)} as owner, encrypted from ${raw(table)} where get_byte(encrypted, 0) = ${version} limit ${rowsMax}`);
  const sealed = rows.map((row) => seal(key, row.owner, unseal(key, row.owner, row.encrypted)));
  await database.query(sql`/* secretRotation.write */ update ${raw(table)} t set encrypted = n.sealed
    from unnest(${rows.map(({ encrypted }) => encrypted)}::bytea[], ${sealed}::bytea[]) n (known, sealed) where t.encrypted = n.known`);
  return rows.length;
}

/**
 * Encrypts the values of the previous secret with the current one. Does nothing without a rotation in progress.
 * @param ownerUrl the database of the area, as its owner
 * @returns the number of values
 */
export async function resealValues(ownerUrl: string, secrets: Secrets): Promise<number> {
  if (secrets.previous === null) return 0;
  const database = openDatabase({ url: ownerUrl, name: 'secret-rotation', poolSize: 1 });
  try {
    let count = 0;
    for (const column of columns)
      for (let batch = rowsMax; batch === rowsMax; count += batch)
        batch = await resealBatch(database, secrets, secrets.previous.version, column);
    return count;
  } finally {
    await database.close();
  }
}
