/** Diverts the requests of test mode from an area of the platform. */
import type { Area } from '../../schema/areas.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphClient, SubgraphRequest, SubgraphResponse } from '../../schema/subgraph-client.ts';
import { isOfPlatform } from './account-operations.ts';

type Send = (request: SubgraphRequest, accountId: string) => Promise<SubgraphResponse>;

/** The same area for all other requests, and for those about keys, plans and usage. */
export function divert(area: Area, client: SubgraphClient, send: Send): SubgraphClient {
  async function ofTestMode(request: SubgraphRequest, accountId: string): Promise<SubgraphResponse> {
    const isSame = area === 'accounts' && isOfPlatform(request.query, request.viewer);
    return await (isSame ? client.query(request) : send(request, accountId));
  }

  return {
    ...client,
    query(request) {
      const { sandbox } = request.viewer;
      return sandbox === undefined ? client.query(request) : ofTestMode(request, sandbox);
    },
  };
}

/** An installation without test mode: test keys must not reach the data of the platform. */
export const withoutTestMode = (area: Area, client: SubgraphClient): SubgraphClient =>
  divert(area, client, () => Promise.reject(new Problem('upstream_unavailable', 'This installation has no test mode.')));
