/** All that is evaluated, in the order it is told. */
import { openRandom } from '../platform/random.ts';
import { acceptancesAfter } from './acceptances.ts';
import { athletesForOpportunities, opportunitiesForAthletes } from './matching.ts';
import type { Options } from './options.ts';
import { plantMarket } from './planted/market.ts';
import { matchesOf } from './rankings.ts';
import type { Report } from './report.ts';
import { talentOfCareers } from './talent.ts';
import { readTour, talentOfTour } from './tour.ts';

/** The reports of a seed: the same ones on every machine. Without a folder of open data those of real data are left out. */
export function* evaluate(
  { seed, athletes, opportunities, careers }: Omit<Options, 'json'>,
  openData: string | null,
  tell: (line: string) => void,
): Generator<Report> {
  const random = openRandom(seed).fork('evaluation');
  tell(`A market of ${athletes} athletes and ${opportunities} opportunities is planted …`);
  const market = plantMarket(seed, { athletes, opportunities });
  tell('Every athlete is matched with every opportunity …');
  const matches = matchesOf(market);
  tell('Rankings are measured …');
  yield athletesForOpportunities(market, matches, random);
  yield opportunitiesForAthletes(market, matches, random);
  yield acceptancesAfter(market, matches, random);
  tell(`${careers} careers are planted and scored …`);
  yield talentOfCareers(seed, careers);
  if (openData !== null) yield talentOfTour(readTour(openData), random);
}
