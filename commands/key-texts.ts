/** Texts of the keys command: what people type for an expiry, and a table for the terminal. */
import { UsageFault } from './command.ts';

const unitMs = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** An instant from `2027-01-31` (its end, UTC), an RFC 3339 time, or a time from now (`12h`, `90d`, `4w`). Throws UsageFault. */
export function expiryOf(text: string, now: Date): string {
  const [, amount, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (unit === 'h' || unit === 'd' || unit === 'w') return new Date(now.getTime() + Number(amount) * unitMs[unit]).toISOString();
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const instant = day
    ? Date.parse(`${text}T23:59:59Z`)
    : /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text)
      ? Date.parse(text)
      : NaN;
  if (Number.isNaN(instant)) throw new UsageFault(`--expires ${text}: use 2027-01-31, 2027-01-31T12:00:00Z, 90d or 12h.`);
  return new Date(instant).toISOString();
}

/** Columns as wide as their widest cell. */
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
