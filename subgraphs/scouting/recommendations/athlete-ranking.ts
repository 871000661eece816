/** The athletes who suit an opportunity best, over the read model alone: without a word of other areas. */
import type { Queryable } from '../../../platform/database/database.ts';
import type { AthleteFacts, Moment } from '../matching/facts.ts';
import { computeFit } from '../matching/match.ts';
import { findAthleteCandidates, type RecruitingFacts, type AthleteCandidate } from './athlete-candidates.ts';
import { rankItems, type RankedItem, type RankingOptions } from '../recommending/ranking.ts';

/** The facts of a match, with the numbers of the season that counts and where they stand. */
export function factsOf({ id, facts, standings, sport }: AthleteCandidate): AthleteFacts {
  const metrics = standings
    .filter(({ eventCode }) => !eventCode)
    .map(({ metric, value, percentile }) => ({ key: metric, value, percentile }));
  const season = { scope: 'SEASON', sport, eventCode: null, source: 'COMPUTED', asOf: null, metrics };
  return { ...facts, id, statistics: [season] };
}

/**
 * At most 500 adults whom everybody sees are found by index, compared with the opportunity at a moment, and put in order. Who is a
 * member of the organization already is left out. The same read model at the same moment always gives the same.
 * @param opportunity with the organization that offers it, where it is known
 */
export async function rankAthletes(
  database: Queryable,
  opportunity: RecruitingFacts,
  moment: Moment,
  { limit, feedbackScope }: RankingOptions,
): Promise<RankedItem[]> {
  const candidates = await findAthleteCandidates(database, opportunity, moment, feedbackScope);
  const ranked = candidates.map((each) => ({
    id: each.id,
    organizationIds: each.organizationIds,
    fit: computeFit(factsOf(each), opportunity, moment),
  }));
  return rankItems(ranked, limit);
}
