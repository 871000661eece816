/** The explanations of the components of the talent score, with titles and units. */
import { eventOf, type Sport } from '../../../schema/sports.ts';
import type { Level } from '../generated/resolvers.ts';
import { levelText as textOfLevel, percentileText } from '../texts/cohort-text.ts';
import { lowerTitle, metricTitle, metricValueText } from '../texts/metric-values.ts';
import type { EventResult } from './best-event.ts';

function eventText(sport: Sport, { standings: [first] }: EventResult): string {
  return first?.eventCode ? ` in ${eventOf(sport, first.eventCode)?.title ?? first.eventCode}` : '';
}

const matchesOf = ({ standings }: EventResult): number =>
  Math.round(10 * Math.max(...standings.map(({ matches }) => matches))) / 10;

/** Such as `Goals 12, percentile 85 of 120 forwards. Full matches: 24.5.` */
export function performanceText(sport: Sport, result: EventResult | null): string {
  if (result === null) return 'No comparable season. Counts as average.';
  const values = result.standings.map(
    ({ metric, value, percentile, cohort }) =>
      `${metricTitle(metric)} ${metricValueText(metric, value)}, ${percentileText(sport, percentile, cohort)}`,
  );
  return `${values.join('; ')}${eventText(sport, result)}. Full matches: ${matchesOf(result)}.`;
}

/** Such as `Growth since the previous season: assists percentile 60, goals percentile 81.` */
export function growthText(sport: Sport, result: EventResult | null): string {
  if (result === null) return 'No previous season to compare with. Counts as average.';
  const values = result.standings.map((each) => `${lowerTitle(metricTitle(each.metric))} percentile ${each.growth ?? 0}`);
  return `Growth since the previous season${eventText(sport, result)}: ${values.join(', ')}.`;
}

export function consistencyText(sport: Sport, result: EventResult | null): string {
  if (result === null) return 'Only one season. Counts as average.';
  return `Percentile ${Math.round(result.percentile)}${eventText(sport, result)} in the weaker of the last two seasons.`;
}

export function levelText(level: Level | null): string {
  return level === null ? 'Unknown level.' : `Competes at ${textOfLevel(level)}.`;
}

export function verificationText(verified: boolean): string {
  return verified ? 'Verified by a moderator.' : 'Not verified.';
}
