/** The query of the activity, for its screen and its export, and the texts of a change. */
import { actionLabel } from '../../../components/audit-labels.ts';
import type { AccountActivityQuery, AccountResourceType } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';

export const activityQuery = graphql(`
  query AccountActivity($first: Int!, $after: String, $filter: AccountActivityFilter) {
    accountActivity(first: $first, after: $after, filter: $filter) {
      nodes {
        id
        at
        resourceType
        resourceId
        resourceName
        action
        actorKind
        actorName
        changedFields
        reason
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

export type Change = NonNullable<AccountActivityQuery['accountActivity']>['nodes'][number];

/** Who made a change. Administrators and the platform itself are the operator. */
export function actorText({ actorKind, actorName }: Change): string {
  if (actorKind === 'MEMBER') return actorName ?? 'A former user';
  return actorKind === 'KEY' ? `API key ${actorName ?? ''}`.trim() : 'The operator';
}

export const actionText = ({ action }: Change): string => actionLabel(action);

export const resourceTypeTexts: Readonly<Record<AccountResourceType, string>> = {
  ACCOUNT: 'Account',
  API_KEY: 'API key',
  ACCOUNT_MEMBER: 'Member',
  ACCOUNT_INVITATION: 'Invitation',
  WEBHOOK_ENDPOINT: 'Webhook endpoint',
  PLAN_REQUEST: 'Plan request',
  VERIFICATION_REQUEST: 'Verification request',
};

const automaticFields: ReadonlySet<string> = new Set(['version', 'updatedAt']);

/** The changed members. None for a new resource: all its members are new, also its account, which no resource changes. */
export const changedFieldsOf = ({ changedFields }: Change): readonly string[] =>
  changedFields.includes('accountId') ? [] : changedFields.filter((field) => !automaticFields.has(field));
