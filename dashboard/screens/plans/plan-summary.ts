/** Summarizes a plan in one line: `60/min · 1,000/day · 20,000/month · read-only · EUR 0.00 per month`. */
import { formatCount, formatMoney } from '../../components/number-format.ts';

interface Limits {
  readonly burstPerMinute: number;
  readonly perDay: number;
  readonly perMonth: number;
}

interface Plan {
  readonly limits: Limits;
  readonly writes: boolean;
  readonly price: { readonly amountMinor: number; readonly currency: string };
}

export const limitsSummary = ({ burstPerMinute, perDay, perMonth }: Limits): string =>
  `${formatCount(burstPerMinute)}/min · ${formatCount(perDay)}/day · ${formatCount(perMonth)}/month`;

export const planSummary = ({ limits, writes, price }: Plan): string =>
  `${limitsSummary(limits)} · ${writes ? 'read and write' : 'read-only'} · ${formatMoney(price)} per month`;
