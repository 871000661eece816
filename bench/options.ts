/** The options of `npm run bench`. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError, whole } from '../commands/command.ts';
import { restApi } from '../wiring/rest-api.ts';
import { gatewayRows } from './gateways/rows.ts';
import { listedAthletes } from './lists.ts';
import { quotaRows } from './quotas/measure.ts';
import { rows } from './rows.ts';

export interface Options {
  /** Names of rows; empty for all. */
  readonly only: readonly string[];
  /** Folder for CPU profiles; null for none. */
  readonly profileFolder: string | null;
  /** Runs every part once, without measuring. */
  readonly check: boolean;
  /** The measurement that replaces the table of all rows; null for the table. */
  readonly instead:
    | 'cache'
    | 'costs'
    | 'dashboard'
    | 'events'
    | 'streams'
    | 'standings'
    | 'gateways'
    | 'interactions'
    | 'lists'
    | 'overload'
    | 'protection'
    | 'quotas'
    | 'requests'
    | 'scouting'
    | 'sizing'
    | 'start'
    | 'webhooks'
    | null;
  /** Folder in which the peer of the gateways is installed. */
  readonly peer: string | null;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  readonly athletes: number;
  readonly json: string | null;
}

const defaults = { seconds: 5, rounds: 3, connections: 16, athletes: 3000 };

export const help = `Usage: npm run bench -- [options]

Starts a separate PostgreSQL, seeds it, starts every contender over it, and prints CPU time per request,
requests per second, latencies, and ratios with their targets (docs/bench.md explains them).
  --only NAME         only this row; repeatable: ${rows.map(({ name }) => name).join(', ')}
  --profile NAME      this row alone, with a profile of its processes by perf (Linux) in .data/profiles/NAME
  --seconds N         duration of each round; default ${defaults.seconds}
  --rounds N          default ${defaults.rounds}
  --connections N     default ${defaults.connections}
  --athletes N        default ${defaults.athletes}
  --json FILE         writes the results to a file
  --check             starts every part once, requires equal responses, and measures nothing: takes four minutes

Other measurements:
  --costs             CPU time of the platform and PostgreSQL per unit, for the worst allowed request of each route and root field, and
                      the latency of normal reads during an attack; --only names REST operations, such as listRecommendations
  --dashboard         the queries of the dashboard's pages, with 100,000 keys of 10,000 accounts
  --events            events per second that the projections apply, and the CPU time of an idle platform
  --streams           the time from a score change to 2,000 subscribers of a match, and the memory of a subscriber
  --standings         a league of 380 matches: reading its table, and certifying a result into it
  --gateways          the query of the public gateways benchmark through the platform's router and others, over areas in memory;
                      --only and --profile name its rows: ${gatewayRows.map(({ name }) => name).join(', ')}
  --peer FOLDER       with --gateways: where @graphql-hive/router-runtime and graphql are installed; without it, its rows are omitted
  --interactions      the time from an input to the next paint in the dashboard and the portal, in a headless Chromium
  --lists             first and deep pages of lists of athletes and statistics, ${listedAthletes} athletes unless --athletes is set:
                      takes 30 minutes and 25 GB in the temporary folder
  --overload          1, 3 and 8 times the capacity of one process, without and with the shedding of load: takes five minutes
  --protection        an area that stops for a minute under load: latencies of its callers and of others; takes two minutes
  --quotas            cost and exactness of keys and quotas with each counter store;
                      --only names its parts: ${quotaRows.join(', ')}
  --requests          filters of the request log with 10,000,000 rows, and the time to record a request;
                      takes 15 minutes and 15 GB in the temporary folder
  --scouting          prospects, discovery and recommendations, and the time to fill and refresh scouting's projections;
                      athletes, time and space as for --lists
  --sizing            CPU time of each role per request with one process per role, and two routers against one; takes two minutes
  --cache             the age of kept responses over two processes, and static pages
  --start             the start of the whole platform with an existing embedded database
  --webhooks          100,000 events to endpoints that fail at random, while workers are killed 20 times

Exit codes: 0 success (also when targets are missed), 1 failed, 2 wrong usage.`;

type Instead = NonNullable<Options['instead']>;

const measurements = [
  'cache',
  'costs',
  'dashboard',
  'events',
  'streams',
  'standings',
  'gateways',
  'interactions',
  'lists',
  'overload',
  'protection',
  'quotas',
  'requests',
  'scouting',
  'sizing',
  'start',
  'webhooks',
] as const satisfies Instead[];

/** Names that `--only` accepts. */
function rowNames(instead: Instead | null): readonly string[] {
  if (instead === 'quotas') return quotaRows;
  if (instead === 'costs') return restApi().operations.map(({ name }) => name);
  return (instead === 'gateways' ? gatewayRows : rows).map(({ name }) => name);
}

function defaultAthletes(instead: Instead | null): number {
  return instead === 'lists' || instead === 'scouting' ? listedAthletes : defaults.athletes;
}

/** Throws UsageError for options that exclude each other, and for unknown rows. */
function requireValid(instead: readonly Instead[], only: readonly string[], check: boolean): void {
  const [first = null, ...more] = instead;
  if (more.length > 0) throw new UsageError(`--${first ?? ''} and --${more.join(' and --')} are measured one at a time.`);
  if (check && (only.length > 0 || first !== null)) throw new UsageError('--check runs every part: use it alone.');
  const names = rowNames(first);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no row ${unknown}: use ${names.join(', ')}.`);
}

/** Null when help was requested. Throws UsageError. */
export function readOptions(args: string[]): Options | null {
  const number = (value: number) => ({ type: 'string', default: String(value) }) as const;
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
      peer: { type: 'string' },
      cache: { type: 'boolean', default: false },
      costs: { type: 'boolean', default: false },
      dashboard: { type: 'boolean', default: false },
      events: { type: 'boolean', default: false },
      streams: { type: 'boolean', default: false },
      standings: { type: 'boolean', default: false },
      gateways: { type: 'boolean', default: false },
      interactions: { type: 'boolean', default: false },
      lists: { type: 'boolean', default: false },
      overload: { type: 'boolean', default: false },
      protection: { type: 'boolean', default: false },
      quotas: { type: 'boolean', default: false },
      requests: { type: 'boolean', default: false },
      scouting: { type: 'boolean', default: false },
      sizing: { type: 'boolean', default: false },
      start: { type: 'boolean', default: false },
      webhooks: { type: 'boolean', default: false },
      seconds: number(defaults.seconds),
      rounds: number(defaults.rounds),
      connections: number(defaults.connections),
      athletes: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const only = values.profile === undefined ? values.only : [values.profile];
  const selected = measurements.filter((name) => values[name]);
  requireValid(selected, only, values.check);
  const [instead = null] = selected;
  return {
    only,
    profileFolder: values.profile === undefined ? null : join(import.meta.dirname, '..', '.data', 'profiles', values.profile),
    instead,
    check: values.check,
    peer: values.peer ?? null,
    json: values.json ?? null,
    seconds: whole('seconds', values.seconds, 1, 600),
    rounds: whole('rounds', values.rounds, 1, 100),
    connections: whole('connections', values.connections, 1, 1000),
    athletes: whole('athletes', values.athletes ?? String(defaultAthletes(instead)), 500, 1_000_000),
  };
}
