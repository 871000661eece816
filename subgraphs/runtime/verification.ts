/** Verification by a moderator covers specific members: when the owner changes one of them, a new decision is pending. */
import { isDeepStrictEqual } from 'node:util';
import { hasFullAccess, type Viewer } from '../../schema/viewer.ts';

interface Verification {
  readonly status: 'UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'REJECTED';
  readonly method: string | null;
  readonly at: string | null;
}

/**
 * The verification of a row after a change.
 * @param identity the members that the verification covers
 */
export function verificationAfter<Row extends { readonly verification: Verification }>(
  viewer: Viewer,
  before: Row,
  changed: { readonly [Member in keyof Row]?: unknown },
  identity: readonly (keyof Row)[],
): Verification {
  if (before.verification.status !== 'VERIFIED' || hasFullAccess(viewer)) return before.verification;
  const isOther = (member: keyof Row): boolean =>
    changed[member] !== undefined && !isDeepStrictEqual(changed[member], before[member]);
  return identity.some(isOther) ? { status: 'PENDING', method: null, at: new Date().toISOString() } : before.verification;
}
