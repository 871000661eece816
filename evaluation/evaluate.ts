/** All that is evaluated, in the order it is told. */
import { openRandom } from '../platform/random.ts';
import { acceptancesAfter } from './acceptances.ts';
import { athletesForOpportunities, opportunitiesForAthletes } from './matching.ts';
import { plantMarket, type Sizes } from './planted/market.ts';
import { matchesOf } from './rankings.ts';
import type { ReadModel } from './read-model.ts';
import type { Report } from './report.ts';
import { recommendedAthletes } from './retrieval.ts';
import { talentOfCareers } from './talent.ts';
import { readTour, talentOfTour } from './tour.ts';

export interface Asked {
  readonly seed: string;
  readonly market: Sizes;
  readonly careers: number;
  /** The market of what is found by index. */
  readonly recommended: Sizes;
  /** Where that is kept. */
  readonly openReadModel: () => Promise<ReadModel>;
  /** A folder of open data; null: real data are left out. */
  readonly openData: string | null;
  /** Told what is done. */
  readonly tell: (line: string) => void;
}

/** The reports of a seed: the same ones on every machine. */
export async function* evaluate({ seed, careers, openData, tell, ...asked }: Asked): AsyncGenerator<Report> {
  const random = openRandom(seed).fork('evaluation');
  const { athletes, opportunities } = asked.market;
  tell(`A market of ${athletes} athletes and ${opportunities} opportunities is planted …`);
  const market = plantMarket(seed, asked.market);
  tell('Every athlete is matched with every opportunity …');
  const matches = matchesOf(market);
  tell('Rankings are measured …');
  yield athletesForOpportunities(market, matches, random);
  yield opportunitiesForAthletes(market, matches, random);
  yield acceptancesAfter(market, matches, random);
  yield await recommendedAthletes(await asked.openReadModel(), seed, asked.recommended, tell);
  tell(`${careers} careers are planted and scored …`);
  yield talentOfCareers(seed, careers);
  if (openData !== null) yield talentOfTour(readTour(openData), random);
}
