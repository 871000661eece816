/** The search parameters of the list of webhook endpoints, and the filter of the API that they stand for. */
import type { WebhookEndpointFilter } from '../../generated/graphql.ts';
import { idPattern, type ListSearch } from '../../components/list-search.ts';
import { endpointFilterOf, endpointsSearch } from '../../components/webhooks/webhook-search.ts';

export const webhooksSearch = { ...endpointsSearch, account: idPattern } as const;

export const webhooksFilterOf = ({ account, ...search }: ListSearch<typeof webhooksSearch>): WebhookEndpointFilter => ({
  ...endpointFilterOf(search),
  accountId: account ?? null,
});
