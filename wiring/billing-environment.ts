/** The environment variables of invoices, and the settings derived from them. */
import { readEnvironment, text } from '../platform/env.ts';
import type { BillingSettings } from '../schema/billing.ts';

/** Variables of the operator on invoices, used by the process that closes months. */
export const billingVariables = {
  BILLING_NAME: text({ description: 'legal name of the operator; without it, statements have no invoices' }),
  BILLING_ADDRESS: text({ description: 'address of the operator, lines separated by |' }),
  BILLING_VAT_ID: text({ description: 'VAT identification number of the operator' }),
  BILLING_CURRENCY: text({ description: 'currency of the operator, ISO 4217', default: 'EUR' }),
  BILLING_VAT_PERCENT: text({ description: 'VAT rate in percent, such as 19 or 8.1; without it, invoices have no VAT' }),
  BILLING_REVERSE_CHARGE_NOTE: text({
    description: 'note on invoices of accounts with a reverse charge',
    default: 'Reverse charge: the recipient owes the VAT.',
  }),
  BILLING_NUMBER_PREFIX: text({ description: 'start of the invoice numbers', default: 'INV' }),
};

/** The rate in hundredths of a percent. Throws Error for anything but 0 to 100 with at most two decimals. */
function basisPointsOf(percent: string): number {
  const points = /^\d{1,3}(?:\.\d{1,2})?$/.test(percent) ? Math.round(Number(percent) * 100) : NaN;
  if (points <= 10_000) return points;
  throw new Error('BILLING_VAT_PERCENT must be from 0 to 100, with at most two decimals.');
}

/** The operator on invoices; null without a name. Throws Error for incomplete or invalid settings. */
export function billingSettings(source: Readonly<Record<string, string | undefined>>): BillingSettings | null {
  const given = readEnvironment(source, billingVariables);
  if (given.BILLING_NAME === null) return null;
  if (given.BILLING_ADDRESS === null)
    throw new Error('BILLING_ADDRESS is required with BILLING_NAME: an invoice needs the address of the operator.');
  if (!/^[A-Z]{3}$/.test(given.BILLING_CURRENCY))
    throw new Error('BILLING_CURRENCY must be three upper-case letters, such as EUR.');
  if (!/^[A-Za-z0-9][A-Za-z0-9/-]{0,19}$/.test(given.BILLING_NUMBER_PREFIX))
    throw new Error('BILLING_NUMBER_PREFIX must be 1 to 20 letters, digits, hyphens or slashes.');
  return {
    name: given.BILLING_NAME,
    address: given.BILLING_ADDRESS.split('|')
      .map((line) => line.trim())
      .join('\n'),
    vatId: given.BILLING_VAT_ID,
    currency: given.BILLING_CURRENCY,
    vatBasisPoints: given.BILLING_VAT_PERCENT === null ? null : basisPointsOf(given.BILLING_VAT_PERCENT),
    reverseChargeNote: given.BILLING_REVERSE_CHARGE_NOTE,
    numberPrefix: given.BILLING_NUMBER_PREFIX,
  };
}
