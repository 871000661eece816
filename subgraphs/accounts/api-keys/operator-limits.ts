/** What members cannot change of keys: an expired key stays expired, and a key that the operator issued keeps its limits. */
import { Problem } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { isWithin, networkOf } from '../../../platform/http/networks.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { keyModeOf } from '../../../platform/security/api-key.ts';
import { memberLineage } from '../own-keys/account-plan.ts';
import type { ApiKeyRow } from './rows.ts';
import { hasExpired } from './rules.ts';

interface Limits extends Pick<ApiKeyRow, 'scopes' | 'allowedCidrs' | 'expiresAt'> {
  /** Null in an update is rejected later. */
  readonly registeredDocumentsOnly: boolean | null;
}

/** Whether each network is part of an earlier one. No networks means all addresses. */
function isNarrower(networks: readonly string[], earlier: readonly string[]): boolean {
  if (earlier.length === 0) return true;
  const outer = earlier.map(networkOf);
  const isPart = (network: string): boolean => {
    const { first, bits } = networkOf(network);
    return isWithin(
      first,
      outer.filter((one) => one.bits <= bits),
    );
  };
  return networks.length > 0 && networks.every(isPart);
}

/** The members of an update that allow more than before. */
function extended(before: Limits, after: Limits): string[] {
  const ends = (expiresAt: string | null): number => (expiresAt === null ? Infinity : Date.parse(expiresAt));
  const allowsMore = {
    scopes: after.scopes.some((scope) => !before.scopes.includes(scope)),
    allowedCidrs: !isNarrower(after.allowedCidrs, before.allowedCidrs),
    registeredDocumentsOnly: before.registeredDocumentsOnly === true && after.registeredDocumentsOnly !== true,
    expiresAt: ends(after.expiresAt) > ends(before.expiresAt),
  };
  return Object.entries(allowsMore).flatMap(([member, isMore]) => (isMore ? [member] : []));
}

/**
 * Throws Problem conflict (409) if a member changes an expired key, or extends a key that the operator issued. The successors of a key belong to
 * its issuer, regardless of who rotated it.
 */
export async function requireOperatorLimits(
  transaction: Queryable,
  viewer: Viewer,
  before: ApiKeyRow,
  values: Partial<Limits>,
): Promise<void> {
  if (viewer.kind !== 'MEMBER') return;
  if (hasExpired(before)) throw new Problem('conflict', 'This API key has expired. Create a new key instead.');
  const changed = extended(before, { ...before, ...values });
  if (changed.length === 0) return;
  const [lineage] = await transaction.query<{ isOwn: boolean | null }>(sql`/* apiKeys.isOfMembers */
    select ${memberLineage(sql`${before.accountId}`, keyModeOf(before.publicId))} = ${before.quotaSubjectId} as "isOwn"`);
  if (lineage?.isOwn !== true)
    throw new Problem('conflict', `The operator issued this key. Only the operator can extend ${changed.join(', ')}.`);
}
