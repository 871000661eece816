/** The open opportunities that suit an athlete best, over the read model alone: without a word of other areas. */
import type { Queryable } from '../../../platform/database/database.ts';
import type { AthleteFacts, Moment } from '../matching/facts.ts';
import { computeFit } from '../matching/match.ts';
import { findOpportunityCandidates } from './opportunity-candidates.ts';
import { rankItems, type RankedItem, type RankingOptions } from '../recommending/ranking.ts';

/**
 * At most 500 opportunities that take applications are found by index, compared with the athlete at a moment, and put in order. The same
 * read model at the same moment always gives the same.
 */
export async function rankOpportunities(
  database: Queryable,
  athlete: AthleteFacts,
  moment: Moment,
  { limit, feedbackScope }: RankingOptions,
): Promise<RankedItem[]> {
  const candidates = await findOpportunityCandidates(database, athlete, moment, feedbackScope);
  const ranked = candidates.map(({ id, organizationId, facts }) => ({
    id,
    organizationIds: [organizationId],
    fit: computeFit(athlete, facts, moment),
  }));
  return rankItems(ranked, limit);
}
