/** The search parameters of the webhook screens of the dashboard and the portal, and the filter of deliveries. */
import type { WebhookDeliveryFilter, WebhookDeliveryStatus, WebhookEndpointStatus } from '../../generated/graphql.ts';
import { instantOf } from '../instant.ts';
import { minutePattern, type ListSearch } from '../list-search.ts';

export const endpointStatuses = ['ENABLED', 'DISABLED'] as const satisfies readonly WebhookEndpointStatus[];

export const endpointsSearch = { status: endpointStatuses, failing: ['YES', 'NO'] } as const;

/** The filter of the API without the account. */
export const endpointFilterOf = ({ status, failing }: ListSearch<typeof endpointsSearch>) => ({
  status: status ?? null,
  failing: failing === undefined ? null : failing === 'YES',
});

export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED', 'DROPPED'] as const satisfies readonly WebhookDeliveryStatus[];

export const deliveriesSearch = { status: deliveryStatuses, type: /^[a-z_.]{1,60}$/, since: minutePattern } as const;

export const deliveryFilterOf = ({ status, type, since }: ListSearch<typeof deliveriesSearch>): WebhookDeliveryFilter => ({
  status: status ?? null,
  type: type === undefined ? null : [type],
  since: instantOf(since),
});
