/** Amounts and rates as text. */
import type { Money } from '../generated/resolvers.ts';

/** Digits after the decimal point of a currency, such as 2 for EUR and 0 for JPY; 2 for an unknown currency. */
function fractionDigits(currency: string): number {
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    // not three letters
    return 2;
  }
}

/** An amount in minor units as a decimal number with its currency: `1,234.50 EUR`. */
export function formatAmount({ amountMinor, currency }: Money): string {
  const digits = fractionDigits(currency);
  const text = String(amountMinor).padStart(digits + 1, '0');
  const whole = BigInt(text.slice(0, text.length - digits)).toLocaleString('en-US');
  return `${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`} ${currency}`;
}

/** A rate in hundredths of a percent as text: 1900 is `19%`, 810 is `8.1%`. */
export const formatRate = (basisPoints: number): string => `${basisPoints / 100}%`;
