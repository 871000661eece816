/** Ranks the open opportunities of the read model for an athlete, without queries to other areas. */
import type { Queryable } from '../../../platform/database/database.ts';
import { mapInTurns } from '../../../platform/turns.ts';
import type { AthleteFacts, Moment } from '../matching/facts.ts';
import { computeRankableFit } from '../matching/match.ts';
import { rankItems, type RankedItem, type RankingOptions } from '../recommending/ranking.ts';
import { findOpportunityCandidates } from './opportunity-candidates.ts';

/**
 * Selects at most 500 open opportunities by index, compares each with the athlete and ranks them. The result is deterministic for a state
 * of the read model and a point in time.
 */
export async function rankOpportunities(
  database: Queryable,
  athlete: AthleteFacts,
  moment: Moment,
  { limit, feedbackScope }: RankingOptions,
): Promise<RankedItem[]> {
  const candidates = await findOpportunityCandidates(database, athlete, moment, feedbackScope);
  const items = await mapInTurns(candidates, ({ id, organizationId, facts }) => ({
    id,
    organizationIds: [organizationId],
    expected: computeRankableFit(athlete, facts, moment),
  }));
  return rankItems(items, limit);
}
