/** The actions on several accounts at once. */
import type { BulkAction } from '../../components/bulk-actions.tsx';
import { formatCount } from '../../components/number-format.ts';
import { graphql } from '../../graph/graphql.ts';
import type { ListedAccount } from './accounts-query.ts';

export const suspendMutation = graphql(`
  mutation SuspendAccount($id: ID!, $reason: String) {
    suspendAccount(id: $id, reason: $reason) {
      id
    }
  }
`);

export const accountBulkActions: readonly BulkAction<ListedAccount>[] = [
  {
    verb: 'Suspend',
    pastTense: 'suspended',
    document: suspendMutation,
    impact: 'Requests with the API keys of these accounts fail within one second, until you reinstate the accounts.',
    skipReason: ({ status }) => (status === 'ACTIVE' ? null : `skipped: already ${status.toLowerCase()}`),
    detailsOf: ({ liveKeys, requestsLast24Hours }) =>
      `${formatCount(liveKeys)} live API keys, ${formatCount(requestsLast24Hours)} requests in the last 24 hours`,
  },
];
