/** The analytics of the requests of an API key, an account or the platform. */
import { useState } from 'react';
import { AnalyticsSection } from '../../components/requests/analytics-section.tsx';
import { periodStarts, type TimeRange } from '../../components/usage/usage-periods.ts';
import { graphql } from '../../graph/graphql.ts';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';

const analyticsQuery = graphql(`
  query RequestAnalytics($since: DateTime!, $accountId: ID, $key: String) {
    requestAnalytics(since: $since, by: OPERATION, accountId: $accountId, key: $key) {
      total {
        requests
        errorRate
        p50Ms
        p95Ms
        p99Ms
      }
      previous {
        requests
        errorRate
        p50Ms
        p95Ms
        p99Ms
      }
      series {
        startsAt
        summary {
          requests
          errors
        }
      }
      groups {
        api
        name
        summary {
          requests
          errorRate
          p50Ms
          p95Ms
          p99Ms
        }
        previous {
          requests
          errorRate
          p95Ms
        }
      }
      errors {
        code
        requests
        previous
      }
      markers {
        at
        kind
        name
      }
    }
  }
`);

/** Whose requests; none for the whole platform. */
export interface AnalyticsOwner {
  readonly accountId?: string;
  /** Public ID of an API key. */
  readonly publicId?: string;
}

export function RequestAnalytics({ accountId, publicId }: AnalyticsOwner) {
  const [range, setRange] = useState<TimeRange>('HOUR');
  const variables = { since: periodStarts(range)[0] ?? '', accountId: accountId ?? null, key: publicId ?? null };
  const analytics = useGraphQuery(analyticsQuery, variables, { refetchEveryMs });
  const search = { ...(accountId !== undefined && { account: accountId }), ...(publicId !== undefined && { key: publicId }) };
  return <AnalyticsSection query={analytics} range={range} setRange={setRange} search={search} />;
}
