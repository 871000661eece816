/** Recommended athletes for opportunities: selected by index from the read model, without comparing every athlete. */
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

function readProspects(database: Database): Promise<AthleteCandidate[]> {
  return database.query(
    sql`/* evaluation.prospects */ select athlete_id as id, sport, facts, standings, organization_ids as "organizationIds" from prospect`,
  );
}

/**
 * The report for a market that is larger than the number of compared candidates. `ours` is the recommendation, `all compared` the result
 * if every athlete were compared. Cohorts depend on the ages on the day of the run.
 */
export async function recommendedAthletes(
  { database, fill }: ReadModel,
  seed: string,
  sizes: MarketSize,
  log: (line: string) => void,
): Promise<Report> {
  const random = openRandom(seed).fork('retrieval');
  log(`Filling the read model with ${sizes.athletes} athletes …`);
  const market = generateMarket(`${seed} retrieval`, sizes);
  await fill(market.athletes);
  const byId = new Map(market.athletes.map((athlete) => [athlete.visible.id, athlete]));
  const athletesOf = (ids: readonly { readonly id: string }[]): SyntheticAthlete[] => ids.flatMap(({ id }) => byId.get(id) ?? []);

  log(`Recommending athletes for ${sizes.opportunities} opportunities …`);
  const recommended: SyntheticAthlete[][] = [];
  for (const { facts } of market.opportunities)
    recommended.push(athletesOf(await rankAthletes(database, facts, moment, { limit: depth })));
  const prospects = (await readProspects(database)).flatMap((candidate) => {
    const athlete = byId.get(candidate.id);
    return athlete === undefined ? [] : [{ athlete, facts: factsOf(candidate) }];
  });
  const questions = questionsForOpportunities(
    market,
    (index, source) => {
      const opportunity = market.opportunities[index];
      if (opportunity === undefined) return new Map();
      const matched = prospects.flatMap(({ athlete, facts }) => {
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
  return reportOf(
    'recommended',
    'Recommended athletes for an opportunity, index lookup, synthetic ground truth',
    questions,
    random,
  );
}
