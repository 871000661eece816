/** The search parameters of the activity, and the filter of the API that they stand for. */
import { idPattern, type ListSearch } from '../../../components/list-search.ts';
import type { AccountActivityFilter, AccountResourceType } from '../../generated/graphql.ts';

export const resourceTypes = [
  'ACCOUNT',
  'API_KEY',
  'ACCOUNT_MEMBER',
  'ACCOUNT_INVITATION',
  'WEBHOOK_ENDPOINT',
  'PLAN_REQUEST',
  'VERIFICATION_REQUEST',
] as const satisfies readonly AccountResourceType[];

export const activitySearch = { type: resourceTypes, resource: idPattern } as const;

export type ActivitySearch = ListSearch<typeof activitySearch>;

export const activityFilterOf = ({ type, resource }: ActivitySearch): AccountActivityFilter => ({
  ...(type !== undefined && { resourceType: [type] }),
  ...(resource !== undefined && { resourceId: resource }),
});
