/** What the URL of the list of keys may say. */
import { keyScopes } from '../../../schema/scopes.ts';
import type { ApiKeySort, ApiKeyStatus } from '../../generated/graphql.ts';

const statuses = ['ACTIVE', 'DISABLED', 'REVOKED'] as const satisfies readonly ApiKeyStatus[];
const sorts = [
  'CREATED_DESC',
  'CREATED_ASC',
  'NAME_ASC',
  'NAME_DESC',
  'LAST_USED_DESC',
  'LAST_USED_ASC',
] as const satisfies readonly ApiKeySort[];

/** Days within which a key expires. */
export const expirySpans = ['7', '30', '90'] as const;

export const keysSearch = {
  status: statuses,
  plan: 'text',
  scope: keyScopes,
  account: 'text',
  expires: expirySpans,
  sort: sorts,
} as const;

const dayMs = 86_400_000;

/** The end of the day that is so many days ahead: the same all day long, so that the same list is asked for. */
export const expiresWithin = (days: number): string =>
  new Date((Math.floor(Date.now() / dayMs) + days + 1) * dayMs).toISOString();
