/** The search parameters of the list of accounts. */
import type { AccountStatus } from '../../generated/graphql.ts';

export const accountStatuses = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const satisfies readonly AccountStatus[];

export const accountsSearch = {
  status: accountStatuses,
  sort: ['CREATED_DESC', 'CREATED_ASC', 'NAME_ASC', 'NAME_DESC'],
} as const;
