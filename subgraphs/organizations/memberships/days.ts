/** Days in UTC as `YYYY-MM-DD`. */

const dayMs = 86_400_000;

const shift = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

export const dayBefore = (day: string): string => shift(day, -1);
export const dayAfter = (day: string): string => shift(day, 1);
export const today = (): string => new Date().toISOString().slice(0, 10);
