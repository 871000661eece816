/** Metric values in texts for people: the title of the metric, and the value with its unit. */
import { metric, type Unit } from '../../../schema/metrics.ts';

/** A number with at most this many decimals. */
const decimals = (value: number, places: number): string => String(Number(value.toFixed(places)));

/** A time, such as `22.04 s` or `1:43.21`. Hours are in front of the minutes from the first one on. */
function timeText(ms: number): string {
  const centiseconds = Math.round(Math.abs(ms) / 10);
  const sign = ms < 0 ? '-' : '';
  const seconds = (centiseconds % 6_000) / 100;
  const minutes = Math.floor(centiseconds / 6_000);
  if (minutes === 0) return `${sign}${seconds.toFixed(2)} s`;
  const rest = seconds.toFixed(2).padStart(5, '0');
  if (minutes < 60) return `${sign}${minutes}:${rest}`;
  return `${sign}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

const units: Readonly<Record<Unit, (value: number) => string>> = {
  count: (value) => decimals(value, 2),
  min: (value) => `${decimals(value, 1)} min`,
  ms: timeText,
  mm: (value) => `${(value / 1000).toFixed(2)} m`,
  m: (value) => `${decimals(value, 1)} m`,
  cm: (value) => `${decimals(value, 1)} cm`,
  kg: (value) => `${decimals(value, 1)} kg`,
  pct: (value) => `${decimals(value, 1)} %`,
  points: (value) => `${decimals(value, 1)} points`,
  perMin: (value) => `${decimals(value, 2)} per minute`,
  'W/kg': (value) => `${decimals(value, 2)} W/kg`,
  'ml/kg/min': (value) => `${decimals(value, 1)} ml/kg/min`,
};

/** The title of a metric, such as `Pass accuracy`. An unknown key is its own title. */
export const metricTitle = (key: string): string => metric(key)?.title ?? key;

/** A value with the unit of its metric, such as `82 %`. Points need no unit: the title of their metric names them. */
export function metricValueText(key: string, value: number): string {
  const { unit = 'count', title = '' } = metric(key) ?? {};
  return units[unit === 'points' && title.endsWith('oints') ? 'count' : unit](value);
}

/** A title within a sentence: `pass accuracy`, but `UCI points`. */
export function lowerTitle(title: string): string {
  const isAcronym = /^[A-Z]{2}/.test(title);
  return isAcronym ? title : title.charAt(0).toLowerCase() + title.slice(1);
}
