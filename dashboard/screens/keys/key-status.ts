/** The displayed status of an API key: a key past its expiry is `EXPIRED` unless it was revoked. */
import type { ApiKeyStatus } from '../../generated/graphql.ts';

interface KeyState {
  readonly status: ApiKeyStatus;
  readonly expiresAt: string | null;
}

export function keyStatusOf({ status, expiresAt }: KeyState): ApiKeyStatus | 'EXPIRED' {
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return isExpired && status !== 'REVOKED' ? 'EXPIRED' : status;
}
