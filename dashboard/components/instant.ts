/** Converts the values of time fields, which are minutes in UTC such as `2026-11-22T05:20`. */

/** The instant of a minute; null for an invalid one. */
export function instantOf(minute: string | undefined): string | null {
  const at = Date.parse(`${minute}Z`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** The minute of an instant. */
export const minuteOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 16);

/** The value of a time field for an instant; empty without one. */
export const minuteOfInstant = (at: string | null): string => (at === null ? '' : minuteOf(Date.parse(at)));
