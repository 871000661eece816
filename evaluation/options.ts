/** The options of `npm run evaluate`. */
import { parseArgs } from 'node:util';
import { whole } from '../commands/command.ts';
import type { MarketSize } from './synthetic/market.ts';

export interface Options {
  readonly seed: string;
  readonly market: MarketSize;
  readonly recommended: MarketSize;
  readonly careers: number;
  /** File for what was measured; null for none. */
  readonly json: string | null;
}

const defaults = { seed: 'demo', athletes: 6000, opportunities: 160, careers: 8000, indexed: 20_000 };

/** Opportunities of the market in which athletes are found by index. */
const indexedFor = 60;

export const help = `Usage: npm run evaluate -- [options]

Ranks athletes and opportunities whose true worth to one another is known, by our scores and by baselines, and prints how well
each does as Markdown: precision, nDCG, recall, reciprocity, and how evenly groups are shown (docs/matching.md says how to read it).
  --seed TEXT         of what is planted: the same text and numbers give the same tables on any machine; "${defaults.seed}" when absent
  --athletes N        planted in the market, ${defaults.athletes} when absent
  --opportunities N   planted in the market, ${defaults.opportunities} when absent
  --indexed N         athletes of a market whose athletes are found by index, in a PostgreSQL of its own, for ${indexedFor} opportunities;
                      ${defaults.indexed} when absent
  --careers N         planted for the talent score, ${defaults.careers} when absent
  --json FILE         writes what was measured

OPEN_DATA names a folder of open data; with cycling/tdf_gc.csv in it the Tour de France is evaluated too.

Exit codes: 0 done (also when a baseline wins), 1 failed, 2 wrong usage.`;

/** Null when help was asked for. Throws UsageFault. */
export function readOptions(args: string[]): Options | null {
  const number = (value: number) => ({ type: 'string', default: String(value) }) as const;
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: defaults.seed },
      athletes: number(defaults.athletes),
      opportunities: number(defaults.opportunities),
      careers: number(defaults.careers),
      indexed: number(defaults.indexed),
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  return {
    seed: values.seed,
    market: {
      athletes: whole('athletes', values.athletes, 500, 100_000),
      opportunities: whole('opportunities', values.opportunities, 20, 2000),
    },
    recommended: { athletes: whole('indexed', values.indexed, 500, 100_000), opportunities: indexedFor },
    careers: whole('careers', values.careers, 500, 100_000),
    json: values.json ?? null,
  };
}
