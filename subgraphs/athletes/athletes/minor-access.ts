/** The access log of minors: who read more than the restricted profile (docs/minors.md). Owner functions write it; it is append-only. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import type { ConsentScope, MinorAccessPart } from '../generated/resolvers.ts';

/** What was read. */
export type MinorPart = MinorAccessPart;

interface ReadMinor {
  readonly id: string;
  readonly consentScopes?: readonly ConsentScope[];
}

/** Records a read of minors, in one statement for any number of them. Call it before the response is sent. */
export async function recordMinorAccess(
  database: Queryable,
  { accountId, keyId, administrator }: Viewer,
  minors: readonly ReadMinor[],
  part: MinorPart,
): Promise<void> {
  if (minors.length === 0) return;
  const reads = [...new Map(minors.map(({ id, consentScopes = [] }) => [id, consentScopes]))];
  const values = JSON.stringify(reads.map(([id, scopes]) => ({ id, scopes })));
  await database.query(sql`/* athletes.recordMinorAccess */
    select record_minor_access(${values}::jsonb, ${accountId}::uuid, ${keyId ?? ''}, ${administrator?.id ?? null}::uuid, ${part})`);
}

/** Records a read of minors by an administrator. Reads by the platform are not recorded. */
export async function recordAdministratorAccess(
  database: Queryable,
  viewer: Viewer,
  minors: readonly { readonly id: string }[],
  part: MinorPart,
): Promise<void> {
  // an administrator reads without consent, so no scopes are recorded
  if (viewer.administrator)
    await recordMinorAccess(
      database,
      viewer,
      minors.map(({ id }) => ({ id })),
      part,
    );
}

/** Deletes the access log of athletes whose data is removed. */
export async function eraseMinorAccess(transaction: Queryable, athleteIds: readonly string[]): Promise<void> {
  await transaction.query(sql`/* athletes.eraseMinorAccess */ select erase_minor_access(${[...athleteIds]}::uuid[])`);
}
