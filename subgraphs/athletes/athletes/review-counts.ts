/** Counts of the moderation queues of athletes and of reported statistics. */
import { reviewCountMax } from '../../../schema/review-counts.ts';
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { AthleteReviewCounts } from '../generated/resolvers.ts';

/** What waits for a moderator, at most `reviewCountMax` each. The statuses are literals, to match the partial indexes. */
export async function countForReview({ database }: Pick<AreaServices, 'database'>): Promise<AthleteReviewCounts> {
  const [counts] = await database.query<AthleteReviewCounts>(sql`/* athletes.countForReview */ select
    (select count(*)::int from (select from athlete where status = 'ACTIVE'
      and verification_status in ('PENDING', 'UNVERIFIED') limit ${reviewCountMax}) waiting) as athletes,
    (select count(*)::int from (select from statistics where not verified
      and source in ('PROVIDER', 'SELF_REPORTED') limit ${reviewCountMax}) waiting) as statistics`);
  return counts ?? { athletes: 0, statistics: 0 };
}
