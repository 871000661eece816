/** Counts of the moderation queues of athletes and of reported statistics. */
import { reviewCountMax } from '../../../schema/review-counts.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { AthleteReviewCounts } from '../generated/resolvers.ts';
import { visibleInLists, visibleWithConsent } from './visible-rows.ts';

/** What waits for a moderator and the viewer can read, at most `reviewCountMax` each. The statuses are literals, to match the partial indexes. */
export async function countForReview({ database }: Pick<AreaServices, 'database'>, viewer: Viewer): Promise<AthleteReviewCounts> {
  const [counts] = await database.query<AthleteReviewCounts>(sql`/* athletes.countForReview */ select
    (select count(*)::int from (select from athlete where status = 'ACTIVE'
      and verification_status in ('PENDING', 'UNVERIFIED') and ${visibleInLists(viewer, false, [])} limit ${reviewCountMax}) waiting) as athletes,
    (select count(*)::int from (select from statistics join athlete on athlete.id = statistics.athlete_id
      where not statistics.verified and statistics.source in ('PROVIDER', 'SELF_REPORTED') and ${visibleWithConsent(viewer, 'PROFILE')}
      limit ${reviewCountMax}) waiting) as statistics`);
  return counts ?? { athletes: 0, statistics: 0 };
}
