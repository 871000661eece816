/** Formats numbers, amounts and durations in English. */

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percentage = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** `1,234,567` */
export const formatCount = (value: number): string => whole.format(value);

/** `1.2M` */
export const formatCompact = (value: number): string => short.format(value);

/** The smallest share that is not displayed as 0%. */
const shareMin = 0.001;

/** `12.5%`; `0%` of zero; `<0.1%` and `>99.9%` for shares that rounding would display as none or all. */
export function formatPercent(value: number, total: number): string {
  const share = total === 0 ? 0 : value / total;
  if (share > 0 && share < shareMin) return `<${percentage.format(shareMin)}`;
  if (share < 1 && share > 1 - shareMin) return `>${percentage.format(1 - shareMin)}`;
  return percentage.format(share);
}

/** `EUR 19.99` for 1999 minor units. */
export function formatMoney({ amountMinor, currency }: { readonly amountMinor: number; readonly currency: string }): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(amountMinor / 10 ** digits);
}

/** `340 ms`, `2.5 s` */
export const formatDuration = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** `2.5%` of 0.025; `<0.1%` for a smaller rate above zero. */
export const formatRate = (rate: number): string => (rate > 0 && rate < 0.0005 ? '<0.1%' : percentage.format(rate));

const signed = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });

/** The change of a value: `+12%`, `-5%`, `0%`. Null without a previous value, or if it was zero. */
export function formatChange(current: number | null, previous: number | null | undefined): string | null {
  if (current === null || previous === null || previous === undefined || previous === 0) return null;
  return signed.format(current / previous - 1);
}
