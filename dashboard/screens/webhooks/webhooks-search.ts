/** The search parameters of the webhook screens, and the filters of the API that they stand for. */
import type {
  WebhookDeliveryFilter,
  WebhookDeliveryStatus,
  WebhookEndpointFilter,
  WebhookEndpointStatus,
} from '../../generated/graphql.ts';
import { instantOf } from '../../components/instant.ts';
import { idPattern, minutePattern, type ListSearch } from '../../components/list-search.ts';

export const endpointStatuses = ['ENABLED', 'DISABLED'] as const satisfies readonly WebhookEndpointStatus[];

export const webhooksSearch = { status: endpointStatuses, failing: ['YES', 'NO'], account: idPattern } as const;

export const endpointFilterOf = ({ status, failing, account }: ListSearch<typeof webhooksSearch>): WebhookEndpointFilter => ({
  status: status ?? null,
  failing: failing === undefined ? null : failing === 'YES',
  accountId: account ?? null,
});

export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED', 'DROPPED'] as const satisfies readonly WebhookDeliveryStatus[];

export const deliveriesSearch = { status: deliveryStatuses, type: /^[a-z_.]{1,60}$/, since: minutePattern } as const;

export const deliveryFilterOf = ({ status, type, since }: ListSearch<typeof deliveriesSearch>): WebhookDeliveryFilter => ({
  status: status ?? null,
  type: type === undefined ? null : [type],
  since: instantOf(since),
});
