/** The search parameters of the requests of partners, and the filter of the API that they stand for. */
import type { PartnerRequestStatus } from '../../generated/graphql.ts';
import { idPattern, type ListSearch } from '../../components/list-search.ts';

export const requestKinds = ['plans', 'verifications'] as const;

export type RequestKind = (typeof requestKinds)[number];

export const requestStatuses = ['OPEN', 'GRANTED', 'DECLINED', 'WITHDRAWN'] as const satisfies readonly PartnerRequestStatus[];

export const partnerRequestsSearch = { queue: requestKinds, status: [...requestStatuses, 'ALL'], account: idPattern } as const;

export type PartnerRequestsSearch = ListSearch<typeof partnerRequestsSearch>;

/** Default: open requests. */
export const requestFilterOf = ({ status = 'OPEN', account }: PartnerRequestsSearch) => ({
  status: status === 'ALL' ? null : [status],
  accountId: account ?? null,
});
