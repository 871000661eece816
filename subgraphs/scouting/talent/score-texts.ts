/** The explanations of the components that are based on percentiles. */
import type { EventResult } from './best-event.ts';

const eventText = ({ standings: [first] }: EventResult): string => (first?.eventCode ? ` in ${first.eventCode}` : '');
const matchesOf = ({ standings }: EventResult): number =>
  Math.round(10 * Math.max(...standings.map(({ matches }) => matches))) / 10;

export function performanceText(result: EventResult | null): string {
  if (result === null) return 'No comparable season. Counts as average.';
  const values = result.standings.map((each) => `${each.metric} at percentile ${each.percentile}`).sort();
  return `${values.join(', ')}${eventText(result)}. Full matches: ${matchesOf(result)}.`;
}

export function growthText(result: EventResult | null): string {
  if (result === null) return 'No previous season to compare with. Counts as average.';
  const values = result.standings.map((each) => `${each.metric} growth at percentile ${each.growth ?? 0}`).sort();
  return `${values.join(', ')}${eventText(result)}, since the previous season.`;
}

export function consistencyText(result: EventResult | null): string {
  if (result === null) return 'Only one season. Counts as average.';
  return `Percentile ${Math.round(result.percentile)}${eventText(result)} in the weaker of the last two seasons.`;
}
