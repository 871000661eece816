/** Matches of athletes with opportunities, computed from data that the viewer can read. */
import { Problem } from '../../../schema/errors.ts';
import { latestToday } from '../../runtime/age.ts';
import type { Context } from '../../runtime/subgraph.ts';
import { computeMatch, type Match } from '../matching/match.ts';
import type { QueryOpportunityMatchesArgs } from '../generated/resolvers.ts';
import { fetchMatchFacts } from './match-facts.ts';

export interface ComputedMatch extends Match {
  readonly athleteId: string;
  readonly opportunityId: string;
}

/** Sorts by expected fit, best first, as recommendations do. Matches without a score follow, then ineligible ones. */
function byFit(one: ComputedMatch, other: ComputedMatch): number {
  const rank = ({ eligible, score, expected }: ComputedMatch): number =>
    eligible === false ? -2 : score === null ? -1 : expected;
  const ids = ({ athleteId, opportunityId }: ComputedMatch): string => `${athleteId} ${opportunityId}`;
  return rank(other) - rank(one) || (ids(one) < ids(other) ? -1 : 1);
}

/** Throws Problem parameter_invalid (400) for several athletes with several opportunities. */
export async function listOpportunityMatches(
  context: Context,
  { athleteId, opportunityId }: QueryOpportunityMatchesArgs,
): Promise<ComputedMatch[]> {
  if (athleteId.length > 1 && opportunityId.length > 1) {
    const detail = 'Pass one athlete with several opportunities, or one opportunity with several athletes.';
    throw new Problem('parameter_invalid', detail, { errors: [{ parameter: 'opportunityId', code: 'one_of_several', detail }] });
  }
  const { athletes, opportunities } = await fetchMatchFacts(context, athleteId, opportunityId);
  if (athletes.length > 0 && opportunities.length > 0) {
    context.notes.person = true;
    if (athletes.some(({ ageGroup }) => ageGroup !== 'SENIOR')) context.notes.minor = true;
  }
  const moment = { now: new Date(), today: latestToday() };
  return athletes
    .flatMap((athlete) =>
      opportunities.map((opportunity) => ({
        athleteId: athlete.id,
        opportunityId: opportunity.id,
        ...computeMatch(athlete, opportunity, moment),
      })),
    )
    .sort(byFit);
}
