/** The displayed status of an API key: `EXPIRED` past its expiry, `BEING_REPLACED` in the grace period after a rotation. */
import type { ApiKeyStatus } from '../../generated/graphql.ts';

interface KeyState {
  readonly status: ApiKeyStatus;
  readonly expiresAt: string | null;
  /** The key that replaces it. */
  readonly rotatedTo: object | null;
}

export function keyStatusOf({ status, expiresAt, rotatedTo }: KeyState): ApiKeyStatus | 'EXPIRED' | 'BEING_REPLACED' {
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  if (isExpired && status !== 'REVOKED') return 'EXPIRED';
  return status === 'ACTIVE' && rotatedTo !== null ? 'BEING_REPLACED' : status;
}
