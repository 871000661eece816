/** The periods of a match, as each sport names them. */
import type { Sport } from './sports.ts';

export interface Periods {
  /** A period of regular time. */
  readonly unit: 'half' | 'quarter' | 'set' | 'round';
  /** Number of periods of regular time; null where the score decides it. */
  readonly count: number | null;
  /** Periods after regular time; null where there are none. */
  readonly extra: string | null;
  /** Most periods of a match, with extra time and one for a shoot-out. */
  readonly max: number;
  /** Minutes of a period, and of all extra time; null where there is no time limit. The longest of the rule books of FIFA, the NBA, World Rugby and the IHF. */
  readonly minutes: { readonly each: number; readonly extra: number } | null;
}

/** Sports whose matches have periods. */
export const periodsBySport: Readonly<Partial<Record<Sport, Periods>>> = {
  FOOTBALL: { unit: 'half', count: 2, extra: 'Extra time', max: 5, minutes: { each: 45, extra: 30 } },
  BASKETBALL: { unit: 'quarter', count: 4, extra: 'Overtime', max: 24, minutes: { each: 12, extra: 100 } },
  VOLLEYBALL: { unit: 'set', count: null, extra: null, max: 5, minutes: null },
  RUGBY: { unit: 'half', count: 2, extra: 'Extra time', max: 6, minutes: { each: 40, extra: 30 } },
  COMBAT: { unit: 'round', count: null, extra: null, max: 15, minutes: null },
  TENNIS: { unit: 'set', count: null, extra: null, max: 5, minutes: null },
  HANDBALL: { unit: 'half', count: 2, extra: 'Extra time', max: 7, minutes: { each: 30, extra: 20 } },
};

const ordinals = ['1st', '2nd', '3rd'];

/**
 * The title of a period, from 1: `2nd half`, `Set 3`, `Overtime 1`. `count` is the number of regular periods of the match, if it differs from
 * the usual one, such as three in beach soccer; the periods then have no special name. Null for a sport without periods.
 */
export function periodTitle(sport: Sport, period: number, count?: number | null): string | null {
  const periods = periodsBySport[sport];
  if (!periods) return null;
  if (periods.count === null) return `${periods.unit === 'set' ? 'Set' : 'Round'} ${period}`;
  const regular = count ?? periods.count;
  if (period > regular) return `${periods.extra ?? 'Extra time'} ${period - regular}`;
  const unit = regular === periods.count ? periods.unit : 'period';
  return `${ordinals[period - 1] ?? `${period}th`} ${unit}`;
}

/** Regular periods of a match: as its format says, or the usual number. */
const regularPeriods = ({ count }: Periods, formatPeriods: number | null | undefined): number | null => formatPeriods ?? count;

/** The last minute of a period, or of the match without a period. Null where there is no time limit. */
export function lastMinute(sport: Sport, period: number | null, formatPeriods?: number | null): number | null {
  const periods = periodsBySport[sport];
  const regular = periods && regularPeriods(periods, formatPeriods);
  if (!periods?.minutes || !regular) return null;
  const { each, extra } = periods.minutes;
  return period !== null && period <= regular ? period * each : regular * each + extra;
}

/** The period of a minute; null where there is no time limit, and in extra time, whose periods differ in length. */
export function periodOf(sport: Sport, minute: number, formatPeriods?: number | null): number | null {
  const periods = periodsBySport[sport];
  const regular = periods && regularPeriods(periods, formatPeriods);
  if (!periods?.minutes || !regular) return null;
  return Math.min(Math.max(1, Math.ceil(minute / periods.minutes.each)), regular + 1);
}
