/** Compared numbers in texts for people: the value, its rate, and the season behind it. */
import { metric } from '../../../schema/metrics.ts';
import { eventOf, sports, type Sport } from '../../../schema/sports.ts';
import { matchMinutes, playingTimeMetrics } from '../../runtime/full-matches.ts';
import { metricTitle, metricValueText } from './metric-values.ts';

/** Sports of races, and of events with marks. All others have matches. */
function unitOf(sport: Sport, eventCode: string): 'race' | 'competition' | 'match' {
  if (sport !== 'CYCLING' && Object.keys(sports[sport].eventCodes).length === 0) return 'match';
  const mark = eventCode === '' ? 'ms' : (eventOf(sport, eventCode)?.mark ?? null);
  if (mark === 'ms' || sport === 'CYCLING') return 'race';
  return mark === null ? 'match' : 'competition';
}

/** Whether a value is compared per full match. */
const isSum = (key: string): boolean => metric(key)?.aggregation === 'SUM' && !playingTimeMetrics.has(key);

interface NumberOfSeason {
  readonly value: number;
  /** Number of full matches. */
  readonly matches: number;
}

/** The value that is compared of a sum, such as `0.45 per 90 minutes`. Null for marks and shares, which are compared directly. */
export function rateText(sport: Sport, key: string, eventCode: string, { value, matches }: NumberOfSeason): string | null {
  if (!isSum(key) || matches === 0) return null;
  const minutes = matchMinutes[sport];
  const per = minutes === undefined ? unitOf(sport, eventCode) : `${minutes} minutes`;
  return `${metricValueText(key, value / matches)} per ${per}`;
}

/** Such as `Goals 3, 0.45 per 90 minutes`. */
export function comparedNumberText(sport: Sport, key: string, eventCode: string, number: NumberOfSeason): string {
  const rate = rateText(sport, key, eventCode, number);
  return `${metricTitle(key)} ${metricValueText(key, number.value)}${rate === null ? '' : `, ${rate}`}`;
}

const plurals = { race: 'races', competition: 'competitions', match: 'matches' } as const;

/** Such as `24.5 full matches until 2026-05-30` or `3 races`. */
export function seasonText(sport: Sport, eventCode: string, matches: number, asOf: string | null): string {
  const count = Math.round(10 * matches) / 10;
  const unit = unitOf(sport, eventCode);
  const name = count === 1 ? unit : plurals[unit];
  return `${count} ${matchMinutes[sport] === undefined ? '' : 'full '}${name}${asOf === null ? '' : ` until ${asOf}`}`;
}

/** Such as `Full matches: 24.5, until 2026-05-30.` or `Races: 3.` */
export function seasonSentence(sport: Sport, eventCode: string, matches: number, asOf: string | null): string {
  const name = plurals[unitOf(sport, eventCode)];
  const label = matchMinutes[sport] === undefined ? name.charAt(0).toUpperCase() + name.slice(1) : `Full ${name}`;
  return `${label}: ${Math.round(10 * matches) / 10}${asOf === null ? '' : `, until ${asOf}`}.`;
}
