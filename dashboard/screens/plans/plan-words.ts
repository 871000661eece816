/** A plan in one line: `60 a minute · 1,000 a day · 20,000 a month · reads only · EUR 0.00 a month`. */
import { count, money } from '../../parts/numbers.ts';

interface Limits {
  readonly burstPerMinute: number;
  readonly perDay: number;
  readonly perMonth: number;
}

interface Told {
  readonly limits: Limits;
  readonly writes: boolean;
  readonly price: { readonly amountMinor: number; readonly currency: string };
}

export const limitWords = ({ burstPerMinute, perDay, perMonth }: Limits): string =>
  `${count(burstPerMinute)} a minute · ${count(perDay)} a day · ${count(perMonth)} a month`;

export const planWords = ({ limits, writes, price }: Told): string =>
  `${limitWords(limits)} · ${writes ? 'reads and writes' : 'reads only'} · ${money(price)} a month`;
