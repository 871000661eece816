/** Runs all evaluations and yields their reports in order. */
import { openRandom } from '../platform/random.ts';
import { acceptancesAfter } from './acceptances.ts';
import { athletesForOpportunities, opportunitiesForAthletes } from './matching.ts';
import { generateMarket, type MarketSize } from './synthetic/market.ts';
import { matchesOf } from './rankings.ts';
import type { ReadModel } from './read-model.ts';
import { realReports } from './real-data.ts';
import type { Report } from './report.ts';
import { recommendedAthletes } from './retrieval.ts';
import { talentOfCareers } from './talent.ts';

export interface EvaluationOptions {
  readonly seed: string;
  readonly market: MarketSize;
  readonly careers: number;
  /** Size of the market for the index lookup. */
  readonly recommended: MarketSize;
  /** Opens the read model of that market. */
  readonly openReadModel: () => Promise<ReadModel>;
  /** A folder with open data. Null skips real data. */
  readonly openData: string | null;
  /** Receives progress messages. */
  readonly log: (line: string) => void;
}

/** The reports of a seed. They are the same on every machine. */
export async function* evaluate({ seed, careers, openData, log, ...options }: EvaluationOptions): AsyncGenerator<Report> {
  const random = openRandom(seed).fork('evaluation');
  const { athletes, opportunities } = options.market;
  log(`Generating a market with ${athletes} athletes and ${opportunities} opportunities …`);
  const market = generateMarket(seed, options.market);
  log('Matching every athlete with every opportunity …');
  const matches = matchesOf(market);
  log('Measuring the rankings …');
  yield athletesForOpportunities(market, matches, random);
  yield opportunitiesForAthletes(market, matches, random);
  yield acceptancesAfter(market, matches, random);
  yield await recommendedAthletes(await options.openReadModel(), seed, options.recommended, log);
  log(`Generating and scoring ${careers} careers …`);
  yield* talentOfCareers(seed, careers);
  yield* realReports(openData, random, log);
}
