/** All that is evaluated, in the order it is told. */
import { openRandom } from '../platform/random.ts';
import { acceptancesAfter } from './acceptances.ts';
import { athletesForOpportunities, opportunitiesForAthletes } from './matching.ts';
import { generateMarket, type MarketSize } from './synthetic/market.ts';
import { matchesOf } from './rankings.ts';
import type { ReadModel } from './read-model.ts';
import type { Report } from './report.ts';
import { recommendedAthletes } from './retrieval.ts';
import { talentOfCareers } from './talent.ts';
import { readTour, talentOfTour } from './tour.ts';

export interface EvaluationOptions {
  readonly seed: string;
  readonly market: MarketSize;
  readonly careers: number;
  /** The market of what is found by index. */
  readonly recommended: MarketSize;
  /** Where that is kept. */
  readonly openReadModel: () => Promise<ReadModel>;
  /** A folder of open data; null: real data are left out. */
  readonly openData: string | null;
  /** Told what is done. */
  readonly log: (line: string) => void;
}

/** The reports of a seed: the same ones on every machine. */
export async function* evaluate({ seed, careers, openData, log, ...asked }: EvaluationOptions): AsyncGenerator<Report> {
  const random = openRandom(seed).fork('evaluation');
  const { athletes, opportunities } = asked.market;
  log(`A market of ${athletes} athletes and ${opportunities} opportunities is planted …`);
  const market = generateMarket(seed, asked.market);
  log('Every athlete is matched with every opportunity …');
  const matches = matchesOf(market);
  log('Rankings are measured …');
  yield athletesForOpportunities(market, matches, random);
  yield opportunitiesForAthletes(market, matches, random);
  yield acceptancesAfter(market, matches, random);
  yield await recommendedAthletes(await asked.openReadModel(), seed, asked.recommended, log);
  log(`${careers} careers are planted and scored …`);
  yield talentOfCareers(seed, careers);
  if (openData !== null) yield talentOfTour(readTour(openData), random);
}
