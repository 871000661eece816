/** Ranks the athletes of the read model for an opportunity, without queries to other areas. */
import type { Queryable } from '../../../platform/database/database.ts';
import { mapInTurns } from '../../../platform/turns.ts';
import type { AthleteFacts, Moment } from '../matching/facts.ts';
import { computeRankableFit } from '../matching/match.ts';
import { rankItems, type RankedItem, type RankingOptions } from '../recommending/ranking.ts';
import { findAthleteCandidates, type AthleteCandidate, type RecruitingFacts } from './athlete-candidates.ts';

/** The match facts of a candidate, with the compared values of the scored season as its statistics. */
export function factsOf({ id, facts, values, sport }: AthleteCandidate): AthleteFacts {
  // The order of candidates needs no texts, so their cohorts are not read.
  const metrics = (values ?? []).map(([key, value, percentile]) => ({ key, value, percentile, cohort: null }));
  const matches = Math.max(0, ...(values ?? []).map(([, , , played]) => played));
  const season = { scope: 'SEASON', sport, eventCode: null, source: 'COMPUTED', asOf: null, matches, metrics };
  return { ...facts, id, statistics: [season] };
}

/**
 * Selects at most 500 public adults by index, compares each with the opportunity and ranks them. Members of the organization are left out.
 * The result is deterministic for a state of the read model and a point in time.
 * @param opportunity with the id of its organization, if known
 */
export async function rankAthletes(
  database: Queryable,
  opportunity: RecruitingFacts,
  moment: Moment,
  { limit, ...options }: RankingOptions,
): Promise<RankedItem[]> {
  const candidates = await findAthleteCandidates(database, opportunity, moment, options);
  const items = await mapInTurns(candidates, (each) => ({
    id: each.id,
    organizationIds: each.organizationIds,
    expected: computeRankableFit(factsOf(each), opportunity, moment),
  }));
  return rankItems(items, limit);
}
