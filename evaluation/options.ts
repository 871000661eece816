/** The options of `npm run evaluate`. */
import { parseArgs } from 'node:util';
import { whole } from '../commands/command.ts';
import type { MarketSize } from './synthetic/market.ts';

export interface Options {
  readonly seed: string;
  readonly market: MarketSize;
  readonly recommended: MarketSize;
  readonly careers: number;
  /** Output file for the measurements. Null for none. */
  readonly json: string | null;
}

const defaults = { seed: 'demo', athletes: 6000, opportunities: 160, careers: 8000, indexed: 20_000 };

/** Number of opportunities in the market of the index lookup. */
const indexedFor = 60;

export const help = `Usage: npm run evaluate -- [options]

Ranks athletes and opportunities with known ground truth, by the platform's scores and by baselines, and prints Markdown tables with
precision, nDCG, recall, reciprocity and group fairness (explained in docs/matching.md).
  --seed TEXT         seed of the synthetic data; the same options give the same tables on every machine (default: "${defaults.seed}")
  --athletes N        athletes in the market (default: ${defaults.athletes})
  --opportunities N   opportunities in the market (default: ${defaults.opportunities})
  --indexed N         athletes in the market of the index lookup, with ${indexedFor} opportunities, in an embedded PostgreSQL
                      (default: ${defaults.indexed})
  --careers N         careers for the talent score (default: ${defaults.careers})
  --json FILE         write the measurements to a file

OPEN_DATA is a folder with open data. If it contains cycling/tdf_gc.csv, the Tour de France is evaluated too, and with
worldcup, football and clubs the squads of the World Cup 2026.

Exit codes: 0 success (even if a baseline wins), 1 failure, 2 invalid usage.`;

/** Null for `--help`. Throws UsageError. */
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
