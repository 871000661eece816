/** The search parameters of the lists of requests to the operator. */
import type { PartnerRequestStatus } from '../../generated/graphql.ts';

export const requestStatuses = ['OPEN', 'GRANTED', 'DECLINED', 'WITHDRAWN'] as const satisfies readonly PartnerRequestStatus[];

export const partnerRequestsSearch = { status: requestStatuses } as const;
