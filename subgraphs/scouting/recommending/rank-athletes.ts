/** The athletes who suit an opportunity best, over the read model alone: without a word of other areas. */
import type { Queryable } from '../../../platform/database/database.ts';
import type { AthleteFacts, Moment } from '../matching/facts.ts';
import { fitOf } from '../matching/match.ts';
import { athleteCandidates, type AskingFacts, type AthleteCandidate } from '../store/athlete-candidates.ts';
import { inRank, type Ranked, type RankingOptions } from './ranked.ts';

/** The facts of a match, with the numbers of the season that counts and where they stand. */
export function factsOf({ id, facts, standings, sport }: AthleteCandidate): AthleteFacts {
  const metrics = standings
    .filter(({ eventCode }) => !eventCode)
    .map(({ metric, value, percentile }) => ({ key: metric, value, percentile }));
  const season = { scope: 'SEASON', sport, eventCode: null, source: 'COMPUTED', asOf: null, metrics };
  return { ...facts, id, numbers: [season] };
}

/**
 * At most 500 adults whom everybody sees are found by index, compared with the opportunity at a moment, and put in order. Who is a
 * member of the organization already is left out. The same read model at the same moment always gives the same.
 * @param opportunity with the organization that offers it, where it is known
 */
export async function rankAthletes(
  database: Queryable,
  opportunity: AskingFacts,
  moment: Moment,
  { limit, asked }: RankingOptions,
): Promise<Ranked[]> {
  const candidates = await athleteCandidates(database, opportunity, moment, asked);
  const ranked = candidates.map((each) => ({
    id: each.id,
    organizationIds: each.organizationIds,
    fit: fitOf(factsOf(each), opportunity, moment),
  }));
  return inRank(ranked, limit);
}
