/** Diverts the requests of test mode from an area of the platform. */
import { withinDeadline } from '../../platform/deadline.ts';
import type { Area } from '../../schema/areas.ts';
import { Problem } from '../../schema/errors.ts';
import {
  operationTimeouts,
  type SubgraphClient,
  type SubgraphRequest,
  type SubgraphResponse,
} from '../../schema/subgraph-client.ts';
import { deletesTestData, isOfPlatform } from './account-operations.ts';

type Send = (request: SubgraphRequest, accountId: string) => Promise<SubgraphResponse>;

/** An operation that waits for a sandbox: without the circuit breaker and the concurrency limit of the area, which it must not occupy or open. */
async function queryDirectly(area: SubgraphClient, request: SubgraphRequest): Promise<SubgraphResponse> {
  const now = performance.now();
  const deadlineMs = Math.min(now + operationTimeouts.mutationMs, request.deadlineMs ?? Infinity);
  const timeout = (): Problem => new Problem('upstream_timeout', 'The test data was not deleted in time. Retry the request.');
  return withinDeadline(area.query({ ...request, deadlineMs }), deadlineMs - now, timeout);
}

/**
 * The same area for all other requests, and for those about keys, plans and usage.
 * @param unprotected the area without its protection
 */
export function divert(area: Area, client: SubgraphClient, send: Send, unprotected = client): SubgraphClient {
  async function ofTestMode(request: SubgraphRequest, accountId: string): Promise<SubgraphResponse> {
    const isSame = area === 'accounts' && isOfPlatform(request.query, request.viewer);
    if (isSame && deletesTestData(request.query)) return queryDirectly(unprotected, request);
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
