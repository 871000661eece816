/** The explanations of the components of the talent score, with titles and units. */
import { eventOf, type Sport } from '../../../schema/sports.ts';
import type { Level } from '../generated/resolvers.ts';
import { levelText as textOfLevel, percentileText } from '../texts/cohort-text.ts';
import { comparedNumberText, seasonSentence } from '../texts/compared-number.ts';
import { lowerTitle, metricTitle } from '../texts/metric-values.ts';
import { percentileOrdinal } from '../texts/ordinal.ts';
import type { EventResult } from './best-event.ts';
import { tooFewAthletes, type Standing } from './standings.ts';

function eventTitle(sport: Sport, [first]: readonly Standing[]): string {
  return first?.eventCode ? ` in ${eventOf(sport, first.eventCode)?.title ?? first.eventCode}` : '';
}

const numberText = (sport: Sport, { metric, eventCode, ...each }: Standing): string =>
  comparedNumberText(sport, metric, eventCode, each);

/** The matches of the season of some values, and its end. */
function seasonOf(sport: Sport, standings: readonly Standing[]): string {
  const [most] = standings.toSorted((one, other) => other.matches - one.matches);
  return most ? seasonSentence(sport, most.eventCode, most.matches, most.asOf) : '';
}

/** Such as `Fewer than 30 athletes to compare with: Season best (time) 10.51 s in 100 metres. Races: 3. Counts as average.` */
function uncomparedText(sport: Sport, all: readonly Standing[]): string {
  const events = [...Map.groupBy(all, ({ eventCode }) => eventCode).values()];
  const texts = events.map((each) => `${each.map((one) => numberText(sport, one)).join('; ')}${eventTitle(sport, each)}`);
  return `${tooFewAthletes} to compare with: ${texts.join('; ')}. ${seasonOf(sport, all)} Counts as average.`;
}

/**
 * Such as `Goals 12, 0.49 per 90 minutes, 85th percentile among 120 forwards. Full matches: 24.5, until 2026-05-30.`
 * @param all values that are scored if enough athletes have them
 */
export function performanceText(sport: Sport, result: EventResult | null, all: readonly Standing[]): string {
  if (result === null) return all.length === 0 ? 'No comparable season. Counts as average.' : uncomparedText(sport, all);
  const values = result.standings.map(
    (each) => `${numberText(sport, each)}, ${percentileText(sport, each.percentile, each.cohort)}`,
  );
  return `${values.join('; ')}${eventTitle(sport, result.standings)}. ${seasonOf(sport, result.standings)}`;
}

const hasPreviousSeason = (all: readonly Standing[]): boolean => all.some(({ matchesBefore }) => matchesBefore !== null);

/** Such as `Growth since the previous season: assists 60th percentile, goals 81st percentile.` */
export function growthText(sport: Sport, result: EventResult | null, all: readonly Standing[]): string {
  if (result === null)
    return hasPreviousSeason(all)
      ? `${tooFewAthletes} with two seasons to compare with. Counts as average.`
      : 'No previous season to compare with. Counts as average.';
  const values = result.standings.map(
    ({ metric, growth }) => `${lowerTitle(metricTitle(metric))} ${percentileOrdinal(growth ?? 0)}`,
  );
  return `Growth since the previous season${eventTitle(sport, result.standings)}: ${values.join(', ')}.`;
}

export function consistencyText(sport: Sport, result: EventResult | null, all: readonly Standing[]): string {
  if (result === null)
    return hasPreviousSeason(all)
      ? `${tooFewAthletes} to compare with. Counts as average.`
      : 'Only one season. Counts as average.';
  const percentile = percentileOrdinal(Math.round(result.percentile));
  return `${percentile}${eventTitle(sport, result.standings)} in the weaker of the last two seasons.`;
}

export function levelText(level: Level | null): string {
  return level === null ? 'Unknown level.' : `Competes at ${textOfLevel(level)}.`;
}

export function verificationText(verified: boolean): string {
  return verified ? 'Verified by a moderator.' : 'Not verified.';
}
