/** How a key stands, in words of the list: an active key whose time is over has expired. */
import type { ApiKeyStatus } from '../../generated/graphql.ts';

interface Standing {
  readonly status: ApiKeyStatus;
  readonly expiresAt: string | null;
}

export function standingOf({ status, expiresAt }: Standing): ApiKeyStatus | 'EXPIRED' {
  const over = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return over && status !== 'REVOKED' ? 'EXPIRED' : status;
}
