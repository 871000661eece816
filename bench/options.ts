/** The options of `npm run bench`. */
import { parseArgs } from 'node:util';
import { UsageFault } from '../commands/command.ts';
import { rows } from './rows.ts';

export interface Options {
  /** Names of rows; empty for all. */
  readonly only: readonly string[];
  readonly profile: boolean;
  /** The league alone: no contenders. */
  readonly standings: boolean;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  readonly athletes: number;
  readonly json: string | null;
}

const defaults = { seconds: 5, rounds: 3, connections: 16, athletes: 3000 };

export const help = `Usage: npm run bench -- [options]

Starts a PostgreSQL of its own, fills it, starts every contender over it, and prints CPU time per request,
requests per second, latencies, and ratios with their targets (docs/bench.md says how to read them).
  --only NAME         only this row; may be given again: ${rows.map(({ name }) => name).join(', ')}
  --profile NAME      this row alone, with a CPU profile of its processes in .data/profiles/NAME
  --standings         a league of 380 matches instead: reading its table, and certifying a result into it
  --seconds N         measured in each round; ${defaults.seconds} when absent
  --rounds N          ${defaults.rounds} when absent
  --connections N     ${defaults.connections} when absent
  --athletes N        ${defaults.athletes} when absent
  --json FILE         writes rows and ratios

Exit codes: 0 done (also when targets are missed), 1 failed, 2 wrong usage.`;

function whole(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) throw new UsageFault(`--${name} is a whole number from ${min} to ${max}.`);
  return value;
}

/** Null when help was asked for. Throws UsageFault. */
export function readOptions(args: string[]): Options | null {
  const number = (value: number) => ({ type: 'string', default: String(value) }) as const;
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
      json: { type: 'string' },
      standings: { type: 'boolean', default: false },
      seconds: number(defaults.seconds),
      rounds: number(defaults.rounds),
      connections: number(defaults.connections),
      athletes: number(defaults.athletes),
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const only = values.profile === undefined ? values.only : [values.profile];
  const unknown = only.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) throw new UsageFault(`There is no row ${unknown}: use ${rows.map(({ name }) => name).join(', ')}.`);
  return {
    only,
    profile: values.profile !== undefined,
    standings: values.standings,
    json: values.json ?? null,
    seconds: whole('seconds', values.seconds, 1, 600),
    rounds: whole('rounds', values.rounds, 1, 100),
    connections: whole('connections', values.connections, 1, 1000),
    athletes: whole('athletes', values.athletes, 500, 1_000_000),
  };
}
