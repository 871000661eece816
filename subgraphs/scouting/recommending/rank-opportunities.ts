/** The open opportunities that suit an athlete best, over the read model alone: without a word of other areas. */
import type { Queryable } from '../../../platform/database/database.ts';
import type { AthleteFacts, Moment } from '../matching/facts.ts';
import { fitOf } from '../matching/match.ts';
import { opportunityCandidates } from '../store/opportunity-candidates.ts';
import { inRank, type Ranked, type RankingOptions } from './ranked.ts';

/**
 * At most 500 opportunities that take applications are found by index, compared with the athlete at a moment, and put in order. The same
 * read model at the same moment always gives the same.
 */
export async function rankOpportunities(
  database: Queryable,
  athlete: AthleteFacts,
  moment: Moment,
  { limit, asked }: RankingOptions,
): Promise<Ranked[]> {
  const candidates = await opportunityCandidates(database, athlete, moment, asked);
  const ranked = candidates.map(({ id, organizationId, facts }) => ({
    id,
    organizationIds: [organizationId],
    fit: fitOf(athlete, facts, moment),
  }));
  return inRank(ranked, limit);
}
