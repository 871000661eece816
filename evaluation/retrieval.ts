/** Athletes for opportunities as they are recommended: found by index in the read model, where most are never compared. */
import { sql, type Database } from '../platform/database/database.ts';
import { openRandom } from '../platform/random.ts';
import { computeFit } from '../subgraphs/scouting/matching/match.ts';
import { factsOf, rankAthletes } from '../subgraphs/scouting/recommendations/athlete-ranking.ts';
import type { AthleteCandidate } from '../subgraphs/scouting/recommendations/athlete-candidates.ts';
import { athleteListing, questionsForOpportunities } from './matching.ts';
import type { SyntheticAthlete } from './synthetic/athlete.ts';
import { moment, generateMarket, type MarketSize } from './synthetic/market.ts';
import type { ReadModel } from './read-model.ts';
import { rankingsOf } from './rankings.ts';
import { reportOf, type Report } from './report.ts';

const depth = 100;

function everybody(database: Database): Promise<AthleteCandidate[]> {
  return database.query(
    sql`/* evaluation.prospects */ select athlete_id as id, sport, facts, standings, organization_ids as "organizationIds" from prospect`,
  );
}

/**
 * The report over a market of its own, larger than what is compared for a recommendation. Ours is what is recommended; beside it what
 * would be if everybody were compared. Ages in cohorts are those of the day it runs.
 */
export async function recommendedAthletes(
  { database, fill }: ReadModel,
  seed: string,
  sizes: MarketSize,
  tell: (line: string) => void,
): Promise<Report> {
  const random = openRandom(seed).fork('retrieval');
  tell(`The read model of ${sizes.athletes} athletes is filled …`);
  const market = generateMarket(`${seed} retrieval`, sizes);
  await fill(market.athletes);
  const planted = new Map(market.athletes.map((athlete) => [athlete.visible.id, athlete]));
  const athletesOf = (ids: readonly { readonly id: string }[]): SyntheticAthlete[] =>
    ids.flatMap(({ id }) => planted.get(id) ?? []);

  tell(`Athletes are recommended for ${sizes.opportunities} opportunities …`);
  const recommended: SyntheticAthlete[][] = [];
  for (const { facts } of market.opportunities)
    recommended.push(athletesOf(await rankAthletes(database, facts, moment, { limit: depth })));
  const kept = (await everybody(database)).flatMap((candidate) => {
    const athlete = planted.get(candidate.id);
    return athlete === undefined ? [] : [{ athlete, facts: factsOf(candidate) }];
  });
  const questions = questionsForOpportunities(
    market,
    (index, source) => {
      const opportunity = market.opportunities[index];
      if (opportunity === undefined) return new Map();
      const matched = kept.flatMap(({ athlete, facts }) => {
        const fit = computeFit(facts, opportunity.facts, moment);
        return fit.eligible === false ? [] : [{ athlete, opportunity, fit }];
      });
      const [[, all = []] = [], ...others] = rankingsOf(
        athleteListing(market, matched, ({ followers }) => followers),
        source,
      );
      return new Map([['ours', recommended[index] ?? []], ['all compared', all], ...others]);
    },
    random,
  );
  return reportOf('recommended', 'Athletes recommended for an opportunity, found by index, planted truth', questions, random);
}
