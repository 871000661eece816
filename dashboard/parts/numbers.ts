/** Numbers as people read them, in one language everywhere. */

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** `1,234,567` */
export const count = (value: number): string => whole.format(value);

/** `1.2M` */
export const compact = (value: number): string => short.format(value);

/** Of a limit: `12.5%`. */
export const percent = (part: number, of: number): string => share.format(of === 0 ? 0 : part / of);

/** `19.99 EUR` of 1999 minor units. */
export function money({ amountMinor, currency }: { readonly amountMinor: number; readonly currency: string }): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(amountMinor / 10 ** digits);
}

/** `340 ms`, `2.5 s` */
export const duration = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);
