/** The numbers of items that wait in the moderation queues, for the navigation and the tabs. */
import { reviewCountMax } from '../../schema/review-counts.ts';
import { graphql } from '../graph/graphql.ts';
import { useGraphQuery } from '../graph/operations.ts';
import type { QueueName } from '../screens/moderation/queue-names.ts';

const reviewCountsQuery = graphql(`
  query ReviewCounts {
    organizationReviewCount
    athleteReviewCounts {
      athletes
      statistics
    }
    replayReviewCount
    openReportCount
  }
`);

const everyMinuteMs = 60_000;

/** The items by queue; undefined until they are loaded. */
export function useReviewCounts(): Readonly<Record<QueueName, number>> | undefined {
  const { data } = useGraphQuery(reviewCountsQuery, {}, { refetchEveryMs: everyMinuteMs });
  return (
    data && {
      organizations: data.organizationReviewCount ?? 0,
      athletes: data.athleteReviewCounts?.athletes ?? 0,
      statistics: data.athleteReviewCounts?.statistics ?? 0,
      replays: data.replayReviewCount ?? 0,
      reports: data.openReportCount ?? 0,
    }
  );
}

/** `12`, or `99+`: the API counts up to 100. Null for zero. */
export function reviewCountText(count: number): string | null {
  if (count === 0) return null;
  return count >= reviewCountMax ? `${reviewCountMax - 1}+` : String(count);
}
