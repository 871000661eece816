/** The search parameters of the list of API keys. */
import { keyScopes } from '../../../schema/scopes.ts';
import { idPattern } from '../../components/list-search.ts';
import type { ApiKeySort, ApiKeyStatus } from '../../generated/graphql.ts';

export const statuses = ['ACTIVE', 'DISABLED', 'REVOKED'] as const satisfies readonly ApiKeyStatus[];
const sorts = [
  'CREATED_DESC',
  'CREATED_ASC',
  'NAME_ASC',
  'NAME_DESC',
  'LAST_USED_DESC',
  'LAST_USED_ASC',
] as const satisfies readonly ApiKeySort[];

/** The options of the expiry filter, in days. */
export const expirySpans = ['7', '30', '90'] as const;

export const keysSearch = {
  status: statuses,
  plan: /^[a-z][a-z0-9-]{0,39}$/,
  scope: keyScopes,
  account: idPattern,
  expires: expirySpans,
  sort: sorts,
} as const;

const dayMs = 86_400_000;

/** The end of the day (UTC) in a number of days. Constant during a day, so that the query can be cached. */
export const expiresWithin = (days: number): string =>
  new Date((Math.floor(Date.now() / dayMs) + days + 1) * dayMs).toISOString();
