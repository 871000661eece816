/** Texts of the keys command: parses expiry and grace periods, formats tables for the terminal. */
import { scalars } from '../schema/scalars.ts';
import { UsageError } from './command.ts';

const unitMs = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** An instant from `2027-01-31` (its end, UTC), an RFC 3339 time, or an offset from now (`12h`, `90d`, `4w`). Throws UsageError. */
export function expiryOf(text: string, now: Date): string {
  const [, amount, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (unit === 'h' || unit === 'd' || unit === 'w') return new Date(now.getTime() + Number(amount) * unitMs[unit]).toISOString();
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59Z` : text;
  // Date.parse turns February 30 into March 2
  if (!scalars.DateTime.accepts(instant))
    throw new UsageError(`--expires ${text}: use 2027-01-31, 2027-01-31T12:00:00Z, 90d or 12h.`);
  return new Date(instant).toISOString();
}

const graceSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const graceSecondsMax = 604_800;

/** Seconds of `0`, `90m`, `24h`, `7d`. Throws UsageError. */
export function graceOf(text: string): number {
  const [, amount, unit = 's'] = /^(\d{1,6})([smhd])?$/.exec(text) ?? [];
  const bare = amount !== undefined && text === amount && Number(amount) !== 0;
  const seconds = Number(amount) * (graceSeconds[unit] ?? NaN);
  if (Number.isNaN(seconds) || bare || seconds > graceSecondsMax)
    throw new UsageError(`--grace ${text}: use 0, 90m, 24h or 7d, which is the longest.`);
  return seconds;
}

/** Pads each column to its widest cell. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
