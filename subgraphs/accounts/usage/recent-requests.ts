/** The latest requests of keys, as routers report them. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import type { RecentRequest } from '../generated/resolvers.ts';

interface RecentRequestsKey {
  readonly publicId: string;
  readonly first: number;
}

/** Batch read over the area's database: up to `first` requests per key, newest first. */
export function createRecentRequests(database: Queryable): BatchRead<RecentRequestsKey, RecentRequest[]> {
  return async (keys) => {
    const rows = await database.query<RecentRequest & { publicId: string }>(sql`/* apiKeys.recentRequests */
      select r.public_id as "publicId", q.at, q.operation, q.area, q.status, q.duration_ms as "durationMs", q.request_id as "requestId"
      from recent_request r, unnest(r.requests) q where r.public_id = any(${keys.map(({ publicId }) => publicId)})
      order by r.public_id, q.at desc`);
    const byKey = Map.groupBy(rows, ({ publicId }) => publicId);
    return keys.map(({ publicId, first }) => (byKey.get(publicId) ?? []).slice(0, first));
  };
}
